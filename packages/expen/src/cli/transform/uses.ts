/** The maps of a saved model on samples from files */
import type { Alignment, Classifier, Model, PairModel } from "@expen/apps";
import type { HostMatrix, Label, Table } from "@expen/linalg";
import { InputError } from "../input-error.js";

/** Named by the options --inverse and --predict; transform without either */
export type Direction = "transform" | "inverse" | "predict";

export interface Use {
  /** the names of the columns of each file, if the model knows them */
  readonly files: readonly (readonly string[] | undefined)[];
  /** the answer in a word */
  readonly what: string;
  run(tables: readonly Table[]): Table | readonly Label[];
}

type AnyModel = Model | Alignment | PairModel | Classifier;

export function useOf(path: string, model: AnyModel, direction: Direction): Use {
  const { kind } = model;
  if (direction === "predict" && kind !== "discriminant") {
    throw new InputError(`--predict: ${path} is a model of ${kind}; only a model of discriminant has classes.`);
  }
  if (kind === "align") return ofAlignment(model as Alignment, direction);
  if (kind === "cca") return ofPair(path, model as PairModel, direction);
  const { names, transform, inverseTransform } = model as Model;
  if (direction === "inverse") return { files: [undefined], what: "samples", run: ([F]) => inverseTransform(F!) };
  if (direction === "predict")
    return { files: [names], what: "classes", run: ([A]) => (model as Classifier).predict(A!) };
  return { files: [names], what: "scores", run: ([A]) => transform(A!) };
}

function ofAlignment({ apply, applyInverse }: Alignment, direction: Direction): Use {
  const inverse = direction === "inverse";
  return { files: [undefined], what: "points", run: ([points]) => (inverse ? applyInverse : apply)(points!) };
}

interface SetsOfColumns {
  readonly firstSet: { readonly names?: readonly string[] };
  readonly secondSet: { readonly names?: readonly string[] };
}

/** One file has the first set of variables, two have both. */
function ofPair(path: string, model: PairModel, direction: Direction): Use {
  if (direction === "inverse")
    throw new InputError(`--inverse: ${path} is a model of cca, whose scores have no way back; leave --inverse out.`);
  const { firstSet, secondSet } = model as unknown as SetsOfColumns;
  return {
    files: [firstSet.names, secondSet.names],
    what: "scores",
    run([first, second]) {
      const scores = model.transform(first!, second);
      return second ? sideBySide(scores.first!, scores.second!) : scores.first!;
    },
  };
}

/** The scores of both sets as columns of one table: first_cc1, …, second_cc1, … */
function sideBySide(A: HostMatrix, B: HostMatrix): Table {
  const p = A.cols;
  if (A.rows !== B.rows)
    throw new InputError(
      `the first file has ${A.rows} rows and the second ${B.rows}; they must be of the same samples.`,
    );
  const data = Float64Array.from({ length: A.rows * 2 * p }, (_, k) => {
    const [i, j] = [Math.floor(k / (2 * p)), k % (2 * p)];
    return j < p ? A.data[i * p + j]! : B.data[i * p + j - p]!;
  });
  const names = ["first", "second"].flatMap((set) => A.names!.map((name) => `${set}_${name}`));
  return { rows: A.rows, cols: 2 * p, data, names };
}
