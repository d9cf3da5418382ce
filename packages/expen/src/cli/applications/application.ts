/** An application as the command line runs it */
import type { ModelDocument } from "@expen/apps";
import type { Description } from "@expen/apps/objectives";
import type { Table } from "@expen/linalg";

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
