/** The tasks of each field, on measured data. */
import { standardized } from "../any-f/draw.js";
import * as data from "./data.js";
import { ica, joint, pca, procrustes, rotation, type SpecialistTask, sparse, svd } from "./task.js";

const lazily: Record<string, () => SpecialistTask[]> = {
  pca: () => [
    pca("digits", data.digits(), 10),
    pca("tumours, standardised", standardized(data.tumours()), 5),
    pca("NCI60", data.cancers(), 10, ["sklearn-pca", "sklearn-pca-full"]),
  ],
  svd: () => [svd("digits", data.digits(), 10), svd("NCI60", data.cancers(), 10)],
  procrustes: () => [
    procrustes(
      "tumours, mean onto worst",
      data.columnsOf(data.tumours(), 0, 10),
      data.columnsOf(data.tumours(), 20, 30),
    ),
    procrustes(
      "digits, even onto odd",
      data.columnsOf(data.digits(), 0, 64, 2),
      data.columnsOf(data.digits(), 1, 64, 2),
    ),
    procrustes("digits onto their rows turned", data.digits(), data.reversed(data.digits())),
  ],
  varimax: () => [
    rotation("varimax", "bfi", data.loadings(data.questions(), 5)),
    rotation("varimax", "digits", data.loadings(data.digits(), 15)),
    rotation("varimax", "NCI60", data.loadings(data.cancers(), 10)),
  ],
  quartimax: () => [
    rotation("quartimax", "bfi", data.loadings(data.questions(), 5)),
    rotation("quartimax", "digits", data.loadings(data.digits(), 15)),
  ],
  ica: () => [
    ica("wine", data.wine(), 13),
    ica("tumours", data.tumours(), 10),
    ica("bfi", data.questions(), 10),
    ica("digits", data.digits(), 20),
    ica("NCI60, genes", data.genes(), 20),
  ],
  "joint-diagonalization": () => [
    joint("wines, covariance of each kind", data.classCovariances("wine", 13), true),
    joint("digits, covariance of each digit", data.classCovariances("digits-labelled", 20), true),
    joint("digits, covariance of each digit", data.classCovariances("digits-labelled", 50), true),
    joint("tumours, fourth cumulants", data.cumulants(data.tumours(), 10), false),
  ],
  "sparse-pca": () => [
    sparse("tumours, standardised", standardized(data.tumours()), 5, 0.25),
    sparse("digits", data.digits(), 10, 1),
    sparse("NCI60", data.cancers(), 5, 1),
  ],
};

export const fields = Object.keys(lazily);
export const tasksOf = (field: string): SpecialistTask[] => lazily[field]!();
