/** `expen/data`: files of matrices and molecules, and arrays of other libraries. */
export { asMatrix } from "../data/array-like.js";
export { readCsv } from "../data/csv.js";
export * from "../data/load.js";
export { DataError } from "../data/loaded.js";
export { readNpy } from "../data/npy.js";
