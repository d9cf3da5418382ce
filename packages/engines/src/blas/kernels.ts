/**
 * The kernels of OpenBLAS. On a processor that it does not know it runs its oldest ones, those of Prescott (2004), which are several times
 * slower than others that it has (version 0.3.21 of Debian 12 on Intel processors of 2023; `OPENBLAS_CORETYPE=Prescott npx expen doctor`
 * measures the factor). An environment variable selects others, but OpenBLAS reads it only when it is loaded.
 */
import { environment } from "@expen/linalg";
import type { Koffi, KoffiLibrary } from "../koffi.js";
import { optional } from "./threads.js";

/** The kernels for processors that OpenBLAS does not know */
const OLDEST = "Prescott";
const VARIABLE = "OPENBLAS_CORETYPE";
/** Kernels that OpenBLAS has had for many years, and the flags of the processor that they need, the fastest first */
const KERNELS = [
  ["SkylakeX", ["avx512f", "avx512bw", "avx512dq", "avx512vl"]],
  ["Haswell", ["avx2", "fma"]],
] as const;

/** The fastest kernels for a processor with these flags, spelled as in /proc/cpuinfo */
export const kernelsFor = (flags: ReadonlySet<string>): string | undefined =>
  KERNELS.find(([, needed]) => needed.every((flag) => flags.has(flag)))?.[0];

/** Loads the library at `path`; if it is an OpenBLAS with its oldest kernels, again with faster ones. The variable is then unset again. */
export function loadForProcessor(
  koffi: Koffi,
  path: string,
  flags: () => ReadonlySet<string> = processorFlags,
): KoffiLibrary {
  const library = koffi.load(path);
  const core = optional(() => library.func("openblas_get_corename", "const char *", [])());
  const kernels = core === OLDEST ? kernelsFor(flags()) : undefined;
  if (!kernels || environment[VARIABLE]) return library;
  // setenv of the C library, as process.env of a worker is a copy
  const system = koffi.load(null);
  const set = system.func("setenv", "int", ["const char *", "const char *", "int"]);
  const unset = system.func("unsetenv", "int", ["const char *"]);
  library.unload();
  set(VARIABLE, kernels, 1);
  try {
    return koffi.load(path);
  } finally {
    unset(VARIABLE);
  }
}

/** The flags of /proc/cpuinfo; none on other systems */
function processorFlags(): ReadonlySet<string> {
  // undefined in browsers
  const builtin: typeof process.getBuiltinModule | undefined = globalThis.process?.getBuiltinModule;
  const text = optional(() => builtin!("node:fs").readFileSync("/proc/cpuinfo", "utf8"));
  return new Set(
    text
      ?.match(/^flags\s*:(.*)$/m)?.[1]
      ?.trim()
      .split(" "),
  );
}
