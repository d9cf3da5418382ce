export { availableMemory } from "./available.js";
export { bytesNeeded, dataPart, type Held, type Part, type RunShape, runParts, runPartsOn } from "./need.js";
export { MemoryError, requireMemory, requireMemoryFor } from "./require.js";
