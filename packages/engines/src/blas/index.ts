export { isBlasHidden, libraryOfUser } from "./blas-variable.js";
export { type BlasOptions, blasEngine } from "./engine.js";
