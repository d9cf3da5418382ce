/** The applications: from data to a certified answer in one call. */

export { type AlignAnswer, type AlignOptions, align } from "./align.js";
export type { Application, ApplicationOptions } from "./application.js";
export {
  type CanonicalCorrelationAnswer,
  type CanonicalCorrelationOptions,
  canonicalCorrelation,
} from "./canonical-correlation.js";
export { type ClustersAnswer, type ClustersOptions, clusters } from "./clusters.js";
export { type CompletionAnswer, type CompletionOptions, completion } from "./completion.js";
export { type DictionaryAnswer, type DictionaryOptions, dictionary } from "./dictionary.js";
export { type DiscriminantAnswer, type DiscriminantOptions, discriminant } from "./discriminant.js";
export {
  type FactorRotationAnswer,
  type FactorRotationOptions,
  factorRotation,
  type RotationKind,
} from "./factor-rotation.js";
export { type GeneralizedEigenAnswer, type GeneralizedEigenOptions, generalizedEigen } from "./generalized-eigen.js";
export { type GraphPartitionAnswer, type GraphPartitionOptions, graphPartition } from "./graph-partition.js";
export { type HartreeFockAnswer, type HartreeFockOptions, hartreeFock } from "./hartree-fock.js";
export { type IcaAnswer, type IcaOptions, ica } from "./ica.js";
export {
  type JointDiagonalizationAnswer,
  type JointDiagonalizationOptions,
  jointDiagonalization,
} from "./joint-diagonalization.js";
export { type MaxCutAnswer, type MaxCutOptions, maxCut } from "./max-cut.js";
export { type Average, type MeanRotationAnswer, type MeanRotationOptions, meanRotation } from "./mean-rotation.js";
export type { Alignment } from "./model/alignment.js";
export type { Classifier } from "./model/classifier.js";
export type { ModelDocument } from "./model/document.js";
export { Model, type Models, type StoredModel } from "./model/models.js";
export type { PairModel } from "./model/pair.js";
export { type NonnegativePcaAnswer, type NonnegativePcaOptions, nonnegativePca } from "./nonnegative-pca.js";
export { type PcaAnswer, type PcaOptions, pca } from "./pca.js";
export { type ProcrustesAnswer, type ProcrustesOptions, procrustes } from "./procrustes.js";
export { type RobustPcaAnswer, type RobustPcaOptions, robustPca } from "./robust-pca.js";
export { type SparsePcaAnswer, type SparsePcaOptions, sparsePca } from "./sparse-pca.js";
export { type TruncatedSvdAnswer, type TruncatedSvdOptions, truncatedSvd } from "./truncated-svd.js";
export { type TuckerAnswer, type TuckerOptions, tucker } from "./tucker.js";
