/** Applications as the command line runs them: those of @expen/apps, and eigenvalues, which have no run behind them. */
import type { ModelDocument } from "@expen/apps";
import type { Description } from "@expen/apps/objectives";
import { descriptions } from "@expen/apps/objectives";
import type { Table } from "@expen/linalg";
import { duration, small, value } from "../format.js";
import { runDocument, succeeded, successOf } from "../run-document.js";
import { eigenvalueApplications } from "./eigenvalues.js";

/** An answer for people, for programs and for files */
export interface Answer {
  readonly succeeded: boolean;
  /** one sentence about the end of the run, with its status first */
  readonly headline: string;
  readonly lines: readonly (readonly [string, string])[];
  readonly notes: readonly string[];
  readonly document: Readonly<Record<string, unknown>>;
  /** the name of the main matrix in words, and the matrices by name, the main one first */
  readonly main: string;
  readonly matrices: { readonly [part: string]: Table };
  readonly model?: ModelDocument;
}

/** `Description` of the command line: without one kind of run */
export interface ShellApplication extends Omit<Description, "run"> {
  /** whether the options of solvers and of their runs are known */
  readonly takesSolver: boolean;
  run(files: readonly unknown[], options: object, notes: readonly string[]): Promise<Answer>;
}

const ofDescription = (description: Description): ShellApplication => ({
  ...description,
  takesSolver: true,
  async run(files, options, notes) {
    const { run, saved, lines, numbers, matrices, model } = await description.run(files, options);
    run.notes.unshift(...notes);
    return {
      succeeded: succeeded(run),
      headline: `${succeeded(run) ? successOf(run) : run.status}: ${run.reason.text}`,
      lines: [
        ...lines,
        ["f(X)", value(run.fval)],
        ["‖grad f‖", small(run.stationarity)],
        ["iterations", `${run.iterations}, ${run.evaluations.f} evaluations, ${duration(run.seconds)}`],
        ["certificate", run.certificate.text],
      ],
      notes: run.notes.filter((note) => note !== run.reason.text),
      document: { ...runDocument(description.name, run), answer: numbers },
      main: saved.name,
      matrices,
      ...(model && { model }),
    };
  },
});

export const applications: readonly ShellApplication[] = [
  ...descriptions.map(ofDescription),
  ...eigenvalueApplications,
];
