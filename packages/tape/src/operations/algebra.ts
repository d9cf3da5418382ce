/**
 * Simplifications are mutually recursive: a multiple of a scalar is a product, a trace of a product is a sum of a diagonal. Files import
 * downwards only, linear ← elementwise ← product ← reduce ← diagonal; functions of later files are called through this object, into
 * which those files put them when they are loaded.
 */
import type { Node } from "../graph.js";

export type Elementary =
  | "exp"
  | "log"
  | "sqrt"
  | "sin"
  | "cos"
  | "tanh"
  | "asin"
  | "acos"
  | "atan"
  | "sigmoid"
  | "softplus"
  | "logcosh"
  | "abs"
  | "sign"
  | "relu"
  | "step"
  | "clip"
  | "inside"
  | "huber"
  | "pow"
  | "quadratic";

interface Algebra {
  /** a·b for scalars */
  times(a: Node, b: Node): Node;
  /** a function in every entry */
  apply(name: Elementary, A: Node, ...constants: number[]): Node;
  /** A∘B */
  hadamard(A: Node, B: Node): Node;
  /** ⟨A, B⟩ */
  inner(A: Node, B: Node): Node;
  /** Σ_ij A_ij */
  total(A: Node): Node;
  /** whether no entry is negative because the node is built of squares */
  isSquares(A: Node): boolean;
  /** v·1ᵀ for a column v, and 1·vᵀ for a row */
  repeatColumns(v: Node, cols: number): Node;
  repeatRows(v: Node, rows: number): Node;
  /** (A₁₁, …, A_nn)ᵀ */
  diagonal(A: Node): Node;
}

export const algebra = {} as Algebra;
