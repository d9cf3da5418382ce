export * from "../arrays/sparse.js";
