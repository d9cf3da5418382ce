/** The descriptions of all applications, in the order of lists and tables. */
import { description as align } from "./align.js";
import { description as cca } from "./canonical-correlation.js";
import { description as clusters } from "./clusters.js";
import { description as completion } from "./completion.js";
import type { Description } from "./description.js";
import { description as dictionary } from "./dictionary.js";
import { description as discriminant } from "./discriminant.js";
import { description as rotation } from "./factor-rotation.js";
import { description as eigen } from "./generalized-eigen.js";
import { description as partition } from "./graph-partition.js";
import { description as hartreeFock } from "./hartree-fock.js";
import { description as ica } from "./ica.js";
import { description as jointdiag } from "./joint-diagonalization.js";
import { description as maxCut } from "./max-cut.js";
import { description as meanRotation } from "./mean-rotation.js";
import { description as nonnegativePca } from "./nonnegative-pca.js";
import { description as pca } from "./pca.js";
import { description as procrustes } from "./procrustes.js";
import { description as robustPca } from "./robust-pca.js";
import { description as sparsePca } from "./sparse-pca.js";
import { description as svd } from "./truncated-svd.js";
import { description as tucker } from "./tucker.js";

export const descriptions: readonly Description[] = [
  pca,
  robustPca,
  sparsePca,
  nonnegativePca,
  clusters,
  ica,
  procrustes,
  align,
  dictionary,
  jointdiag,
  rotation,
  hartreeFock,
  discriminant,
  eigen,
  cca,
  svd,
  tucker,
  completion,
  maxCut,
  partition,
  meanRotation,
];
