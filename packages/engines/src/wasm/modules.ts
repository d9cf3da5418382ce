/** The compiled kernels. Each variant is imported by itself. */
import { EngineError } from "@expen/linalg";
import { bytesOf } from "./base64.js";
import { hasRelaxedSimd, hasSimd } from "./features.js";

/** The functions of assembly/. Matrices are addresses in bytes; sizes and strides count numbers. */
export interface Exports {
  gemm(
    m: number,
    n: number,
    k: number,
    a: number,
    A: number,
    lda: number,
    tA: number,
    B: number,
    ldb: number,
    tB: number,
    b: number,
    C: number,
    ldc: number,
    scratch: number,
  ): void;
  gramUpper(first: number, end: number, n: number, p: number, A: number, b: number, S: number, scratch: number): void;
  mirror(p: number, S: number): void;
  scratchBytes(): number;
  multiplyAdd(a: number, b: number, c: number): number;
  dot(size: number, x: number, y: number): number;
  copy(size: number, x: number, y: number): void;
  fill(size: number, a: number, y: number): void;
  axpby(size: number, a: number, x: number, b: number, y: number): void;
  combine(size: number, a: number, x: number, b: number, y: number, z: number): void;
  /** r_i ← ⟨x_i, y⟩ */
  dots2(size: number, x0: number, x1: number, y: number, r: number): void;
  dots4(size: number, x0: number, x1: number, x2: number, x3: number, y: number, r: number): void;
  /** z ← Σ c_i·x_i, the coefficients at c */
  combine3(size: number, c: number, x0: number, x1: number, x2: number, z: number): void;
  combine4(size: number, c: number, x0: number, x1: number, x2: number, x3: number, z: number): void;
  /** a program on the numbers first … end − 1 of its matrices; scratch: tiles at `slots`, pairs at `single` */
  map(first: number, end: number, program: number, slots: number, single: number): number;
  symmetrize(p: number, S: number): void;
  addDiagonal(p: number, a: number, S: number): void;
  rowDots(n: number, p: number, X: number, Y: number, r: number): void;
  scaleRows(n: number, p: number, a: number, r: number, X: number, b: number, Y: number): void;
  sparse(
    n: number,
    p: number,
    a: number,
    pointers: number,
    indices: number,
    values: number,
    X: number,
    b: number,
    Y: number,
  ): void;
  tridiagonal(
    first: number,
    end: number,
    n: number,
    p: number,
    a: number,
    lower: number,
    main: number,
    upper: number,
    X: number,
    b: number,
    Y: number,
  ): void;
  tridiagonalSolve(
    n: number,
    p: number,
    cols: number,
    lower: number,
    pivot: number,
    upper: number,
    X: number,
    Y: number,
  ): void;
}

const binaries = {
  simd: () => import("./simd.generated.js"),
  relaxed: () => import("./relaxed.generated.js"),
  "simd-shared": () => import("./simd-shared.generated.js"),
  "relaxed-shared": () => import("./relaxed-shared.generated.js"),
};

type Variant = keyof typeof binaries;

/** One module of each variant for all engines, so that its optimized code is compiled once. */
const compiled = new Map<Variant, Promise<WebAssembly.Module>>();

/** Compiles the fastest variant of the host; `wantsRelaxed`: as in `WasmOptions.relaxed`. */
export async function compileKernels(
  wantsRelaxed: boolean | undefined,
  shared: boolean,
): Promise<{ module: WebAssembly.Module; relaxed: boolean }> {
  if (!hasSimd()) {
    throw new EngineError("wasm: this host has no WebAssembly SIMD; use the js engine, or a newer Node or browser.");
  }
  const relaxed = wantsRelaxed !== false && hasRelaxedSimd();
  if (wantsRelaxed && !relaxed) {
    throw new EngineError("wasm: relaxed is true but this host has no relaxed SIMD; leave the option out.");
  }
  const variant: Variant = `${relaxed ? "relaxed" : "simd"}${shared ? "-shared" : ""}`;
  let module = compiled.get(variant);
  if (!module) {
    module = compile(variant);
    compiled.set(variant, module);
    module.catch(() => compiled.delete(variant));
  }
  return { module: await module, relaxed };
}

async function compile(variant: Variant): Promise<WebAssembly.Module> {
  const { default: base64 } = await binaries[variant]();
  try {
    return await WebAssembly.compile(bytesOf(base64));
  } catch (error) {
    throw new EngineError(
      `wasm: this host does not compile WebAssembly (${(error as Error).message}); ` +
        "allow 'wasm-unsafe-eval' in the page's Content-Security-Policy, or use the js engine.",
    );
  }
}

export function instantiate(module: WebAssembly.Module, memory: WebAssembly.Memory): Exports {
  return new WebAssembly.Instance(module, { env: { memory }, Math: Math as unknown as WebAssembly.ModuleImports })
    .exports as unknown as Exports;
}
