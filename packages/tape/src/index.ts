/** The matrix tape: write f(X) with these operations, get value, gradient and Hessian-vector product. */
export { compile, type TapeObjective } from "./compile.js";
export { formula, type SymbolicPoint } from "./formula.js";
export { type Expr, TapeError } from "./graph.js";
export type { Item, SymbolicItem } from "./item.js";
export { type Arg, type Parameter, parameter, type SparseRows } from "./leaves.js";
export { atan2, mask, max, min, where } from "./operations/choice.js";
export {
  abs,
  add,
  block,
  type ComplexArg,
  type ComplexExpr,
  col,
  colSums,
  cols,
  complex,
  conj,
  diag,
  diag as diagOf,
  entry,
  entrywise,
  entrywise as hadamard,
  H,
  hstack,
  im,
  inner,
  inner as dot,
  inv,
  kron,
  logdet,
  mean,
  mul,
  neg,
  norm,
  norm2,
  re,
  reshape,
  row,
  rowSums,
  rows,
  scale,
  solve,
  sub,
  sum,
  t,
  trace,
  vec,
  vstack,
} from "./operations/complex.js";
export {
  acos,
  asin,
  atan,
  clip,
  cos,
  div,
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
export { expm, logm, sqrtm } from "./operations/matrix-functions.js";
export { type OwnOperation, operation } from "./operations/own.js";
export { identity } from "./operations/product.js";
export { colNorms, rowNorms } from "./operations/reduce.js";
export { blocks } from "./operations/selection.js";
export { logSumExp, rowLogSumExp, rowSoftmax, softmax } from "./operations/softmax.js";
