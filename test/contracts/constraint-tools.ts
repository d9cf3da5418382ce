/** What the contract of constraints is said with: matrices, norms, and results of a constraint as new matrices. */
import type { Constraint } from "../../src/constraints/constraint.js";
import { chain } from "../../src/engines/elementwise/chain.js";
import { random } from "../../src/random.js";
import type { Engine, Objective, Small, Tall } from "../../src/types.js";

export type ConstraintTools = ReturnType<typeof constraintTools>;

export function constraintTools(E: Engine, on: Constraint) {
  const { n, p } = on;
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
  const dissolved = (X: Tall): Tall => {
    const Y = E.tall(n, p);
    on.dissolve(Y, X, small());
    return Y;
  };
  const residual = (X: Tall): Small => {
    const K = small();
    on.residual(K, X);
    return K;
  };
  const multiplier = (X: Tall, G: Tall): Small => {
    const S = small();
    on.multiplier(S, X, G);
    return S;
  };
  /** V = ½K'(X)[D] and J = A'(X)[D] */
  const pushed = (D: Tall, X: Tall): { J: Tall; V: Small } => {
    const [J, V] = [E.tall(n, p), small()];
    on.push(J, D, X, residual(X), V);
    return { J, V };
  };
  const normalVector = (X: Tall, C: Small): Tall => {
    const N = E.tall(n, p);
    on.normal(N, X, C);
    return N;
  };
  const tangent = (X: Tall, A: Tall): Tall => {
    const T = sum(1, A, 0, A);
    on.tangent(T, X);
    return T;
  };
  /** A feasible point plus a matrix of that length */
  const near = (length: number, seed: number): Tall => {
    const D = tall(seed);
    return sum(1, X, length / norm(D), D);
  };

  /** a feasible point, and one that is not */
  const X = E.tall(n, p);
  on.random(X, random(1, "constraint"));
  const Z = near(0.7, 2);
  return {
    X,
    Z,
    tall,
    symmetric,
    small,
    turn,
    norm,
    sum,
    distance,
    dissolved,
    residual,
    multiplier,
    pushed,
    normalVector,
    tangent,
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
