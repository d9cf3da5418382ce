/** The applications: from data to a certified answer in one call. */

export type { Molecule } from "../data/molecule.js";
export { type AlignAnswer, type AlignOptions, align } from "./align.js";
export type { Application, ApplicationOptions } from "./application.js";
export { type DictionaryAnswer, type DictionaryOptions, dictionary } from "./dictionary.js";
export { type DiscriminantAnswer, type DiscriminantOptions, discriminant } from "./discriminant.js";
export {
  type FactorRotationAnswer,
  type FactorRotationOptions,
  factorRotation,
  type RotationKind,
} from "./factor-rotation.js";
export { type HartreeFockAnswer, type HartreeFockOptions, hartreeFock } from "./hartree-fock.js";
export { type IcaAnswer, type IcaOptions, ica } from "./ica.js";
export {
  type JointDiagonalizationAnswer,
  type JointDiagonalizationOptions,
  jointDiagonalization,
} from "./joint-diagonalization.js";
export { type KohnShamAnswer, type KohnShamOptions, kohnSham } from "./kohn-sham.js";
export { type PcaAnswer, type PcaOptions, pca } from "./pca.js";
export { type ProcrustesAnswer, type ProcrustesOptions, procrustes } from "./procrustes.js";
export { type RobustPcaAnswer, type RobustPcaOptions, robustPca } from "./robust-pca.js";
export { type SparsePcaAnswer, type SparsePcaOptions, sparsePca } from "./sparse-pca.js";
