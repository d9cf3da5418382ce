/** The applications of the command line: those of @expen/apps, and eigenvalues, which have no run behind them. */
import type { Description } from "@expen/apps/objectives";
import { descriptions } from "@expen/apps/objectives";
import { duration, small, value } from "../format.js";
import { runDocument, succeeded, successOf } from "../run-document.js";
import { isOfSolvers } from "../solver-flags.js";
import type { ShellApplication } from "./application.js";
import { eigenvalueApplications } from "./eigenvalues.js";
import { answerWithoutRun } from "./without-run.js";

const ofDescription = (description: Description): ShellApplication => ({
  ...description,
  takesSolver: !description.isDirect,
  async run(files, options, notes) {
    const { end: run, saved, lines, numbers, matrices, model } = await description.run(files, options);
    const parts = { main: saved.name, matrices, ...(model && { model }) };
    if (!("reason" in run)) {
      return answerWithoutRun(description.name, run, { lines, numbers: { answer: numbers }, notes, ...parts });
    }
    run.notes.unshift(...notes);
    const unused = Object.keys(options).filter((name) => isOfSolvers(name));
    if (run.run.method === "closed form" && unused.length > 0) {
      const flags = unused.map((name) => `--${name}`).join(", ");
      run.notes.push(`${flags}: not used, since the answer is in closed form; name a solver by --solver`);
    }
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
      ...parts,
    };
  },
});

export const applications: readonly ShellApplication[] = [
  ...descriptions.map(ofDescription),
  ...eigenvalueApplications,
];
