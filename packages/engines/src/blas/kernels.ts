/**
 * Which kernels OpenBLAS runs. Of a processor that is younger than the library it knows nothing, and takes its oldest kernels, those of
 * Prescott (2004), which are several times slower than others that it has (0.3.21, as in Debian 12, on Intel's of 2023;
 * `OPENBLAS_CORETYPE=Prescott npx expen doctor` shows how much). It can be told better, but reads that once, when it is loaded.
 */
import { environment } from "@expen/linalg";
import type { Koffi, KoffiLibrary } from "../koffi.js";
import { optional } from "./threads.js";

const UNKNOWN = "Prescott";
/** What OpenBLAS reads, and names of kernels that it has known for long with what these need, the fastest first */
const VARIABLE = "OPENBLAS_CORETYPE";
const KERNELS = [
  ["SkylakeX", ["avx512f", "avx512bw", "avx512dq", "avx512vl"]],
  ["Haswell", ["avx2", "fma"]],
] as const;

/** The kernels for a processor with these flags, as Linux lists them */
export const kernelsFor = (flags: ReadonlySet<string>): string | undefined =>
  KERNELS.find(([, needed]) => needed.every((flag) => flags.has(flag)))?.[0];

/** The library at `path`; one that has not known the processor is loaded again and told. The variable stays as it was, for other ones. */
export function loadForProcessor(koffi: Koffi, path: string, flags = processorFlags): KoffiLibrary {
  const library = koffi.load(path);
  const core = optional(() => library.func("openblas_get_corename", "const char *", [])());
  const kernels = core === UNKNOWN ? kernelsFor(flags()) : undefined;
  if (!kernels || environment[VARIABLE]) return library;
  // of the C library: a worker's process.env is a copy
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

/** None where the system does not say */
function processorFlags(): ReadonlySet<string> {
  // browsers have none
  const builtin: typeof process.getBuiltinModule | undefined = globalThis.process?.getBuiltinModule;
  const text = optional(() => builtin!("node:fs").readFileSync("/proc/cpuinfo", "utf8"));
  return new Set(
    text
      ?.match(/^flags\s*:(.*)$/m)?.[1]
      ?.trim()
      .split(" "),
  );
}
