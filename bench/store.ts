/**
 * Results of a suite as JSON in .expen/bench, which git ignores: one file for each whole run, in a folder of the suite, and one file for
 * the run that is going on or that covers a part of the suite.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { arch, availableParallelism, cpus, hostname, loadavg, platform, release, totalmem } from "node:os";
import { dirname, join, relative } from "node:path";
import { writeWhole } from "expen/cli";
import type { Clock } from "./contender.js";
import { ROOT } from "./peers.js";

/** A suite as its results name it. */
export interface Kind {
  readonly name: string;
  /** The version of the results: it grows when the measured quantities or the way of measuring change. */
  readonly format: number;
}

/** Settings of a run, which a resumed run must share. */
export interface Settings {
  threads: number;
  clock: Clock;
  /** seconds a run may take */
  limit: number;
  /** name → description with versions */
  contenders: Record<string, string>;
}

/** The part of the results that all suites have. */
export interface Head extends Settings {
  suite: string;
  format: number;
  date: string;
  commit: string;
  machine: { name: string; cpu: string; cores: number; memoryGB: number; os: string; node: string; load: number };
  /** name → reason why it was skipped */
  skipped: Record<string, string>;
}

function describeMachine(): Head["machine"] {
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

/** Whether other programs use a part of the processors. */
export const isBusy = ({ load, cores }: Head["machine"]): boolean => load > cores / 4;

/** The commit, with a + where the working tree differs from it. */
function currentCommit(): string {
  const git = (...args: string[]): string =>
    execFileSync("git", args, { cwd: ROOT, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
  try {
    return git("rev-parse", "--short", "HEAD") + (git("status", "--porcelain", "--untracked-files=no") ? "+" : "");
  } catch {
    return "unknown";
  }
}

/** The results of a run that begins: empty lists, or those of the interrupted run `before`, which must have had the same settings. */
export function startResults<R extends Head>(
  { name, format }: Kind,
  body: Omit<R, Exclude<keyof Head, keyof Settings | "skipped">>,
  before?: R,
): R {
  const head = { suite: name, format, date: new Date().toISOString(), commit: currentCommit() };
  const now = { ...head, machine: describeMachine(), ...body } as unknown as R;
  if (!before) return now;
  for (const key of Object.keys(now) as (keyof R)[]) {
    if (Array.isArray(now[key])) now[key] = before[key];
    else if (key !== "date" && key !== "machine" && key !== "skipped") requireSame(String(key), before[key], now[key]);
  }
  return now;
}

function requireSame(name: string, before: unknown, now: unknown): void {
  const [old, other] = [before, now].map((value) => JSON.stringify(value));
  if (old === other) return;
  throw new RangeError(`--resume: the interrupted run had other ${name} (${old}, now ${other}); run without --resume.`);
}

const FOLDER = join(ROOT, ".expen/bench");

/** The file of the run that is going on, or of the last one over a part of the suite. */
export const partialPath = ({ name }: Kind): string => join(FOLDER, `${name}.json`);

/** The file of a whole run. */
export function wholePath({ suite, date, machine, threads }: Head): string {
  const many = threads > 1 ? `-${threads}threads` : "";
  return join(FOLDER, suite, `${date.slice(0, 10)}-${machine.cores}-cores${many}.json`);
}

/** Writes the file whole or not at all: a run killed meanwhile can still be resumed. */
export function writeResults(path: string, results: Head): void {
  mkdirSync(dirname(path), { recursive: true });
  writeWhole({ [path]: `${JSON.stringify(results, null, 1)}\n` });
}

/** The command that runs a suite; the rows of the paper need no name. */
export const commandOf = ({ name }: Kind): string => `npm run bench${name === "paper" ? "" : ` -- --suite ${name}`}`;

export function readResults<R extends Head>(kind: Kind, path: string): R {
  const results = JSON.parse(readFileSync(path, "utf8")) as R;
  if (results.suite === kind.name && results.format === kind.format) return results;
  throw new RangeError(
    `${path}: it holds no results of the suite ${kind.name} in format ${kind.format}; '${commandOf(kind)}' makes them.`,
  );
}

/** The results of an interrupted run. */
export function readInterrupted<R extends Head>(kind: Kind, path: string): R {
  try {
    return readResults(kind, path);
  } catch (error) {
    throw new RangeError(`--resume: there is no interrupted run in ${path} (${(error as Error).message}).`);
  }
}

/** The newest whole run on this machine. */
export function newestResults<R extends Head>(kind: Kind, folder = join(FOLDER, kind.name)): R {
  let names: string[] = [];
  try {
    names = readdirSync(folder).filter((name) => name.endsWith(".json"));
  } catch {
    // without a folder there are no results
  }
  if (names.length === 0) {
    const place = relative(ROOT, folder);
    throw new RangeError(`${place} has no results of a whole run; '${commandOf(kind)}' measures them on this machine.`);
  }
  const all = names.map((name) => readResults<R>(kind, join(folder, name)));
  return all.reduce((a, b) => (a.date >= b.date ? a : b));
}
