/** What a run of the benchmarks leaves behind, as JSON. */
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { arch, availableParallelism, cpus, hostname, loadavg, platform, release, totalmem } from "node:os";
import { dirname, join } from "node:path";
import type { Evaluations } from "@expen/core";
import { writeWhole } from "expen/cli";
import type { Clock } from "./contender.js";
import type { Growth } from "./growth.js";
import type { Limit } from "./limit.js";
import { ROOT } from "./peers.js";
import type { Row } from "./rows.js";

/** One contender on one row, in one of the two modes. */
export interface Run {
  contender: string;
  /** "gradient": until the gradient norm is below the tolerance; "gap": until f is within the relative gap of the closed form */
  mode: "gradient" | "gap";
  status: string;
  text: string;
  /** all repeats, in seconds; empty where none was measured */
  seconds: number[];
  evaluations: Evaluations | null;
  iterations: number | null;
  f: number | null;
  stationarity: number | null;
  feasibility: number | null;
  feasibilityBefore: number | null;
  gap: number | null;
}

export interface RowResult extends Row {
  id: string;
  /** of the instance and its start */
  seed: number;
  tables: string[];
  optimum: number | null;
  runs: Run[];
}

/** Grows when what is measured, or how, changes: a report must not say of old numbers what holds for new ones. */
export const FORMAT = 4;

export interface Results {
  format: typeof FORMAT;
  date: string;
  commit: string;
  machine: { name: string; cpu: string; cores: number; memoryGB: number; os: string; node: string; load: number };
  threads: number;
  clock: Clock;
  repeats: number;
  tol: number;
  gapTarget: number;
  limit: number;
  seed: number;
  /** from how many starts the contenders of target 1 run */
  starts: number;
  /** name → description with versions */
  contenders: Record<string, string>;
  /** name → why it was not there */
  skipped: Record<string, string>;
  /** from the first start */
  rows: RowResult[];
  /** from the others */
  others: RowResult[];
  nearLimit?: Limit[];
  growth?: Growth;
}

export const best = ({ seconds }: Pick<Run, "seconds">): number | null =>
  seconds.length > 0 ? Math.min(...seconds) : null;

export function machine(): Results["machine"] {
  return {
    name: hostname(),
    cpu: cpus()[0]?.model ?? "unknown",
    cores: availableParallelism(),
    memoryGB: Math.round(totalmem() / 2 ** 30),
    os: `${platform()} ${release()} ${arch()}`,
    node: process.version,
    load: Math.round(loadavg()[0]! * 100) / 100,
  };
}

/** Others take a part of the processors. */
export const busy = ({ load, cores }: Results["machine"]): boolean => load > cores / 4;

/** The commit, with a + where the working tree differs from it. */
export function commit(): string {
  const git = (...args: string[]): string =>
    execFileSync("git", args, { cwd: ROOT, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
  try {
    return git("rev-parse", "--short", "HEAD") + (git("status", "--porcelain", "--untracked-files=no") ? "+" : "");
  } catch {
    return "unknown";
  }
}

const FOLDER = join(ROOT, "bench/results");
/** What a run has so far, and what a run over a part of the rows leaves. */
export const PARTIAL = join(ROOT, ".expen/bench.json");

/** Whole or not at all: a run that is killed in the middle of it can still be resumed. */
export function writeResults(path: string, results: Results): void {
  mkdirSync(dirname(path), { recursive: true });
  writeWhole({ [path]: `${JSON.stringify(results, null, 1)}\n` });
}

/** What an interrupted run left. */
export function partialResults(path: string): Results {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as Results;
  } catch (error) {
    throw new Error(`--resume: there is no interrupted run in ${path} (${(error as Error).message}).`);
  }
}

export function saveResults(results: Results): string {
  const day = results.date.slice(0, 10);
  const threads = results.threads > 1 ? `-${results.threads}threads` : "";
  const path = join(FOLDER, `${results.machine.name}-${day}${threads}.json`);
  writeResults(path, results);
  return path;
}

/** A named file, or the newest of bench/results by its own date. */
export function loadResults(path?: string): { path: string; results: Results } {
  const read = (path: string) => ({ path, results: JSON.parse(readFileSync(path, "utf8")) as Results });
  if (path) return ofThisFormat(read(path));
  let names: string[] = [];
  try {
    names = readdirSync(FOLDER).filter((name) => name.endsWith(".json"));
  } catch {
    // no folder, no results
  }
  if (names.length === 0) throw new Error("there is nothing in bench/results; run 'npm run bench' first.");
  const all = names.map((name) => read(join(FOLDER, name)));
  return ofThisFormat(all.reduce((a, b) => (a.results.date >= b.results.date ? a : b)));
}

function ofThisFormat(loaded: { path: string; results: Results }): { path: string; results: Results } {
  if (loaded.results.format === FORMAT) return loaded;
  throw new Error(`${loaded.path} was measured by an earlier form of the benchmark; run 'npm run bench' again.`);
}

/** The rows of an interrupted run, if it was the same run: settings, programs and their versions. */
export function takeOver(before: Results, now: Results): void {
  const settings = ({
    format,
    commit,
    threads,
    clock,
    repeats,
    tol,
    gapTarget,
    limit,
    seed,
    starts,
    contenders,
  }: Results) =>
    Object.entries({ format, commit, threads, clock, repeats, tol, gapTarget, limit, seed, starts, contenders });
  const old = Object.fromEntries(settings(before));
  for (const [name, value] of settings(now)) {
    if (JSON.stringify(value) === JSON.stringify(old[name])) continue;
    throw new RangeError(
      `--resume: the interrupted run had other ${name} (${JSON.stringify(old[name])}, now ${JSON.stringify(value)}); run without --resume.`,
    );
  }
  now.rows.push(...before.rows);
  now.others.push(...before.others);
}
