/** `expen/tape`: f written as a formula, and its operations. */
export * from "../autodiff/index.js";
