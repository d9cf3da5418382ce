/** The memory that a run may take: of the machine, of the container, of a WebAssembly memory, of a browser's device. */

import type { Engine } from "../contracts/engine.js";
import { environment } from "../environment.js";
import { type Available, memoryOfHost } from "./host.js";

export type { Available } from "./host.js";

/** The addresses of WebAssembly have 32 bits. */
const WEBASSEMBLY: Available = { bytes: 2 ** 32, text: "a WebAssembly memory has *" };

const UNKNOWN: Available = { bytes: Number.POSITIVE_INFINITY, text: "there is *" };

/** Of the process: the least of all that is known, infinite where nothing is. EXPEN_MEMORY, in GB, takes the place of what is found. */
export function availableMemory(): Available {
  const set = Number(environment.EXPEN_MEMORY || Number.NaN);
  if (set >= 0) return { bytes: 1e9 * set, text: "EXPEN_MEMORY allows *" };
  return memoryOfHost().reduce((least, a) => (a.bytes < least.bytes ? a : least), UNKNOWN);
}

/** Of the engine, whatever the machine has */
export function engineMemory(engine: Pick<Engine, "name" | "ranks" | "device"> | undefined): Available {
  if (engine?.device) return { bytes: engine.device.capacity, text: "the device has * free" };
  return (engine?.ranks?.inner ?? engine?.name) === "wasm" ? WEBASSEMBLY : UNKNOWN;
}
