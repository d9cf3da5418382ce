/** The kernels of the wasm engine. Addresses are bytes in the imported memory; callers check the sizes. */
import { madd } from "./lanes";

export { axpby, combine, copy, dot, fill } from "./elementwise";
export { gemm, scratchBytes, gramUpper } from "./gemm";
export { map } from "./map";
export { rowDots, scaleRows } from "./rows";
export { combine3, combine4, dots2, dots4 } from "./several";
export { sparse } from "./sparse";
export { addDiagonal, mirror, symmetrize } from "./square";
export { tridiagonal, tridiagonalSolve } from "./tridiagonal";

/** a·b + c as this build computes it on this host; tests see from it whether multiply-add is fused. */
export function multiplyAdd(a: f64, b: f64, c: f64): f64 {
  return f64x2.extract_lane(madd(f64x2.splat(a), f64x2.splat(b), f64x2.splat(c)), 0);
}
