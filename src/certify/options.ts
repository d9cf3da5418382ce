/** What the options of `certify` may be. */
import { amount, anything, bool, integer, number, object, type SchemaOf, whole } from "../options.js";
import type { CertifyOptions } from "./types.js";

export const certifySchema: SchemaOf<CertifyOptions> = {
  on: object,
  tolerance: amount,
  optimum: number,
  secondOrder: bool,
  budget: amount,
  usual: amount,
  lanczosSteps: whole(0),
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
