export { EPS, gamma, sumError, UNIT_ROUNDOFF } from "../rounding.js";
export { type BlockPolar, blockPolar } from "./block-polar.js";
export { choleskyInPlace } from "./cholesky.js";
export { geometricMean } from "./geometric-mean.js";
export { householder } from "./householder.js";
export { qlSolver } from "./implicit-ql.js";
export {
  determinantSign,
  type Elimination,
  luDeterminant,
  luFactor,
  luIsSingular,
  luSolve,
  solveInPlace,
} from "./lu.js";
export { nuclearNorm } from "./nuclear-norm.js";
export { maxAbs, unitScale } from "./scale.js";
export {
  isSparse,
  sparseApply,
  sparseFromTriplets,
  sparseIsSorted,
  sparseIsSymmetric,
  sparseSymmetricPart,
  sparseToDense,
  sparseTranspose,
} from "./sparse.js";
export { sparseProduct } from "./sparse-product.js";
export { solveUpper, solveUpperTransposed } from "./sparse-triangular.js";
export { jacobiSvd } from "./svd.js";
export { isSymmetric, sizesOf, symmetricPart } from "./symmetric.js";
export { transpose, transposed } from "./transpose.js";
export { divideLeft, divideLeftTransposed } from "./triangular-left.js";
export {
  choleskyDiagonals,
  constantTridiagonal,
  type Diagonals,
  denseInverse,
  factorDiagonals,
  mapDiagonals,
  toDense,
  toTridiagonal,
  transposeDiagonals,
} from "./tridiagonal.js";
export { eigenvaluesBelow } from "./tridiagonal-eigenpairs.js";
export { unstack } from "./unstack.js";
