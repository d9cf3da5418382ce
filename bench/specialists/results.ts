/** What a run of the suite leaves behind, as JSON. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Evaluations } from "@expen/core";
import type { Clock } from "../contender.js";
import { ROOT } from "../peers.js";
import type { Results } from "../results.js";

/** One side on one task: of all starts the time, of the best one the rest. */
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
  /** ours: seconds with the certificate, and what it says */
  certified?: { seconds: number; level: string };
  /** it minimises another function than the judge's */
  other?: boolean;
}

export interface SpecialistCase {
  field: string;
  name: string;
  starts: number;
  /** |f| where nothing was done yet: what rounding is measured by */
  scale: number;
  runs: SpecialistRun[];
}

export interface SpecialistResults {
  suite: "specialists";
  date: string;
  commit: string;
  machine: Results["machine"];
  threads: number;
  clock: Clock;
  engine: string;
  contenders: Record<string, string>;
  skipped: Record<string, string>;
  cases: SpecialistCase[];
}

export const OURS = "expen";

const FOLDER = join(ROOT, "bench/results/specialists");
export const SPECIALISTS_PARTIAL = join(ROOT, ".expen/bench-specialists.json");

export function writeSpecialists(path: string, results: SpecialistResults): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${JSON.stringify(results, null, 1)}\n`);
}

export function readSpecialists(path: string): SpecialistResults {
  const results = JSON.parse(readFileSync(path, "utf8")) as SpecialistResults;
  if (results.suite !== "specialists") throw new RangeError(`${path}: not a result of the suite specialists.`);
  return results;
}

export function newestSpecialists(): string {
  const names = readdirSync(FOLDER).filter((name) => name.endsWith(".json"));
  return join(FOLDER, names.sort().at(-1)!);
}

export const keptSpecialists = ({ date, machine }: SpecialistResults): string =>
  join(FOLDER, `${date.slice(0, 10)}-${machine.cores}-cores.json`);

/** A tool whose f is above ours by this part of it ended elsewhere, or too soon; and we beside it. */
const SAME = 1e-7;
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
