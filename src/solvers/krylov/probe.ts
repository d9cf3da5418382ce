/** What a small Krylov space says of the size of the whole. */
import type { Engine, Tall } from "../../types.js";
import { krylovBasis } from "./basis.js";
import type { Ends } from "./ends.js";
import { projection } from "./projection.js";

/**
 * Columns until all wanted pairs have residuals of this tolerance, from a space of so many columns that W begins. Pairs converge one after
 * the other, about evenly once the first ones have: of p pairs c have in m columns, so p will have in m·p/c or sooner. Where none has,
 * nothing is known: ∞.
 */
export function columnsExpected(
  E: Engine,
  W: Tall,
  columns: number,
  operate: (Y: Tall, W: Tall) => void,
  ends: Ends,
  tolerance: number,
): number {
  const { rows: n, cols: b } = W;
  const most = b * Math.floor(columns / b);
  const [basis, T] = [krylovBasis(E, n, b, most, 0, most), projection(E, most, b)];
  const [Y, h, r] = [E.tall(n, b), new Float64Array(most * b), new Float64Array(b * b)];
  for (let next = W; basis.size < most; ) {
    basis.append(next);
    operate(Y, next);
    next = basis.split(h, r, Y);
    T.setLast(h, basis.size);
  }
  const norms = ends.columnNorms(T.ritz(most, r).residual);
  return (most * (ends.low + ends.high)) / norms.filter((norm) => norm <= tolerance).length;
}
