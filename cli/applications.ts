/** The applications as commands: which files and options each takes, and what of its answer is saved, said and printed as JSON. */

import { rotationKinds } from "../src/applications/factor-rotation.js";
import * as apps from "../src/applications/index.js";
import type { Matrix } from "../src/types.js";
import { type ApplicationEntry, given, list, needed, percent } from "./application-entry.js";
import { hartreeFock } from "./energies.js";
import { small } from "./format.js";
import { InputError, oneOf } from "./input-error.js";
import { averageNames, manifoldApplications } from "./manifold-applications.js";

const samples = ["data, one sample a row"];

export const applications: Record<string, ApplicationEntry> = {
  pca: {
    summary: "principal components of a data file",
    files: samples,
    options: ["p", "centre", "standardise"],
    async solve([A], flags, o) {
      const answer = await apps.pca(A!, {
        ...o,
        p: needed(flags, "p", "pca"),
        ...given(flags, "centre", "standardise"),
      });
      const { components, variances, explained, totalVariance, run } = answer;
      return {
        run,
        main: components,
        mainName: "components",
        lines: [
          ["variances", list(variances)],
          ["explained", percent(explained)],
        ],
        numbers: { variances, explained, totalVariance },
      };
    },
  },
  "robust-pca": {
    summary: "components by sums of distances, which outliers hardly move",
    files: samples,
    options: ["p", "delta", "centre"],
    async solve([A], flags, o) {
      const p = needed(flags, "p", "robust-pca");
      const centre = flags.centre === false ? { centre: "none" as const } : {};
      const { components, delta, weights, run } = await apps.robustPca(A!, {
        ...o,
        p,
        ...given(flags, "delta"),
        ...centre,
      });
      const outliers = [...weights.keys()].filter((i) => weights[i]! < 0.1);
      return {
        run,
        main: components,
        mainName: "components",
        lines: [
          ["δ", small(delta)],
          ["outliers", outliers.length > 0 ? `rows ${outliers.slice(0, 20).join(", ")}` : "none"],
        ],
        numbers: { delta, outliers, weights: Array.from(weights) },
      };
    },
  },
  "sparse-pca": {
    summary: "components with few entries",
    files: samples,
    options: ["p", "weight", "kind", "centre", "standardise"],
    async solve([A], flags, o) {
      const p = needed(flags, "p", "sparse-pca");
      const weight = needed(flags, "weight", "sparse-pca");
      if (o.solver && o.solver !== "slpg")
        throw new InputError(`--app sparse-pca needs --solver slpg, not ${o.solver}.`);
      const kind =
        flags.kind === undefined ? {} : { kind: oneOf("--kind", flags.kind, ["l1", "l21", "regression"] as const) };
      const answer = await apps.sparsePca(A!, { ...o, p, weight, ...kind, ...given(flags, "centre", "standardise") });
      const { components, support, zeros, variances, value, run } = answer;
      return {
        run,
        main: components,
        mainName: "components",
        lines: [
          ["zeros", percent([zeros])],
          ["variances", list(variances)],
          ...support.map((rows, j): [string, string] => [`support ${j + 1}`, rows.join(", ")]),
        ],
        numbers: { support, zeros, variances, value },
      };
    },
  },
  ica: {
    summary: "independent components of a data file",
    files: samples,
    options: ["p", "contrast"],
    async solve([A], flags, o) {
      const { sources, contrasts, run } = await apps.ica(A!, {
        ...o,
        ...given(flags, "p", "contrast"),
      } as apps.IcaOptions);
      return {
        run,
        main: sources,
        mainName: "sources",
        lines: [["contrasts", list(contrasts)]],
        numbers: { contrasts },
      };
    },
  },
  procrustes: {
    summary: "the X with orthonormal columns that makes A·X nearest to B",
    files: ["A", "B"],
    options: [],
    async solve([A, B], _flags, o) {
      const { X, residual, relativeResidual, run } = await apps.procrustes(A!, B!, o);
      return {
        run,
        main: X,
        mainName: "X",
        lines: [["‖AX − B‖", `${small(residual)}, ${percent([relativeResidual])} of ‖B‖`]],
        numbers: { residual, relativeResidual },
      };
    },
  },
  align: {
    summary: "one point set moved onto another by rotation, shift and scale",
    files: ["source points, one a row", "target points, one a row"],
    options: ["reflections", "scaling"],
    async solve([A, B], flags, o) {
      const answer = await apps.align(A!, B!, { ...o, ...given(flags, "reflections", "scaling") });
      const { rotation, scale, translation, rms, run } = answer;
      return {
        run,
        main: rotation,
        mainName: "the rotation",
        lines: [
          ["scale", list([scale], 8)],
          ["shift", list(translation, 8)],
          ["rms distance", small(rms)],
        ],
        numbers: { scale, translation: Array.from(translation), rms },
      };
    },
  },
  dictionary: {
    summary: "orthonormal atoms in which the samples are sparse",
    files: samples,
    options: ["p"],
    async solve([Y], flags, o) {
      const { atoms, kurtosis, run } = await apps.dictionary(Y!, {
        ...o,
        ...given(flags, "p"),
      } as apps.DictionaryOptions);
      return {
        run,
        main: atoms,
        mainName: "atoms",
        lines: [["kurtosis of the codes", list(kurtosis)]],
        numbers: { kurtosis },
      };
    },
  },
  jointdiag: {
    summary: "axes that make several symmetric matrices nearly diagonal",
    files: ["a symmetric matrix"],
    repeats: true,
    options: ["p"],
    async solve(files, flags, o) {
      const options = { ...o, ...given(flags, "p") } as apps.JointDiagonalizationOptions;
      const { X, offDiagonal, run } = await apps.jointDiagonalization(files, options);
      return {
        run,
        main: X,
        mainName: "X",
        lines: [["beside the diagonals", percent([offDiagonal])]],
        numbers: { offDiagonal },
      };
    },
  },
  rotation: {
    summary: "orthogonal factor rotation of a loading matrix",
    files: ["loadings, variables × factors"],
    options: ["rotation"],
    async solve([L], flags, o) {
      const kind = flags.rotation as apps.RotationKind | undefined;
      const { loadings, criterion, variances, run } = await apps.factorRotation(L!, { ...o, ...(kind && { kind }) });
      return {
        run,
        main: loadings,
        mainName: "rotated loadings",
        lines: [
          ["criterion", list([criterion], 8)],
          ["variances", list(variances)],
        ],
        numbers: { criterion, variances },
      };
    },
  },
  "hartree-fock": hartreeFock,
  discriminant: {
    summary: "directions that separate classes best, by trace ratio",
    files: ["data, one sample a row, with a column of labels"],
    options: ["p", "labels"],
    async solve([M], flags, o) {
      const p = needed(flags, "p", "discriminant");
      const { A, labels } = withoutColumn(M!, needed(flags, "labels", "discriminant"));
      const { directions, ratio, gapBound, classes, run } = await apps.discriminant(A, labels, { ...o, p });
      return {
        run,
        main: directions,
        mainName: "directions",
        lines: [
          ["ratio", `${list([ratio], 8)}, at most ${small(gapBound)} below the largest`],
          ["classes", list(classes)],
        ],
        numbers: { ratio, gapBound, classes },
      };
    },
  },
  ...manifoldApplications,
};

export { averageNames };
export const rotationNames: readonly string[] = Object.keys(rotationKinds);

function withoutColumn(M: Matrix, column: number): { A: Matrix; labels: Float64Array } {
  const at = column - 1;
  if (at >= M.cols) throw new InputError(`--labels is ${column} but the file has ${M.cols} columns.`);
  return {
    A: { rows: M.rows, cols: M.cols - 1, data: M.data.filter((_, k) => k % M.cols !== at) },
    labels: M.data.filter((_, k) => k % M.cols === at),
  };
}
