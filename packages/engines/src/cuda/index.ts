export { type CudaEngine, cudaEngineOn } from "./engine.js";
export { type Cuda, type FunctionName, libraries } from "./functions.js";
export { nativeCuda } from "./native.js";
