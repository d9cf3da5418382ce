/** Sizes of entries: overflow, underflow and NaN are handled here, before an algorithm starts. */
import { EngineError } from "../errors.js";

/** max |a_ij| of a matrix with `cols` columns; NaN and infinity are an error that names the operation and the entry. */
export function maxAbs(a: Float64Array, cols: number, op: string): number {
  let m = 0;
  for (let i = 0; i < a.length; i++) {
    const t = Math.abs(a[i]!);
    if (!(t < Number.POSITIVE_INFINITY)) throw notFinite(a, cols, i, op);
    if (t > m) m = t;
  }
  return m;
}

function notFinite(a: Float64Array, cols: number, i: number, op: string): EngineError {
  const place = `row ${Math.floor(i / cols)}, column ${i % cols}`;
  return new EngineError(`${op}: the entry in ${place} is ${a[i]}; all entries must be finite numbers.`);
}

/** The power of two c with c·m ∈ [1, 2): multiplying by it is exact. 1 for m = 0. */
export function unitScale(m: number): number {
  if (m === 0) return 1;
  const exponent = Math.floor(Math.log2(m));
  return 2 ** -Math.min(1000, Math.max(-1000, exponent));
}
