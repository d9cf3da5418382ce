/** `certify` with its options checked */
import {
  amount,
  anything,
  bool,
  chosenOptions,
  constraint,
  type Engine,
  integer,
  type Kind,
  number,
  object,
  requireKind,
  type SchemaOf,
  type Tall,
} from "@expen/linalg";
import type { CertifyOptions, Outcome, Prover } from "../contracts/certificate.js";
import type { Objective } from "../contracts/objective.js";
import { certify } from "./certify.js";

/** NaN too: the tolerance of a run whose gradient is not finite; the certificate reports that. */
const tolerance: Kind = { ...amount, fits: (value) => amount.fits(value) || Number.isNaN(value) };

const certifySchema: SchemaOf<CertifyOptions> = {
  on: constraint,
  tolerance,
  optimum: number,
  secondOrder: bool,
  thorough: bool,
  budget: amount,
  usual: amount,
  run: object,
  flops: amount,
  beta: anything,
  penaltyGradient: anything,
  seed: integer,
  measurer: object,
  measures: object,
  spectrum: object,
  nonsmooth: object,
  evaluations: object,
};

/** The certificate of X (certify.ts); throws a sentence about the first option that is wrong. */
export function certifyChecked(
  E: Engine,
  f: Objective,
  X: Tall,
  options: CertifyOptions,
  provers: readonly Prover[] = [],
): Outcome {
  const checked = chosenOptions("certify", options, certifySchema);
  requireKind("certify: tolerance", certifySchema.tolerance, checked.tolerance);
  return certify(E, f, X, checked, provers);
}
