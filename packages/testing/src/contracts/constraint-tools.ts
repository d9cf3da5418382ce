/** What the contract of constraints is said with: matrices, norms, and results of a constraint as new matrices. */
import type { Constraint, Objective, Point } from "@expen/core";
import type { Engine, Small, Tall } from "@expen/linalg";
import { random } from "@expen/linalg";
import { chain } from "@expen/linalg/engine";

export type ConstraintTools = ReturnType<typeof constraintTools>;

export function constraintTools(E: Engine, on: Constraint) {
  const { n, p } = on.shape;
  const d = on.dissolver;
  const tall = (seed: number): Tall => {
    const A = E.tall(n, p);
    E.write(A, random(seed, "tall").normal);
    return A;
  };
  const symmetric = (seed: number): Small => {
    const S = E.small(p, p);
    E.write(S, random(seed, "small").normal);
    E.symmetrize(S);
    return S;
  };
  const small = (): Small => E.small(p, p);
  /** (I − Ω)⁻¹(I + Ω) for a random skew Ω: orthogonal in every algebra, and a rotation */
  const turn = (seed: number): Small => {
    const [N, S, A, B, Q] = [small(), small(), small(), small(), small()];
    E.write(N, random(seed, "turn").normal);
    E.copy(S, N);
    E.symmetrize(S);
    E.combine(A, -1, N, 1, S);
    E.combine(B, 1, N, -1, S);
    E.addDiagonal(A, 1);
    E.addDiagonal(B, 1);
    E.factor.solve(Q, A, B);
    return Q;
  };
  const norm = (A: Tall | Small): number => Math.sqrt(E.dot(A, A));
  const like = <M extends Tall | Small>(A: M): M => (A.kind === "small" ? small() : E.tall(n, p)) as M;
  /** a·A + b·B */
  const sum = <M extends Tall | Small>(a: number, A: M, b: number, B: M): M => {
    const C = like(A);
    E.combine(C, a, A, b, B);
    return C;
  };
  const distance = <M extends Tall | Small>(A: M, B: M): number => norm(sum(1, A, -1, B));
  /** X, or a direction, with its product with B */
  const at = (X: Tall): Point => {
    const x = on.point();
    E.copy(x.X, X);
    on.update(x);
    return x;
  };
  const K = (X: Tall): Small => {
    const S = small();
    d.K(S, at(X));
    return S;
  };
  /** ‖K(X)‖ */
  const violation = (X: Tall): number => d.K(small(), at(X));
  const dissolved = (X: Tall): Tall => {
    const Y = E.tall(n, p);
    d.A(Y, at(X), small());
    return Y;
  };
  const multiplier = (X: Tall, G: Tall): Small => {
    const S = small();
    d.S(S, at(X), G);
    return S;
  };
  /** V = ½K'(X)[D] and J = 𝒥(D) */
  const jacobian = (D: Tall, X: Tall): { J: Tall; V: Small } => {
    const [J, V] = [E.tall(n, p), small()];
    d.jacobian(J, at(D), at(X), K(X), V);
    return { J, V };
  };
  /** G(I − ½K) + BX·C */
  const adjoint = (G: Tall, X: Tall, C: Small): Tall => {
    const H = E.tall(n, p);
    d.adjoint(H, G, at(X), K(X), C);
    return H;
  };
  const normalVector = (X: Tall, C: Small): Tall => {
    const N = E.tall(n, p);
    d.normal(N, at(X), C);
    return N;
  };
  const tangent = (X: Tall, A: Tall): Tall => {
    const T = sum(1, A, 0, A);
    d.tangent(T, at(X));
    return T;
  };
  const direction = (X: Tall, D: Tall): Tall => {
    const J = E.tall(n, p);
    d.direction(J, at(X), at(D));
    return J;
  };
  /** a way back from Z; its BX must be that of its X */
  const wayBack = (way: (y: Point, Z: Tall) => unknown, Z: Tall): Tall => {
    const y = on.point();
    way(y, Z);
    const { X, BX } = at(y.X);
    if (!(distance(y.BX, BX) <= 1e-13 * norm(X) * norm(BX))) throw new Error("BX is not that of X");
    return y.X;
  };
  /** A feasible point plus a matrix of that length */
  const near = (length: number, seed: number): Tall => {
    const D = tall(seed);
    return sum(1, X, length / norm(D), D);
  };

  const feasible = (seed: number): Tall => wayBack((y) => on.random(y, random(seed, "constraint")), E.tall(n, p));
  /** a feasible point, and one that is not */
  const X = feasible(1);
  const Z = near(0.7, 2);
  return {
    X,
    Z,
    at,
    feasible,
    tall,
    symmetric,
    small,
    turn,
    norm,
    sum,
    distance,
    dissolved,
    K,
    violation,
    multiplier,
    jacobian,
    adjoint,
    normalVector,
    tangent,
    direction,
    wayBack,
    near,
  };
}

const quartic = chain(2, ({ mul, add }, x, l) => {
  const square = mul(x, x);
  return { outputs: [add(l, mul(x, square))], sum: add(mul(l, x), mul(0.25, mul(square, square))) };
});
const quarticHessian = chain(2, ({ mul }, x, d) => ({ outputs: [mul(3, mul(mul(x, x), d))] }));

/** f(X) = ⟨L, X⟩ + ¼Σx⁴ over all numbers of X, for any algebra */
export function linearAndQuartic(E: Engine, n: number, p: number): Objective {
  const [L, W] = [E.tall(n, p), E.tall(n, p)];
  E.write(L, random(1, "linear").normal);
  const fg = (G: Tall, X: Tall): number => E.map([G], quartic, [X, L]);
  return { n, p, f: (X) => fg(W, X), fg, hvp: (H, X, D) => void E.map([H], quarticHessian, [X, D]) };
}
