/** `expen/engines`: the engines there are, what they do beside products, and sums over processes. */
export { sparseApply } from "@expen/linalg/arrays";
export { type ChainOperations, chain, type Value } from "@expen/linalg/engine";
export { jsEngine } from "@expen/linalg/engine";
export { availableEngines, type EngineName, type EngineOptions, engineNames } from "@expen/engines";
export { rowsOf } from "@expen/linalg/engine";
export { wasmEngine } from "@expen/engines/wasm";
export { eigh } from "@expen/linalg/dense";
export { polar } from "@expen/linalg/dense";
export { svd } from "@expen/linalg/dense";
export { requireMemory } from "@expen/linalg/memory";
export { sumOf, sumOverRanks } from "@expen/core";
export type { Chain, Factorizations, Instruction, Operator, Ranks } from "@expen/linalg";
