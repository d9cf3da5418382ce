/** Memory available to a run: of the machine, the container, a WebAssembly memory, or the device of a browser. */

import type { Engine } from "../contracts/engine.js";
import { environment } from "../environment.js";
import { type Available, memoryOfHost } from "./host.js";

export type { Available } from "./host.js";

/** 4 GiB: WebAssembly has 32-bit addresses. */
const WEBASSEMBLY: Available = { bytes: 2 ** 32, text: "a WebAssembly memory has *" };

const UNKNOWN: Available = { bytes: Number.POSITIVE_INFINITY, text: "there is *" };

/** The memory of the process: the smallest known limit, infinite if none is known. EXPEN_MEMORY, in GB, replaces it. */
export function availableMemory(): Available {
  const set = Number(environment.EXPEN_MEMORY || Number.NaN);
  if (set >= 0) return { bytes: 1e9 * set, text: "EXPEN_MEMORY allows *" };
  return memoryOfHost().reduce((least, a) => (a.bytes < least.bytes ? a : least), UNKNOWN);
}

/** The memory of the engine alone */
export function engineMemory(engine: Pick<Engine, "name" | "ranks" | "device"> | undefined): Available {
  if (engine?.device) return { bytes: engine.device.capacity, text: "the device has * free" };
  return (engine?.ranks?.inner ?? engine?.name) === "wasm" ? WEBASSEMBLY : UNKNOWN;
}
