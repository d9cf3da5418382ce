/** The part of the options that a run takes, and the run itself. */
import type { Manifold, Objective, Result } from "@expen/core";
import type { Engine, Matrix } from "@expen/linalg";
import { type ApplicationOptions, runOn } from "../application.js";

export interface SolveOptions {
  /** of all random numbers; the same seed gives the same vectors on the same engine */
  seed?: number;
  signal?: AbortSignal;
  maxSeconds?: number;
  /** calls of A at most, each with any number of columns */
  maxEvaluations?: number;
}

/** `tol`: the norm of the residuals together; `certificate`: leave the certificate of the minimum to the run */
export interface RunOptions extends SolveOptions {
  readonly tol: number;
  readonly start?: Matrix | undefined;
  readonly precondition?: ApplicationOptions["precondition"] | undefined;
  readonly certificate?: boolean;
}

export function solveForm(E: Engine, f: Objective, on: Manifold, run: RunOptions): Promise<Result> {
  const { start, certificate = false, precondition, ...o } = run;
  const options: ApplicationOptions = {
    ...o,
    ...(precondition && { precondition }),
    ...(certificate ? {} : { certificate: "stationary", certificateBudget: 0 }),
  };
  return runOn(E, f, on, options, start ? { start } : {});
}
