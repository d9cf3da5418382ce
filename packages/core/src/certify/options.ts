/** The schema of the options of `certify`. */
import { amount, anything, bool, constraint, integer, type Kind, number, object, type SchemaOf } from "@expen/linalg";
import type { CertifyOptions } from "../contracts/certificate.js";

/** NaN too: the tolerance of a run whose gradient is not finite; the certificate reports that. */
const tolerance: Kind = { ...amount, fits: (value) => amount.fits(value) || Number.isNaN(value) };

export const certifySchema: SchemaOf<CertifyOptions> = {
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
