/** `expen/engines`: the engines there are, what they do beside products, and sums over processes. */
export { sparseApply } from "../arrays/sparse.js";
export { type ChainOperations, chain, type Value } from "../engines/elementwise/chain.js";
export { jsEngine } from "../engines/js.js";
export { availableEngines, type EngineName, type EngineOptions, engineNames } from "../engines/open.js";
export { rowsOf } from "../engines/rows.js";
export { wasmEngine } from "../engines/wasm.js";
export { eigh } from "../linalg/eigh.js";
export { polar } from "../linalg/polar.js";
export { svd } from "../linalg/svd.js";
export { requireMemory } from "../memory/require.js";
export { sumOf, sumOverRanks } from "../objective/ranks.js";
export type { Chain, Factorizations, Instruction, Operator, Ranks } from "../types.js";
