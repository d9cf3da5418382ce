/** `expen/eigen`: eigenvalues and singular values with bounds, and a proof that none was missed. */
export {
  type BlockProduct,
  type Complete,
  type DenseOptions,
  type EigsAnswer,
  type EigsCertificate,
  type EigsOptions,
  eigh,
  eigs,
  eigs as eigsh,
  type MatrixInput,
  type OperatorInput,
  type SvdsAnswer,
  type SvdsOptions,
  svd,
  svds,
  type VectorProduct,
} from "@expen/apps/eigen";
