/** Applications on other manifolds than orthonormal columns, as commands. */
import * as apps from "../src/applications/index.js";
import { averages } from "../src/applications/mean-rotation.js";
import type { Sparse } from "../src/arrays/sparse.js";
import { loadOperator } from "../src/data/load.js";
import type { Matrix } from "../src/types.js";
import { type ApplicationEntry, list, needed } from "./application-entry.js";
import { small } from "./format.js";
import { InputError, oneOf } from "./input-error.js";

export const averageNames = Object.keys(averages) as apps.Average[];

/** Files as they are: sparse ones stay sparse. */
const operators = (paths: readonly string[]): Promise<(Matrix | Sparse)[]> =>
  Promise.all(paths.map(async (path) => (await loadOperator(path)).matrix));

/** "3,2,2" */
function ranksOf(text: string | undefined): [number, number, number] {
  const ranks = (text ?? "").split(",").map(Number);
  if (ranks.length !== 3 || ranks.some((r) => !Number.isInteger(r))) {
    throw new InputError(`--ranks is '${text ?? ""}'; --app tucker needs three whole numbers, as in 3,2,2.`);
  }
  return ranks as [number, number, number];
}

/** Rows of n² numbers as n×n matrices */
function squares({ rows, cols, data }: Matrix): Matrix[] {
  const n = Math.sqrt(cols);
  if (!Number.isInteger(n)) {
    throw new InputError(`the file has ${cols} columns; a rotation a row takes 4, 9, 16, … numbers.`);
  }
  return Array.from({ length: rows }, (_, i) => ({ rows: n, cols: n, data: data.slice(i * cols, (i + 1) * cols) }));
}

export const manifoldApplications: Record<string, ApplicationEntry> = {
  eigen: {
    summary: "generalised eigenvalues, A·x = λ·B·x",
    files: ["A, symmetric", "B, symmetric positive definite"],
    readsFiles: true,
    options: ["p", "largest"],
    async solve(_files, flags, o, paths) {
      const [A, B] = await operators(paths);
      const largest = flags.largest ?? false;
      const answer = await apps.generalizedEigen(A!, B!, { ...o, p: needed(flags, "p", "eigen"), largest });
      const { values, vectors, residual, run } = answer;
      return {
        ...{ run, main: vectors, mainName: "eigenvectors", numbers: { values, residual } },
        lines: [
          ["eigenvalues", list(values, 8)],
          ["‖AX − BXΛ‖", small(residual)],
        ],
      };
    },
  },
  cca: {
    summary: "canonical correlations of two sets of measurements",
    files: ["data, one sample a row", "other data of the same samples"],
    options: ["p"],
    async solve([A1, A2], flags, o) {
      const answer = await apps.canonicalCorrelation(A1!, A2!, { ...o, p: needed(flags, "p", "cca") });
      const { correlations, first, second, run } = answer;
      return {
        ...{ run, main: first, mainName: "weights of the first set" },
        lines: [["correlations", list(correlations, 6)]],
        numbers: { correlations, second: Array.from(second.data) },
      };
    },
  },
  svd: {
    summary: "the largest singular values",
    files: ["a matrix"],
    readsFiles: true,
    options: ["p"],
    async solve(_files, flags, o, paths) {
      const [A] = await operators(paths);
      const { U, V, values, run } = await apps.truncatedSvd(A!, { ...o, p: needed(flags, "p", "svd") });
      return {
        ...{ run, main: U, mainName: "left singular vectors" },
        lines: [["singular values", list(values, 8)]],
        numbers: { values, V: Array.from(V.data) },
      };
    },
  },
  tucker: {
    summary: "a three-way array, given by its slices, as a small core and three bases",
    files: ["a slice of the array"],
    repeats: true,
    options: ["ranks"],
    async solve(slices, flags, o) {
      const answer = await apps.tucker(slices, { ...o, ranks: ranksOf(flags.ranks) });
      const { U, V, W, core, relativeError, startError, run } = answer;
      const plain = (M: Matrix): number[] => Array.from(M.data);
      return {
        ...{ run, main: U, mainName: "U" },
        lines: [["relative error", `${small(relativeError)}, that of the start ${small(startError)}`]],
        numbers: { relativeError, startError, V: plain(V), W: plain(W), core: core.map(plain) },
      };
    },
  },
  completion: {
    summary: "a matrix of low rank from some of its entries",
    files: ["a matrix: nan stands for unknown, or the entries of a sparse file are the known ones"],
    readsFiles: true,
    options: ["p"],
    async solve(_files, flags, o, paths) {
      const [M] = await operators(paths);
      const answer = await apps.completion(M!, { ...o, p: needed(flags, "p", "completion") });
      const { completed, relativeResidual, run } = answer;
      return {
        ...{ run, main: completed, mainName: "the completed matrix", numbers: { relativeResidual } },
        lines: [["left at known entries", `${small(relativeResidual)} of their size`]],
      };
    },
  },
  "max-cut": {
    summary: "a bound for the largest cut of a graph, and a cut",
    files: ["symmetric weights of the edges"],
    options: [],
    async solve([W], _flags, o) {
      const { bound, relaxation, gapBound, sides, cut, run } = await apps.maxCut(W!, o);
      return {
        main: { rows: sides.length, cols: 1, data: Float64Array.from(sides) },
        ...{ run, mainName: "sides", numbers: { bound, relaxation, gapBound, sides, cut } },
        lines: [
          ["cut", list([cut], 8)],
          ["no cut above", list([bound], 8)],
        ],
      };
    },
  },
  "mean-rotation": {
    summary: "the rotation in the middle of others",
    files: ["rotations, the numbers of one in a row"],
    options: ["average"],
    async solve([M], flags, o) {
      const kind = flags.average === undefined ? {} : { kind: oneOf("--average", flags.average, averageNames) };
      const { rotation, distances, run } = await apps.meanRotation(squares(M!), { ...o, ...kind });
      return {
        ...{
          run,
          main: rotation,
          mainName: "the rotation",
          numbers: { rotation: Array.from(rotation.data), distances },
        },
        lines: [["largest distance", small(Math.max(...distances))]],
      };
    },
  },
};
