/** The functions that a run imports before it begins. */

import type { Engine, Tall } from "@expen/linalg";
import type { CertifyOptions, Outcome } from "../contracts/certificate.js";
import type { Constraint } from "../contracts/constraint.js";
import type { State } from "../contracts/method.js";
import type { Objective, Term } from "../contracts/objective.js";
import type { BeginSolver } from "../contracts/solver.js";
import type { Descent, Run } from "./run.js";

export interface Imports {
  readonly solver: RunSolver;
  /** of `finish: "newton"` */
  readonly newton: RunSolver | undefined;
  readonly certify: Certify;
  /** beside f */
  readonly term: Term | undefined;
  /** of a product: parts on which f does not depend */
  readonly ignored: typeof import("../check/ignored-parts.js") | undefined;
  /** where points stand for classes: the manifold, or without them */
  readonly quotient: ((run: Run) => Constraint) | undefined;
  /** where the run begins again after its end */
  readonly again: readonly Again[];
}

/** A solver of a run */
export interface RunSolver {
  readonly begin: BeginSolver;
  /** whether all iterates lie on the manifold, and f itself is minimised */
  readonly isFeasible: boolean;
}

/** The certificate with the proofs for an f */
export type Certify = (E: Engine, f: Objective, X: Tall, options: CertifyOptions) => Outcome;

/** Begins again at other points, and returns the lowest end; the first is one of them. */
export type Again = (run: Run, imports: Imports, first: Descent) => Generator<State, Descent, void>;
