import type { Small, Tall } from "@expen/linalg";
import type { Dissolver } from "../contracts/dissolver.js";
import type { Point } from "../contracts/point.js";

/** The parts of a matrix and of a point of a product */
export interface Splitter {
  matrices<M extends Tall | Small>(A: M): readonly M[];
  points(x: Point): readonly Point[];
}

type Arguments = readonly (Tall | Small | Point | undefined)[];

/** Part by part; ‖K‖² adds up. */
export function productDissolver(parts: readonly Dissolver[], { matrices, points }: Splitter): Dissolver {
  const split = (A: Arguments[number]): Arguments => (A === undefined ? [] : "BX" in A ? points(A) : matrices(A));
  /** op on the first parts of all arguments, on the second ones, …; returns √Σ of the squares of what it returns */
  const each = <T extends Arguments>(As: readonly [...T], op: (d: Dissolver, As: T) => unknown): number => {
    const all = As.map(split);
    let sum = 0;
    for (const [i, d] of parts.entries()) sum += Number(op(d, all.map((A) => A[i]) as Arguments as T)) ** 2;
    return Math.sqrt(sum);
  };
  return {
    K: (K, x) => each([K, x], (d, As) => d.K(...As)),
    S: (S, x, G, M) => void each([S, x, G, M], (d, As) => d.S(...As)),
    normal: (Z, x, C, a) => void each([Z, x, C], (d, As) => d.normal(...As, a)),
    A: (Y, x, K) => each([Y, x, K], (d, As) => d.A(...As)),
    jacobian: (J, D, x, K, V) => void each([J, D, x, K, V], (d, As) => d.jacobian(...As)),
    adjoint: (H, G, x, K, C) => void each([H, G, x, K, C], (d, As) => d.adjoint(...As)),
    adjointAlong: (H, G, x, K, C, { D, V, dG, dC }) =>
      void each([H, G, x, K, C, D, V, dG, dC], (d, [H, G, x, K, C, D, V, dG, dC]) =>
        d.adjointAlong(H, G, x, K, C, { D, V, dG, dC }),
      ),
    tangent: (Z, x, S) => void each([Z, x, S], (d, As) => d.tangent(...As)),
    shift: (H, D, x, S) => void each([H, D, x, S], (d, As) => d.shift(...As)),
    hessian: (H, D, x, S) => void each([H, D, x, S], (d, As) => d.hessian(...As)),
    direction: (J, x, D) => void each([J, x, D], (d, As) => d.direction(...As)),
    eigenvalues(S) {
      const ofParts = matrices(S).map((part, i) => [...parts[i]!.eigenvalues(part)]);
      return Float64Array.from(ofParts.flat()).sort();
    },
  };
}
