/** Results of the suite specialists, and the comparison of two sides. */
import type { Evaluations } from "@expen/core";
import type { Head, Kind } from "../store.js";

export const kind: Kind = { name: "specialists", format: 2 };

/** One side on one task: the time of all starts, everything else from the best one. */
export interface SpecialistRun {
  contender: string;
  status: string;
  text: string;
  /** best of the repeats; null where nothing was measured */
  seconds: number | null;
  iterations: number | null;
  evaluations: Evaluations | null;
  /** by the judge, at the nearest orthonormal point */
  f: number | null;
  stationarity: number | null;
  /** ours: seconds with the certificate, and its level */
  certified?: { seconds: number; level: string };
  /** it minimises another function than the judge's */
  other?: boolean;
}

export interface SpecialistCase {
  field: string;
  name: string;
  starts: number;
  /** |f| at the first columns of I: the unit of its roundoff */
  scale: number;
  runs: SpecialistRun[];
}

export interface SpecialistResults extends Head {
  engine: string;
  cases: SpecialistCase[];
}

export const OURS = "expen";

/** Relative difference of f from which two answers differ. */
const SAME = 1e-7;
/** Roundoff of f relative to its scale. */
const ROUNDING = 1e-14;

export interface Comparison {
  /** time of the tool : ours */
  ratio: number | undefined;
  verdict: "same" | "better" | "worse" | "failed";
}

export function compared(
  { scale }: Pick<SpecialistCase, "scale">,
  ours: SpecialistRun,
  tool: SpecialistRun,
): Comparison {
  if (ours.f === null || tool.f === null) return { ratio: undefined, verdict: "failed" };
  const room = SAME * Math.abs(ours.f) + ROUNDING * scale;
  const verdict = ours.f > tool.f + room ? "worse" : ours.f < tool.f - room ? "better" : "same";
  return { ratio: ours.seconds && tool.seconds ? tool.seconds / ours.seconds : undefined, verdict };
}
