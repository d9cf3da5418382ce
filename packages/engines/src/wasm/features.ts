/** Features of WebAssembly on this host; each test validates the smallest module that uses the feature. */

/** Whether a module of one function () → v128 with this body is valid */
function accepts(...body: number[]): boolean {
  if (typeof WebAssembly === "undefined") return false;
  const code = [1, body.length + 2, 0, ...body, 11];
  const bytes = [0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, code.length, ...code];
  return WebAssembly.validate(Uint8Array.from(bytes));
}

/** i32.const 0, i8x16.splat */
const VECTOR = [65, 0, 253, 15];

export const hasSimd = (): boolean => accepts(...VECTOR);

/** f64x2.relaxed_madd; Node 20 needs the flag --experimental-wasm-relaxed-simd, which only the user sets. */
export const hasRelaxedSimd = (): boolean => accepts(...VECTOR, ...VECTOR, ...VECTOR, 253, 135, 2);
