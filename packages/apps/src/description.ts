/** Applications as data, for the command line, the playground and the documentation. */
import type { Result, View } from "@expen/core";
import type { Matrix, Table } from "@expen/linalg";
import type { Application } from "./application.js";
import type { ModelDocument } from "./model/document.js";

export interface FileDescription {
  readonly name: string;
  readonly help: string;
  /** matrix, the default: a dense matrix; operator: dense or sparse; molecule: integrals */
  readonly holds?: "matrix" | "operator" | "molecule";
  /** one or more files; only for the last one */
  readonly repeats?: true;
  /** may be left out; only for the last one */
  readonly optional?: true;
}

export interface OptionDescription {
  readonly name: string;
  /** integer: at least 1; integers: several of them */
  readonly type: "integer" | "integers" | "number" | "boolean" | "choice";
  readonly help: string;
  readonly choices?: readonly string[];
  readonly required?: true;
  /** a boolean that is true by default */
  readonly default?: true;
}

/** The report of an answer: the main matrix with its name in words, lines for people, and numbers for programs */
export interface Report {
  readonly saved: { readonly name: string; readonly matrix: Matrix };
  readonly lines: readonly (readonly [string, string])[];
  readonly numbers: Readonly<Record<string, unknown>>;
}

export interface Description {
  /** on the command line */
  readonly name: string;
  readonly summary: string;
  readonly files: readonly FileDescription[];
  /** the column of labels of the first file, in words, where the application needs one */
  readonly labels?: string;
  /** in addition to those of every run, by their names in the library */
  readonly options: readonly OptionDescription[];
  /** words after the name, on the command line, that show its use */
  readonly example: string;
  /** the matrices of the answer that may be saved, by their names in the library; the first is the main one */
  readonly parts: readonly string[];
  /** of a model: the part whose rows are the samples as points, to be drawn */
  readonly points?: string;
  /** whether it has no options of solvers */
  readonly isDirect?: boolean;
  /** Runs the application on the contents of its files. */
  run(files: readonly unknown[], options: object): Promise<ReportOfRun>;
}

/** The end of a computation that is no run of a solver, as `eigs` answers */
export interface Computation {
  readonly converged: boolean;
  readonly method: string;
  readonly residuals: readonly number[];
  readonly bounds?: readonly number[];
  readonly certificate: { readonly level: string; readonly text: string };
  readonly products: number;
  readonly seconds: number;
  readonly notes: readonly string[];
}

export interface ReportOfRun extends Report {
  /** the run of a solver behind the answer, or the computation */
  readonly end: Result<View> | Computation;
  /** the matrices of the answer, by name */
  readonly matrices: { readonly [part: string]: Table };
  /** of an answer that is a model */
  readonly model?: ModelDocument;
}

/** A description from the application, `solve`, and the report of its answer */
/* @__NO_SIDE_EFFECTS__ */ export function describe<
  F extends readonly unknown[],
  O extends object,
  A extends Application<View> | Computation,
>({
  solve,
  report,
  ...rest
}: Omit<Description, "run"> & { solve(files: F, options: O): Promise<A>; report(answer: A): Report }): Description {
  return {
    ...rest,
    async run(files, options) {
      const answer = await solve(files as F, options as O);
      const described = report(answer);
      return { end: "run" in answer ? answer.run : answer, ...described, ...partsOf(answer, rest.parts, described) };
    },
  };
}

function partsOf(answer: object, names: readonly string[], { saved }: Report): Pick<ReportOfRun, "matrices" | "model"> {
  const [main, ...others] = names;
  const fields = answer as { readonly [name: string]: Table | undefined };
  const entries = others.flatMap((name) => (fields[name] ? [[name, fields[name]] as const] : []));
  const { toJSON } = answer as { toJSON?: () => ModelDocument };
  return {
    matrices: { [main!]: fields[main!]?.data ? fields[main!]! : saved.matrix, ...Object.fromEntries(entries) },
    ...(toJSON && { model: toJSON() }),
  };
}

export const SAMPLES: FileDescription = { name: "data", help: "data, one sample a row" };

/** The option p, which most applications require */
export const columnsOption = /* @__NO_SIDE_EFFECTS__ */ (help: string): OptionDescription => ({
  name: "p",
  type: "integer",
  help,
  required: true,
});
export const CENTRE: OptionDescription = {
  name: "centre",
  type: "boolean",
  help: "subtract the means of the columns first",
  default: true,
};
/** Of the applications by `eigs` and `svds` */
export const TOLERANCE: OptionDescription = {
  name: "tolerance",
  type: "number",
  help: "largest residual over ‖A‖ (default: 1e-9)",
};
export const STANDARDISE: OptionDescription = {
  name: "standardise",
  type: "boolean",
  help: "divide columns by their standard deviations",
};

/** The entries of a matrix, row by row */
export const entries = ({ data }: Matrix): number[] => Array.from(data);
/** Numbers in one line */
export const row = (values: ArrayLike<number>, precision = 4): string =>
  Array.from(values, (v) => String(Number(v.toPrecision(precision)))).join("  ");
export const percent = (...shares: readonly number[]): string =>
  shares.map((v) => `${(100 * v).toFixed(2)} %`).join("  ");
