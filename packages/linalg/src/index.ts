export type { ElementwiseName } from "./contracts/elementwise.js";
export type {
  Chain,
  Engine,
  Factorizations,
  Host,
  Instruction,
  OnDevice,
  Operator,
  Speeds,
  Sums,
} from "./contracts/engine.js";
export type { Matrix, Small, Sparse, Tall, Tridiagonal } from "./contracts/matrix.js";
export type { Ranks } from "./contracts/ranks.js";
export type { Space } from "./contracts/space.js";
export { type Environment, environment } from "./environment.js";
export { described, EngineError, isPromise } from "./errors.js";
export {
  checkData,
  checkDataShape,
  checkFinite,
  checkSizes,
  checkSymmetric,
  dense,
  ProblemError,
} from "./given.js";
export {
  gaussian,
  plain,
  plainProduct,
  plainTranspose,
  randomOrthonormal,
  sumOfLargest,
  unitSymmetric,
} from "./instances.js";
export {
  allBut,
  ColumnError,
  hasNames,
  labelPlace,
  listed,
  ofDense,
  placesOf,
  requireChoice,
} from "./matrix-like/column-choice.js";
export { DataError } from "./matrix-like/data-error.js";
export { HostMatrix, hostMatrix } from "./matrix-like/host-matrix.js";
export { isForeignMatrix, type NumericLike, numericMatrix } from "./matrix-like/numeric.js";
export { asMatrix, matricesOf, matrixOf, operatorOf, tableOf } from "./matrix-like/read.js";
export type {
  ColumnChoice,
  Label,
  Loaded,
  MatrixLike,
  ReadOptions,
  SparseLike,
  Strided,
  Table,
} from "./matrix-like/types.js";
export { nearest } from "./nearest.js";
export { digits } from "./numbers.js";
export {
  amount,
  anything,
  bool,
  chosenNumbers,
  chosenOptions,
  constraint,
  either,
  finite,
  func,
  integer,
  type Kind,
  list,
  matrix,
  number,
  object,
  oneOf,
  positive,
  quoted as shown,
  requireKind,
  requireNoMore,
  type Schema,
  type SchemaOf,
  signal,
  text,
  whole,
} from "./options.js";
export { isPermitted } from "./permissions.js";
export { fillNormal, normalStream, type Random, random } from "./random.js";
export { scratch } from "./scratch.js";
export { requireShape, requireSquare, wrongSizes } from "./shape.js";
