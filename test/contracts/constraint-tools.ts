/** What the contract of constraints is said with: matrices, norms, and results of a constraint as new matrices. */
import type { Constraint } from "../../src/constraints/constraint.js";
import { random } from "../../src/random.js";
import type { Engine, Matrix } from "../../src/types.js";

export type ConstraintTools = ReturnType<typeof constraintTools>;

export function constraintTools(E: Engine, on: Constraint) {
  const { n, p } = on;
  const tall = (seed: number): Matrix => {
    const A = E.tall(n, p);
    E.write(A, random(seed, "tall").normal);
    return A;
  };
  const symmetric = (seed: number): Matrix => {
    const S = E.small(p, p);
    E.write(S, random(seed, "small").normal);
    E.symmetrize(S);
    return S;
  };
  const small = (): Matrix => E.small(p, p);
  const norm = (A: Matrix): number => Math.sqrt(E.dot(A, A));
  const like = (A: Matrix): Matrix => ((A as { kind?: string }).kind === "small" ? small() : E.tall(n, p));
  /** a·A + b·B */
  const sum = (a: number, A: Matrix, b: number, B: Matrix): Matrix => {
    const C = like(A);
    E.combine(C, a, A, b, B);
    return C;
  };
  const distance = (A: Matrix, B: Matrix): number => norm(sum(1, A, -1, B));
  const dissolved = (X: Matrix): Matrix => {
    const Y = E.tall(n, p);
    on.dissolve(Y, X, small());
    return Y;
  };
  const residual = (X: Matrix): Matrix => {
    const K = small();
    on.residual(K, X);
    return K;
  };
  const multiplier = (X: Matrix, G: Matrix): Matrix => {
    const S = small();
    on.multiplier(S, X, G);
    return S;
  };
  /** V = ½K'(X)[D] and J = A'(X)[D] */
  const pushed = (D: Matrix, X: Matrix): { J: Matrix; V: Matrix } => {
    const [J, V] = [E.tall(n, p), small()];
    on.push(J, D, X, residual(X), V);
    return { J, V };
  };
  const normalVector = (X: Matrix, C: Matrix): Matrix => {
    const N = E.tall(n, p);
    on.normal(N, X, C);
    return N;
  };
  const tangent = (X: Matrix, A: Matrix): Matrix => {
    const T = sum(1, A, 0, A);
    on.tangent(T, X);
    return T;
  };
  /** A feasible point plus a matrix of that length */
  const near = (length: number, seed: number): Matrix => {
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
