/** Constant matrices that are one product u·vᵀ: as they are written, or by their numbers. */
import { EPS } from "../../arrays/scale.js";
import type { Node } from "../graph.js";
import { lift, literal } from "../leaves.js";
import { full, transpose } from "../operations/linear.js";
import { chain, colsOf, type Factor, rowsOf } from "../operations/product.js";
import type { Constants } from "./constants.js";

/** u_i·v_j is a_ij up to so much of it: three roundings here and one or two where it was made */
const ROUNDING = 8 * EPS;

/** u and v, columns, of a product uvᵀ of constants with so many rows; nothing where it is no such product */
export type Splitter = (factors: readonly Factor[], rows: number) => readonly [u: Node, v: Node] | undefined;

export function splitter(known: Constants): Splitter {
  const column = (numbers: Float64Array): Node => lift("form", { rows: numbers.length, cols: 1, data: numbers });

  return (factors, rows) => {
    if (factors.length === 0) return rows === 1 ? [literal(1), literal(1)] : undefined;
    const at = factors.findIndex((F) => rowsOf(F) === 1);
    const one = full(literal(1), 1, 1);
    if (at > 0) return [chain(factors.slice(0, at)), transpose(chain(factors.slice(at)))];
    if (at === 0) return [one, transpose(chain(factors))];
    const A = chain(factors);
    if (colsOf(factors.at(-1)!) === 1) return [A, one];
    const sides = outer(known.numbers(A), A.rows, A.cols);
    return sides && [column(sides[0]), column(sides[1])];
  };
}

/** a_ij = u_i·v_j up to rounding, entry by entry */
function outer(a: Float64Array, rows: number, cols: number): [Float64Array, Float64Array] | undefined {
  const pivot = a.reduce((best, v, k) => (Math.abs(v) > Math.abs(a[best]!) ? k : best), 0);
  const [i, j] = [Math.floor(pivot / cols), pivot % cols];
  const u = Float64Array.from({ length: rows }, (_, k) => a[k * cols + j]!);
  const v = a.slice(i * cols, (i + 1) * cols).map((x) => (a[pivot] === 0 ? 0 : x / a[pivot]!));
  const is = a.every((x, k) => Math.abs(x - u[Math.floor(k / cols)]! * v[k % cols]!) <= ROUNDING * Math.abs(x));
  return is ? [u, v] : undefined;
}
