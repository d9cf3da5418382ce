/** The `blas` engine: the machine's own BLAS and LAPACK (OpenBLAS, MKL, BLIS, Accelerate) through koffi, without copies. */
import type { Engine } from "../types.js";
import { blasLapack, doubles } from "./blas-lapack.js";
import { type BlasLibrary, openBlasLibrary } from "./blas-library.js";
import { EngineError, type Kernels, makeEngine } from "./engine.js";
import { spilling } from "./spill.js";

export interface BlasOptions {
  /** Path or name of the library; otherwise EXPEN_BLAS, otherwise the known names */
  library?: string;
  threads?: number;
}

const ROW_MAJOR = 101;
const NO_TRANSPOSE = 111;
const TRANSPOSE = 112;
const UPPER_TRIANGLE = 121;

/** The number of threads each library is set to now; it is one setting for all engines on that library. */
const current = new Map<string, number>();

export async function blasEngine({ library: named, threads = 1 }: BlasOptions = {}): Promise<Engine> {
  if (!Number.isInteger(threads) || threads < 1) {
    throw new EngineError(`blas: threads is ${threads}; it must be a whole number, 1 or more.`);
  }
  const library = await openBlasLibrary(named, threads);
  const { path, version, lapack, setThreads } = library;
  const use = (count: number): void => {
    if (!setThreads || current.get(path) === count) return;
    setThreads(count);
    current.set(path, count);
  };
  const { memory, kernels, description } = await spilling();
  const words = [
    version ? `${version} (${path})` : path,
    setThreads ? `${threads} thread${threads > 1 ? "s" : ""}` : "threads as the library decides",
    ...(lapack ? (lapack.path === path ? [] : [`LAPACK of ${lapack.path}`]) : ["no LAPACK"]),
    `elementwise: ${description}`,
  ];
  return makeEngine({
    name: "blas",
    description: words.join(", "),
    memory,
    kernels: Object.assign(
      kernels,
      products(library, { ...kernels }, () => use(threads)),
    ),
    ...(lapack && { lapack: blasLapack({ ...library, lapack }, use, threads) }),
  });
}

/**
 * A large A times a few columns: BLAS libraries pack the factor that they take for the second one as a whole, by way of main memory, and
 * pack the other block by block in cache. In row-major order A is taken for the second. Then (AB)ᵀ = BᵀAᵀ is computed, and transposed in
 * a pass over the result: 1.1 to 1.6 times faster where A does not fit in cache.
 */
const LARGE = 700;
const FEW = 64;

/** Up to this many multiplications m·n·k, crossing into native code (0.2 µs) costs more than it gains. */
const SMALL = 1000;

function products(
  { dgemm, dsyrk }: BlasLibrary,
  small: Kernels,
  useThreads: () => void,
): Pick<Kernels, "gemm" | "syrk"> {
  /** (AB)ᵀ, kept from call to call */
  let turned = new Float64Array(0);
  return {
    gemm(m, n, k, a, A, tA, B, tB, b, C) {
      if (m * n * k <= SMALL && A.at && B.at && C.at) {
        small.gemm(m, n, k, a, A, tA, B, tB, b, C);
        return;
      }
      const x = tA ? doubles(A, k, m, "gemm") : doubles(A, m, k, "gemm");
      const y = tB ? doubles(B, n, k, "gemm") : doubles(B, k, n, "gemm");
      const c = doubles(C, m, n, "gemm");
      useThreads();
      if (m >= LARGE && k >= LARGE && n > 1 && n <= FEW) {
        if (turned.length < m * n) turned = new Float64Array(m * n);
        dgemm(
          ROW_MAJOR, tB ? NO_TRANSPOSE : TRANSPOSE, tA ? NO_TRANSPOSE : TRANSPOSE, n, m, k,
          a, y, B.cols, x, A.cols, 0, turned, m,
        ); // biome-ignore format: the order of dgemm's arguments
        addTransposed(c, b, turned, m, n);
        return;
      }
      dgemm(
        ROW_MAJOR, tA ? TRANSPOSE : NO_TRANSPOSE, tB ? TRANSPOSE : NO_TRANSPOSE, m, n, k,
        a, x, A.cols, y, B.cols, b, c, n,
      ); // biome-ignore format: the order of dgemm's arguments
    },

    syrk(n, p, A, S) {
      if (n * p * p <= SMALL && A.at && S.at) {
        small.syrk(n, p, A, S);
        return;
      }
      const [x, s] = [doubles(A, n, p, "syrk"), doubles(S, p, p, "syrk")];
      useThreads();
      // dgemm has kernels for small products that dsyrk has not
      if (n * p * p <= 1e6) dgemm(ROW_MAJOR, TRANSPOSE, NO_TRANSPOSE, p, p, n, 1, x, p, x, p, 0, s, p);
      else dsyrk(ROW_MAJOR, UPPER_TRIANGLE, TRANSPOSE, p, n, 1, x, p, 0, s, p);
      for (let i = 1; i < p; i++) for (let j = 0; j < i; j++) s[i * p + j] = s[j * p + i]!;
    },
  };
}

/** C ← Zᵀ + b·C, C m×n; C is not read where b is 0 */
function addTransposed(C: Float64Array, b: number, Z: Float64Array, m: number, n: number): void {
  for (let i = 0, at = 0; i < m; i++) {
    for (let z = i; z < m * n; z += m, at++) C[at] = b === 0 ? Z[z]! : b * C[at]! + Z[z]!;
  }
}
