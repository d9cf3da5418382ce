/** `expen/engines`: the engines there are, what they do beside products, and sums over processes. */

export { sumOf, sumOverRanks } from "@expen/core";
export { availableEngines, type EngineName, type EngineOptions, engineNames } from "@expen/engines";
export { wasmEngine } from "@expen/engines/wasm";
export type { Chain, Factorizations, Instruction, Operator, Ranks } from "@expen/linalg";
export { sparseApply } from "@expen/linalg/arrays";
export { polar } from "@expen/linalg/dense";
export { type ChainOperations, chain, jsEngine, rowsOf, type Value } from "@expen/linalg/engine";
export { requireMemory } from "@expen/linalg/memory";
