/** Finds a BLAS on this machine and declares its functions. koffi is imported by the first search. */

import { EngineError } from "@expen/linalg";
import { type Koffi, type KoffiLibrary, loadKoffi, type Native } from "../koffi.js";
import { isBlasHidden, libraryOfUser } from "./blas-variable.js";
import { loadForProcessor } from "./kernels.js";
import { type PageAdviser, pageAdviser } from "./pages.js";
import { chooseMklLayers, optional, type Shared, threadSetter } from "./threads.js";

/** C types by letter; a signature has the letter of the result and those of the arguments. */
const TYPES: Record<string, string> = {
  v: "void",
  i: "int",
  d: "double",
  I: "int *",
  D: "double *",
  C: "uint8_t *",
  s: "size_t",
};
const signature = (letters: string): string[] => [...letters.replaceAll(" ", "")].map((letter) => TYPES[letter]!);

const CBLAS = {
  dgemm: "v iiiiii dDiDi dDi",
  dsyrk: "v iiiii dDi dDi",
  ddot: "d iDiDi",
  dsymv: "v iii dDiDi dDi",
  dtrsm: "v iiiiiii dDiDi",
};
/** The last arguments (s) are Fortran's hidden lengths of the character arguments. */
const LAPACK = {
  dsyevd: "v CCIDIDDIIII ss",
  dsytrd: "v CIDIDDDDII s",
  dsterf: "v IDDI",
  dstein: "v IDDIDIIDIDIII",
  dstemr: "v CCIDDDDIIIDDIIIIDIIII ss",
  dormtr: "v CCCIIDIDDIDII sss",
  dgesdd: "v CIIDIDDIDIDIII s",
  dpotrf: "v CIDII s",
  dsygst: "v ICIDIDII s",
  dgesv: "v IIDIIDII",
};

/** The functions of a library. Arrays are passed unchecked: callers check type and length before each call. */
export interface BlasLibrary extends Record<keyof typeof CBLAS, Native> {
  readonly path: string;
  /** name and version as the library gives them, or "" */
  readonly version: string;
  /** of this library or of the one at `path`; absent if neither has LAPACK */
  lapack?: { path: string } & Record<keyof typeof LAPACK, Native>;
  /** absent if the library has no such function */
  setThreads?: (count: number) => void;
  /** requests large pages; absent on systems without them */
  advisePages?: PageAdviser;
}

const ACCELERATE = "/System/Library/Frameworks/Accelerate.framework/Accelerate";

/** The names to try where the user names no library, the fastest first */
export function knownLibraries(platform: string): string[] {
  if (platform === "darwin") {
    return [
      ACCELERATE,
      "/opt/homebrew/opt/openblas/lib/libopenblas.dylib",
      "/usr/local/opt/openblas/lib/libopenblas.dylib",
    ];
  }
  if (platform === "win32") return ["libopenblas.dll", "mkl_rt.3.dll", "mkl_rt.2.dll"];
  const mkl = ["libmkl_rt.so.3", "libmkl_rt.so.2", "libmkl_rt.so"];
  return ["libopenblas.so.0", "libopenblas.so", ...mkl, "libblis.so.4", "libblas.so.3"];
}

/**
 * The libraries of this process by threads and path: koffi keeps what is declared until the process ends, and a loop over `minimize` opens
 * an engine for every run.
 */
const libraries = new WeakMap<Koffi, Map<string, BlasLibrary>>();
function librariesOf(koffi: Koffi): Map<string, BlasLibrary> {
  const known = libraries.get(koffi) ?? new Map<string, BlasLibrary>();
  libraries.set(koffi, known);
  return known;
}

/** Opens the library `name`, else that of EXPEN_BLAS, else the first of `knownLibraries` that loads. */
export async function openBlasLibrary(name: string | undefined, threads: number): Promise<BlasLibrary> {
  if (name === undefined && isBlasHidden()) {
    throw new EngineError("blas: hidden by EXPEN_BLAS=none; unset EXPEN_BLAS to take the BLAS of this machine.");
  }
  const koffi = await loadKoffi("blas");
  const path = name ?? libraryOfUser();
  const { platform } = process;
  const declared = (path: string): BlasLibrary => {
    const known = librariesOf(koffi);
    // MKL takes other layers for one thread than for several
    const key = `${threads} ${path}`;
    if (!known.has(key)) known.set(key, declare(koffi, path, threads, platform));
    return known.get(key)!;
  };
  if (path !== undefined) return declared(path);
  const failures: string[] = [];
  for (const name of knownLibraries(platform)) {
    try {
      return declared(name);
    } catch (error) {
      failures.push((error as Error).message);
    }
  }
  const names = knownLibraries(platform).join(", ");
  // the error of a library that loads but cannot be used tells more than that none was found
  const unfit = failures.find((text) => !text.includes("could not be loaded"));
  throw new EngineError(
    unfit ??
      `blas: none of ${names} is on this machine; install one (see "expen doctor") or set EXPEN_BLAS to its path.`,
  );
}

