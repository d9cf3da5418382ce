export type { Complete } from "./completeness.js";
export { type DenseOptions, eigh, svd } from "./dense.js";
export { type EigsAnswer, eigs, type HermitianAnswer } from "./eigs.js";
export type { EigsOptions } from "./eigs-options.js";
export type { HermitianInput } from "./hermitian.js";
export type { EigsCertificate } from "./proof.js";
export type { BlockProduct, MatrixInput, OperatorInput, VectorProduct } from "./read-matrix.js";
export type { BlockProducts, RectangularInput, VectorProducts } from "./rectangular.js";
export { type SvdsAnswer, type SvdsOptions, svds } from "./svds.js";
