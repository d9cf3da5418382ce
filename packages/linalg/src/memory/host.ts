/** The memory of the machine, and of the container. A build for browsers takes host-browser.ts in this place. */
import { isPermitted } from "../permissions.js";
import { type Available, memoryOfHost as memoryOfDevice } from "./host-browser.js";

export type { Available };

/** Where Linux keeps the limit of a container: cgroup v2, v1 */
const LIMIT_FILES = ["/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"];

export function memoryOfHost(): Available[] {
  // Node has it from 20.16 on
  const builtin: typeof process.getBuiltinModule | undefined = globalThis.process?.getBuiltinModule;
  if (!builtin || !isPermitted({ name: "sys", kind: "systemMemoryInfo" })) return memoryOfDevice();
  return ofProcess(builtin("node:os"), builtin("node:fs"));
}

/**
 * On Linux what can be had at once, and what this process has: of that it is not known how much is garbage, which is collected
 * when memory gets scarce. Elsewhere free memory leaves out what a cache would give back, so that all counts.
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

/** The limits in the files that exist and may be read; "max" is no limit. */
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
