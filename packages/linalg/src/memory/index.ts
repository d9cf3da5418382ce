export { availableMemory } from "./available.js";
export { dataPart, type Held, type Part, runParts, type RunShape } from "./need.js";
export { bytesNeeded, MemoryError, requireMemory, requireMemoryFor } from "./require.js";
