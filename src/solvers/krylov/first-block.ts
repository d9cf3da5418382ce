import { orthonormalizer } from "../../linalg/qr.js";
import type { Engine, Tall } from "../../types.js";

/** b random combinations of the columns of X, and as much of random vectors, orthonormal: X may lie in an invariant subspace */
export function firstBlock(E: Engine, X: Tall, b: number, normal: () => number): Tall {
  const { rows: n, cols: p } = X;
  const [W, Y] = [E.tall(n, b), E.tall(n, b)];
  E.write(Y, normal);
  E.mul(Y, X, E.small(p, b, Float64Array.from({ length: p * b }, normal)), 1, Math.sqrt(p / n));
  orthonormalizer(E, n, b)(W, Y);
  return W;
}
