/** The memory that a run may take: of the machine, of the container, of a WebAssembly memory, of a browser's device. */
import type { Engine } from "../types.js";

export interface Available {
  readonly bytes: number;
  /** with a star where the number belongs */
  readonly text: string;
}

/** The addresses of WebAssembly have 32 bits. */
const WEBASSEMBLY: Available = { bytes: 2 ** 32, text: "a WebAssembly memory has *" };
/** Where Linux keeps the limit of a container: cgroup v2, v1 */
const LIMIT_FILES = ["/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"];

const UNKNOWN: Available = { bytes: Number.POSITIVE_INFINITY, text: "there is *" };

/** Of the process: the least of all that is known, infinite where nothing is. EXPEN_MEMORY, in GB, takes the place of what is found. */
export function availableMemory(): Available {
  const set = Number(globalThis.process?.env?.EXPEN_MEMORY || Number.NaN);
  if (set >= 0) return { bytes: 1e9 * set, text: "EXPEN_MEMORY allows *" };
  // browsers have none
  const builtin: typeof process.getBuiltinModule | undefined = globalThis.process?.getBuiltinModule;
  const known = builtin ? ofProcess(builtin("node:os"), builtin("node:fs")) : ofDevice();
  return known.reduce((least, a) => (a.bytes < least.bytes ? a : least), UNKNOWN);
}

/** Of the engine, whatever the machine has */
export function engineMemory(engine: Pick<Engine, "name" | "ranks" | "capacity"> | undefined): Available {
  if (engine?.capacity !== undefined) return { bytes: engine.capacity, text: "the device has * free" };
  return (engine?.ranks?.inner ?? engine?.name) === "wasm" ? WEBASSEMBLY : UNKNOWN;
}

/**
 * On Linux what can be had at once, and what this process has: of that nobody knows how much is garbage, which is collected
 * when memory gets scarce. Elsewhere free memory leaves out what a cache would give back, so that all counts.
 */
function ofProcess(os: typeof import("node:os"), fs: typeof import("node:fs")): Available[] {
  const total = os.totalmem();
  const free = process.platform === "linux" ? Math.min(total, os.freemem() + process.memoryUsage.rss()) : total;
  const limits = [process.constrainedMemory(), ...containerLimits((file) => fs.readFileSync(file, "utf8"))];
  return [
    { bytes: free, text: free < total ? "this machine has * free" : "this machine has *" },
    // without a limit the system says 0 or a number near 2^63
    ...limits.filter((l) => l > 0 && l < total).map((bytes) => ({ bytes, text: "this process is limited to *" })),
  ];
}

/** What the files say that are there; "max" is no limit. */
export function containerLimits(read: (file: string) => string): number[] {
  return LIMIT_FILES.flatMap((file) => {
    try {
      const limit = Number(read(file));
      return Number.isNaN(limit) ? [] : [limit];
    } catch {
      return [];
    }
  });
}

/** Browsers say 0.25, 0.5, 1, … 8 GiB, and 8 for all that have more, or nothing. */
function ofDevice(): Available[] {
  const gib = (globalThis.navigator as { deviceMemory?: number } | undefined)?.deviceMemory;
  return gib && gib < 8 ? [{ bytes: gib * 2 ** 30, text: "this device has about *" }] : [];
}
