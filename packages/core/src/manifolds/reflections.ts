/** Ways to the other components of a manifold: no descent leads from one to another. */
import type { Engine, Small, Tall } from "@expen/linalg";

/** A point in sentences */
export const WHOLE = "X";

export interface Reflection {
  /** the number whose sign it changes: "det U" for a matrix with the name U, WHOLE where it is all of a point */
  number(name: string): string;
  /**
   * Y ← the image of a feasible X in another component, feasible too. With the multiplier S at X it is the image with the lowest f to first
   * order, without S always the same one.
   */
  reflect(Y: Tall, X: Tall, S?: Small): void;
}

/**
 * Square matrices with XᵀBX = I have det X > 0 or det X < 0. XH, H = I − 2vvᵀ with ‖v‖ = 1, has the other sign, and
 *
 *     f(XH) = f(X) − 2⟨∇f(X), Xvvᵀ⟩ + … = f(X) − 2·vᵀSv + …,   S = sym(Xᵀ∇f(X)):
 *
 * v is the eigenvector of λmax(S). For f = ⟨L, X⟩ at its minimiser this is the rule of Kabsch, and XH is the minimiser there.
 */
export function determinantReflection(E: Engine, p: number): Reflection {
  return {
    number: (name) => `det ${name}`,
    reflect(Y, X, S) {
      const v = S ? lastEigenvector(E, S) : Float64Array.from({ length: p }, (_, j) => (j === p - 1 ? 1 : 0));
      const H = Float64Array.from({ length: p * p }, (_, k) => {
        const [i, j] = [Math.floor(k / p), k % p];
        return (i === j ? 1 : 0) - 2 * v[i]! * v[j]!;
      });
      E.mul(Y, X, E.small(p, p, H));
    },
  };
}

/** Columns of one number are 1 or −1. E has diagonal small matrices. */
export const signReflections = (E: Engine, p: number): Reflection[] =>
  Array.from({ length: p }, (_, column) => ({
    number: (name) => (p > 1 ? `column ${column + 1} of ${name}` : name),
    reflect(Y, X) {
      E.mul(
        Y,
        X,
        E.small(
          p,
          p,
          Float64Array.from({ length: p }, (_, j) => (j === column ? -1 : 1)),
        ),
      );
    },
  }));

function lastEigenvector(E: Engine, S: Small): Float64Array {
  const p = S.rows;
  const V = E.small(p, p);
  E.factor.eigh(V, new Float64Array(p), S);
  const vectors = E.read(V);
  return Float64Array.from({ length: p }, (_, i) => vectors[i * p + p - 1]!);
}