function load(koffi: Koffi, path: string): Shared {
  let library: KoffiLibrary;
  try {
    library = loadForProcessor(koffi, path);
  } catch (error) {
    const reason = (error as Error).message.replace(/^Failed to load shared library: /, "");
    throw new EngineError(`blas: '${path}' could not be loaded (${reason}); name a BLAS library in EXPEN_BLAS.`);
  }
  return {
    path,
    func(name, result, args) {
      try {
        return library.func(name, result, args);
      } catch {
        throw new EngineError(`blas: '${path}' has no symbol ${name}; name a BLAS library with CBLAS in EXPEN_BLAS.`);
      }
    },
  };
}

const declareAll = <Name extends string>(
  library: Shared,
  table: Record<Name, string>,
  symbol: (name: string) => string,
): Record<Name, Native> => {
  const functions = Object.entries<string>(table).map(([name, letters]) => {
    const [result, ...args] = signature(letters);
    return [name, library.func(symbol(name), result!, args)];
  });
  return Object.fromEntries(functions) as Record<Name, Native>;
};

function declare(koffi: Koffi, path: string, threads: number, platform: string): BlasLibrary {
  // Accelerate reads its number of threads from this variable, once
  if (path.includes("Accelerate.framework")) process.env.VECLIB_MAXIMUM_THREADS ??= String(threads);
  const library = load(koffi, path);
  chooseMklLayers(library, threads, (name) => optional(() => koffi.load(name, { global: true })) !== undefined);
  refuseWideIntegers(library);
  const lapack = declareLapack(library) ?? separateLapack(koffi);
  const setThreads = threadSetter(library);
  const advisePages = pageAdviser(library, platform);
  return {
    path,
    version: versionOf(library),
    ...declareAll(library, CBLAS, (name) => `cblas_${name}`),
    lapack,
    setThreads,
    advisePages,
  };
}

function declareLapack(library: Shared): BlasLibrary["lapack"] | undefined {
  return optional(() => ({ path: library.path, ...declareAll(library, LAPACK, (name) => `${name}_`) }));
}

/** liblapack may load another BLAS with a number of threads of its own; one thread is best for p×p matrices. */
function separateLapack(koffi: Koffi): BlasLibrary["lapack"] | undefined {
  return optional(() => {
    const library = load(koffi, "liblapack.so.3");
    threadSetter(library)?.(1);
    return declareLapack(library);
  });
}

function versionOf(library: Shared): string {
  const ask = (name: string): string | undefined =>
    optional(() =>
      String(library.func(name, "const char *", [])())
        .trim()
        .replace(/\s+/g, " "),
    );
  const openblas = ask("openblas_get_config");
  if (openblas) return openblas;
  const blis = ask("bli_info_get_version_str");
  if (blis) return `BLIS ${blis}`;
  const mkl = optional(() => {
    const text = new Uint8Array(200);
    library.func("MKL_Get_Version_String", "void", signature("C i"))(text, text.length);
    return new TextDecoder().decode(text.subarray(0, Math.max(0, text.indexOf(0)))).trim();
  });
  return mkl?.replace(/ for .*$/, "") ?? "";
}

/**
 * Refuses builds with 64-bit integers, which have the suffix 64_ or the names of 32-bit builds. The test for the latter is
 * dscal_(n, a, x, 1) with n = 2 in the low and −1 in the high half: a 32-bit build reads 2, a 64-bit build a negative n and does nothing.
 */
function refuseWideIntegers(library: Shared): void {
  const wide = `blas: '${library.path}' is built with 64-bit integers (ILP64); name an LP64 build in EXPEN_BLAS.`;
  for (const name of ["cblas_dgemm64_", "cblas_dgemm_64"]) {
    if (optional(() => library.func(name, "void", [])) && !optional(() => library.func("cblas_dgemm", "void", []))) {
      throw new EngineError(wide);
    }
  }
  library.func("cblas_dgemm", "void", []);
  const x = Float64Array.of(1, 1);
  library.func("dscal_", "void", signature("IDDI"))(Int32Array.of(2, -1), Float64Array.of(3), x, Int32Array.of(1, 0));
  if (x[0] !== 3 || x[1] !== 3) throw new EngineError(wide);
}
