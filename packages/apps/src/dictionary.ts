import { withEngine } from "@expen/engines";
import type { HostMatrix, Matrix } from "@expen/linalg";
import { checkData, type MatrixLike, ProblemError, whole } from "@expen/linalg";
import {
  type Application,
  bestOf,
  byFalling,
  columns,
  image,
  optionsOf,
  plainOf,
  randomStarts,
  withPositivePeaks,
} from "./application.js";
import { overflow, squareSum } from "./columns.js";
import { type Description, describe, row, SAMPLES } from "./description.js";
import { fourthMoment } from "./fourth-moment.js";
import type { Model } from "./model/linear.js";
import { modelOf } from "./model/model.js";
import { type SampleOptions, sampleSchema, samplesOf } from "./samples.js";

/** Options of `dictionary`: the number of atoms, the starts, and the run */
export interface DictionaryOptions extends SampleOptions {
  /** number of atoms; default: a complete dictionary, p = n */
  p?: number;
  /** number of random starts; the best result is returned */
  starts?: number;
}

/** The atoms of `dictionary`, a model that codes other samples */
export interface DictionaryAnswer extends Application, Model {
  /** n×p orthonormal atoms, by decreasing fourth moment of their codes */
  atoms: HostMatrix;
  /** m×p: Y ≈ codes·atomsᵀ, exactly for p = n */
  codes: HostMatrix;
  /** mean fourth power over squared mean square of each column of the codes: 3 for a Gaussian, larger for sparse codes */
  kurtosis: number[];
}

/**
 * Orthonormal atoms in which the samples (rows of Y) are sparse: max ‖YX‖₄⁴ [Zhai, Yang, Liao, Wright, Ma 2020], which at
 * equal ‖YX‖₂ is larger for sparse YX.
 */
export async function dictionary(source: MatrixLike, options: DictionaryOptions = {}): Promise<DictionaryAnswer> {
  const {
    p: count,
    starts = 1,
    columns: choice,
    gaps,
    ...o
  } = optionsOf("dictionary", options, { p: whole(1), starts: whole(1), ...sampleSchema });
  const { A: Y, notes } = samplesOf("dictionary", source, { columns: choice, gaps }, (n) => count ?? n, 1);
  const p = count ?? Y.cols;
  checkData("dictionary", "A", Y, Y.rows, Y.cols);
  const square = squareSum(Y);
  if (square === 0) throw new ProblemError("dictionary: all entries of A are 0; there is nothing to learn.");
  if (!Number.isFinite(square ** 2)) throw overflow("dictionary", "A");
  return withEngine(o.engine, async (E) => {
    const run = await bestOf(E, fourthMoment(E, Y, p), randomStarts("dictionary", starts), o);
    run.notes.push(...notes);
    const data = E.operator(Y);
    const moments = (W: Matrix): { fourth: number[]; second: number[] } => {
      const [fourth, second] = [new Array<number>(p).fill(0), new Array<number>(p).fill(0)];
      W.data.forEach((v, k) => {
        fourth[k % p]! += (v ** 2 * v ** 2) / Y.rows;
        second[k % p]! += v ** 2 / Y.rows;
      });
      return { fourth, second };
    };
    const atoms = withPositivePeaks(columns(run.X, byFalling(moments(plainOf(E, image(E, data, run.X))).fourth)));
    const codes = plainOf(E, image(E, data, atoms));
    const { fourth, second } = moments(codes);
    return modelOf("dictionary", {
      names: Y.names,
      atoms,
      codes,
      kurtosis: fourth.map((v, j) => (second[j]! > 0 ? v / second[j]! ** 2 : 0)),
      run,
    });
  });
}

export const description: Description = describe({
  name: "dictionary",
  summary: "orthonormal atoms in which the samples are sparse",
  files: [SAMPLES],
  options: [{ name: "p", type: "integer", help: "number of atoms; default: the number of columns" }],
  example: "data.csv --out atoms.csv",
  parts: ["atoms", "codes"],
  points: "codes",
  solve: ([Y]: [Matrix], o: DictionaryOptions) => dictionary(Y, o),
  report: ({ atoms, kurtosis }) => ({
    saved: { name: "atoms", matrix: atoms },
    lines: [["kurtosis of the codes, per atom (3: Gaussian)", row(kurtosis)]],
    numbers: { kurtosis },
  }),
});
