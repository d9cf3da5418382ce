/** The memory of the machine and of the container. The build for browsers replaces this file by host-browser.ts. */
import { isPermitted } from "../permissions.js";
import { type Available, memoryOfHost as memoryOfDevice } from "./host-browser.js";

export type { Available };

/** Files with the limit of a Linux container: cgroup v2, v1 */
const LIMIT_FILES = ["/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"];

export function memoryOfHost(): Available[] {
  // Node has it from 20.16 on
  const builtin: typeof process.getBuiltinModule | undefined = globalThis.process?.getBuiltinModule;
  if (!builtin || !isPermitted({ name: "sys", kind: "systemMemoryInfo" })) return memoryOfDevice();
  return ofProcess(builtin("node:os"), builtin("node:fs"));
}

/**
 * On Linux: available memory plus the resident set of this process, since an unknown part of it is garbage that is collected when memory
 * gets scarce. Elsewhere: all memory, since free memory leaves out caches that the system would release.
 */
function ofProcess(os: typeof import("node:os"), fs: typeof import("node:fs")): Available[] {
  const total = os.totalmem();
  const free = process.platform === "linux" ? Math.min(total, os.freemem() + process.memoryUsage().rss) : total;
  const limits = [process.constrainedMemory?.() ?? 0, ...containerLimits((file) => fs.readFileSync(file, "utf8"))];
  return [
    { bytes: free, text: free < total ? "this machine has * free" : "this machine has *" },
    // without a limit the system gives 0 or a number near 2^63
    ...limits.filter((l) => l > 0 && l < total).map((bytes) => ({ bytes, text: "this process is limited to *" })),
  ];
}

/** The limits in those files that can be read; "max" is no limit. */
export function containerLimits(read: (file: string) => string): number[] {
  return LIMIT_FILES.filter((path) => isPermitted({ name: "read", path })).flatMap((file) => {
    try {
      const limit = Number(read(file));
      return Number.isNaN(limit) ? [] : [limit];
    } catch {
      return [];
    }
  });
}
