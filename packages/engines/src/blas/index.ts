export { isBlasHidden, libraryOfUser } from "./blas-variable.js";
export { blasEngine, type BlasOptions } from "./engine.js";
