/** The matrix tape: write f(X) with these operations, get value, gradient and Hessian-vector product. */
export { compile, type TapeObjective } from "./compile.js";
export { formula, type SymbolicPoint } from "./formula.js";
export { type Expr, TapeError } from "./graph.js";
export type { Item, SymbolicItem } from "./item.js";
export { type Arg, type Parameter, parameter, type SparseRows } from "./leaves.js";
export { diagOf as diag, diagOf } from "./operations/diagonal.js";
export {
  abs,
  atan,
  clip,
  cos,
  div,
  entrywise as hadamard,
  entrywise,
  exp,
  huber,
  log,
  logcosh,
  pow,
  relu,
  sigmoid,
  sin,
  smoothAbs,
  softplus,
  sqrt,
  square,
  tanh,
} from "./operations/elementwise.js";
export { add, neg, scale, sub, t } from "./operations/linear.js";
export { dot as inner, dot, identity, mul, trace } from "./operations/product.js";
export { colNorms, colSums, mean, norm, norm2, rowNorms, rowSums, sum } from "./operations/reduce.js";
export { logSumExp, rowLogSumExp, rowSoftmax, softmax } from "./operations/softmax.js";
export { inv, logdet, solve } from "./operations/square.js";
