import type { CertifyOptions, Nonsmooth, Objective, Outcome, Term } from "@expen/core";
import { certify as certifyWith } from "@expen/core/certify";
import { quadraticProof } from "@expen/eigen";
import type { Engine, Tall } from "@expen/linalg";
import { normOf } from "./term.js";

/** A term beside f may be data. */
type CertifyInput = Omit<CertifyOptions, "nonsmooth"> & { nonsmooth?: Nonsmooth | Term | undefined };

/** The certificate of X with every proof that there is */
export function certify(E: Engine, f: Objective, X: Tall, options: CertifyInput): Outcome {
  const { nonsmooth } = Object(options) as CertifyInput;
  const term = nonsmooth && normOf(nonsmooth);
  return certifyWith(E, f, X, term ? { ...options, nonsmooth: term } : (options as CertifyOptions), [quadraticProof]);
}
