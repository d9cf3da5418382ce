/** A Krylov space that grows by blocks of b columns: V, T = VᵀBV, and the block that follows V. */

import type { Engine, Tall } from "@expen/linalg";
import { orthonormalizer } from "@expen/linalg/dense";
import { krylovBasis } from "./basis.js";
import type { Sizes } from "./plan.js";
import { columnsOf, type KrylovPairs, projection, residualNorms } from "./projection.js";

export interface KrylovSpace {
  /** columns of V */
  readonly size: number;
  /** number of columns multiplied so far, in all spaces */
  readonly multiplied: number;
  /** V ← b random combinations of the columns of X plus random vectors of equal size: X may lie in an invariant subspace */
  begin(X: Tall): void;
  /** V ← [V, W] for the block W that follows it, then W and T of the new V, by one product with `operate` */
  grow(operate: (Y: Tall, W: Tall) => void): void;
  ritzPairs(): KrylovPairs;
  /** Y ← V·S for the numbers s of S (size×cols) */
  multiply(Y: Tall, s: Float64Array): void;
  /** V ← the chosen Ritz vectors, followed by the block that followed V, or by random vectors */
  restart(pairs: KrylovPairs, indices: readonly number[], random: boolean): void;
}

export function krylovSpace(
  E: Engine,
  n: number,
  { b, most, panel }: Pick<Sizes, "b" | "most" | "panel">,
  normal: () => number,
): KrylovSpace {
  const [basis, T] = [krylovBasis(E, n, b, panel), projection(E, most, b)];
  const [first, Y, h, r] = [E.tall(n, b), E.tall(n, b), new Float64Array(most * b), new Float64Array(b * b)];
  let W = first;
  let multiplied = 0;
  return {
    get size() {
      return basis.size;
    },
    get multiplied() {
      return multiplied;
    },
    begin(X) {
      basis.clear();
      T.restart([]);
      E.write(Y, normal);
      const random = E.small(X.cols, b, Float64Array.from({ length: X.cols * b }, normal));
      E.mul(Y, X, random, 1, Math.sqrt(X.cols / n));
      W = first;
      orthonormalizer(E, n, b)(W, Y);
    },
    grow(operate) {
      basis.append(W);
      operate(Y, W);
      multiplied += b;
      W = basis.orthogonalize(h, r, Y);
      T.extend(h, b);
    },
    ritzPairs() {
      const pairs = T.ritzPairs();
      return { ...pairs, r: r.slice(), residual: residualNorms(pairs, r, b) };
    },
    multiply: basis.multiply,
    restart({ theta, s, own = theta }, indices, random) {
      basis.rotate(columnsOf(s, theta.length, indices), indices.length);
      T.restart(indices.map((from) => own[from]!));
      if (!random) return;
      E.write(Y, normal);
      W = basis.orthogonalize(h, r, Y);
    },
  };
}
