/** Constant matrices of rank one, u·vᵀ: as written, or detected by their entries */
import { EPS } from "@expen/linalg/arrays";
import { lift, literal } from "../leaves.js";
import { chain, colsOf, type Factor, factors, rowsOf, turned } from "../operations/product.js";
import type { Constants } from "./constants.js";

/** Relative difference of u_i·v_j and a_ij: three roundings here and one or two in a_ij itself */
const ROUNDING = 8 * EPS;

/** u and vᵀ of a product of constants with `rows` rows; undefined if its rank is not one */
export type Splitter = (product: readonly Factor[], rows: number) => readonly [u: Factor[], vT: Factor[]] | undefined;

export const splitter =
  ({ numbers }: Constants): Splitter =>
  (product, rows) => {
    const one = factors(literal(1));
    if (product.length === 0) return rows === 1 ? [one, one] : undefined;
    const at = product.findIndex((F) => rowsOf(F) === 1);
    if (at > 0) return [product.slice(0, at), product.slice(at)];
    if (at === 0) return [one, [...product]];
    if (colsOf(product.at(-1)!) === 1) return [[...product], one];
    const A = chain(product);
    const sides = outer(numbers(A), A.rows, A.cols)?.map((data) => lift("form", { rows: data.length, cols: 1, data }));
    return sides && [factors(sides[0]!), [turned(sides[1]!)]];
  };

/** a_ij = u_i·v_j up to rounding, entry by entry */
function outer(a: Float64Array, rows: number, cols: number): [Float64Array, Float64Array] | undefined {
  const pivot = a.reduce((best, v, k) => (Math.abs(v) > Math.abs(a[best]!) ? k : best), 0);
  const [i, j] = [Math.floor(pivot / cols), pivot % cols];
  const u = Float64Array.from({ length: rows }, (_, k) => a[k * cols + j]!);
  const v = a.slice(i * cols, (i + 1) * cols).map((x) => (a[pivot] === 0 ? 0 : x / a[pivot]!));
  const is = a.every((x, k) => Math.abs(x - u[Math.floor(k / cols)]! * v[k % cols]!) <= ROUNDING * Math.abs(x));
  return is ? [u, v] : undefined;
}
