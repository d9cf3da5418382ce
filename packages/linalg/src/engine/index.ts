export { alone, smallAlone, tallAlone } from "./alone.js";
export { checks, shape } from "./checks.js";
export {
  type ChainBuilder,
  type ChainOperations,
  chain,
  chainBuilder,
  entrywiseProduct,
  isSame,
  LONGEST_POWER,
  type Value,
} from "./elementwise/chain.js";
export { codeOf, logcosh, operations, sigmoid, softplus } from "./elementwise/operations.js";
export { derivatives, MOST_INSTRUCTIONS, MOST_SLOTS, type Place, planOf, type Step, TILE } from "./elementwise/plan.js";
export { makeEngine } from "./engine.js";
export { heapMemory, hostNumbers, jsEngine, jsKernels } from "./js.js";
export type { Kernels, Kind, Memory, Owned } from "./kernels.js";
export { type KindlessEngine, type KindlessOperator, kindless } from "./kindless.js";
export type { Lapack } from "./lapack.js";
export { onEngine } from "./on-engine.js";
export { isTridiagonal } from "./operators/host.js";
export { isOf, numbersOf, smallOf, tallOf } from "./own-matrix.js";
export { copyOfRows, rowsOf } from "./rows.js";
