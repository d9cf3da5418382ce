export { availableMemory } from "./available.js";
export { dataPart, type Held, type Part, type RunShape, runParts } from "./need.js";
export { bytesNeeded, MemoryError, requireMemory, requireMemoryFor } from "./require.js";
