/** What a run of the suite leaves behind, as JSON. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Evaluations } from "@expen/core";
import type { Clock } from "../contender.js";
import { ROOT } from "../peers.js";
import type { Results } from "../results.js";

export interface ConstrainedRun {
  problem: string;
  seed: number;
  contender: string;
  status: string;
  text: string;
  seconds: number | null;
  evaluations: Evaluations | null;
}

export interface ConstrainedResults {
  suite: "constraints";
  date: string;
  commit: string;
  machine: Results["machine"];
  /** relative, to be reached */
  gap: number;
  /** seconds a run */
  limit: number;
  clock: Clock;
  repeats: number;
  contenders: Record<string, string>;
  runs: ConstrainedRun[];
}

export const PARTIAL = join(ROOT, ".expen/bench-constraints.json");
const FOLDER = join(ROOT, "bench/results/constraints");

export function writeConstrained(path: string, results: ConstrainedResults): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${JSON.stringify(results, null, 1)}\n`);
}

export function readConstrained(path: string): ConstrainedResults {
  const results = JSON.parse(readFileSync(path, "utf8")) as ConstrainedResults;
  if (results.suite !== "constraints") throw new RangeError(`${path}: it holds no results of the suite constraints.`);
  return results;
}

/** The newest of those that are kept, or what the last run left */
export function newestConstrained(): string {
  try {
    const newest = readdirSync(FOLDER).sort().at(-1);
    if (newest) return join(FOLDER, newest);
  } catch {
    // none is kept
  }
  return PARTIAL;
}
