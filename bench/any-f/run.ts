/** `npm run bench -- --suite any-f`: plain functions with their gradients, families × sizes × seeds, ours beside the peers. */
import { setImmediate } from "node:timers/promises";
import { openEngine } from "@expen/engines";
import { digits } from "@expen/linalg";
import type { Outcome } from "../contender.js";
import { findPython, openPeer } from "../peers.js";
import { commit, machine } from "../results.js";
import { textTable } from "../tables.js";
import { families } from "./families.js";
import type { Family } from "./family.js";
import { type AnyInstance, type Case, caseId, drawCase, judgeOf } from "./instance.js";
import { type AnyContender, FORMER, openOwn } from "./ours.js";
import { ANY_FORMAT, type AnyCase, type AnyResults, type AnyRun, isReached, work } from "./results.js";
import { familyTable, meansOf } from "./tables.js";

export const ANY_CONTENDERS = [
  "expen@blas",
  `${FORMER}@blas`,
  "pymanopt-rcg",
  "pymanopt-tr",
  "scipy-lbfgsb",
  "scipy-cg",
  "cdopt-lbfgs",
  "cdopt-cg",
];

export interface AnyOptions {
  chosen?: readonly Family[];
  names?: readonly string[];
  seeds?: number;
  repeats?: number;
  threads?: number;
  clock?: AnyResults["clock"];
  tol?: number;
  /** seconds a run may take */
  limit?: number;
  /** seconds of work before anything is measured, of each contender on each of three functions */
  warmUpSeconds?: number;
  before?: AnyResults;
  save?(results: AnyResults): void;
  log?(line: string): void;
}

/** A contender that has had so many seconds of a case is not asked again: short runs are repeated often, long ones never. */
const ENOUGH = 0.3;
const WARM_UP = [
  ["brockett", 60, 5],
  ["procrustes-square", 10, 10],
  ["noeig", 60, 5],
] as const;

export async function benchAny({
  chosen = families,
  names = ANY_CONTENDERS,
  seeds = 3,
  repeats = 20,
  threads = 1,
  clock = "wall",
  tol = 1e-6,
  limit = 5,
  warmUpSeconds = 1,
  before,
  save = () => {},
  log = console.log,
}: AnyOptions = {}): Promise<AnyResults> {
  const { contenders, skipped } = await openAll(names, threads);
  const results: AnyResults = {
    suite: "any-f",
    format: ANY_FORMAT,
    date: new Date().toISOString(),
    commit: commit(),
    machine: machine(),
    threads,
    clock,
    repeats,
    tol,
    limit,
    seeds,
    contenders: Object.fromEntries(contenders.map(({ name, description }) => [name, description])),
    skipped,
    cases: [],
  };
  if (before) takeOver(before, results);
  for (const [name, description] of Object.entries(results.contenders)) log(`${name}: ${description}`);
  for (const [name, why] of Object.entries(skipped)) log(`${name}: skipped, ${why}`);
  const E = await openEngine("auto", { threads: 1 });
  const cases = chosen.flatMap((family) =>
    family.sizes.flatMap(([n, p]) => Array.from({ length: seeds }, (_, k): Case => ({ family, n, p, seed: k + 1 }))),
  );
  const began = performance.now();
  try {
    await warmUp();
    for (const [index, one] of cases.entries()) {
      if (results.cases.some((known) => sameCase(known, one))) continue;
      const instance = drawCase(E, one, tol);
      const result = await race(instance);
      instance.dispose();
      results.cases.push(result);
      save(results);
      const done = `${index + 1}/${cases.length}, ${minutes(began)} min`;
      log(`${done}  ${caseId(one)}  ${result.runs.map((run) => brief(result, run)).join("  ")}`);
    }
  } finally {
    for (const contender of contenders) contender.end();
    E.dispose();
  }
  log(`\n${textTable(familyTable(results))}\n\n${textTable(meansOf(results))}`);
  return results;

  /** Until each contender has worked for a while by its own clock, on a tall X, a square one, and an f that costs little. */
  async function warmUp(): Promise<void> {
    for (const [name, n, p] of WARM_UP) {
      const instance = drawCase(E, { family: families.find((family) => family.name === name)!, n, p, seed: 1 }, tol);
      for (const contender of contenders) {
        for (let spent = 0; spent < warmUpSeconds; ) {
          const { seconds } = await attempt(contender, instance);
          // what fails at once need not be warm
          spent += seconds ?? warmUpSeconds;
        }
      }
      instance.dispose();
    }
  }

  /** All contenders in turn, so that each sees the same noise of the machine. */
  async function race(instance: AnyInstance): Promise<AnyCase> {
    const { family, n, p, seed, tol } = instance;
    const measure = judgeOf(E, instance);
    const lanes = contenders.map((contender) => ({
      contender,
      best: Number.POSITIVE_INFINITY,
      spent: 0,
      last: {} as Outcome,
    }));
    for (let round = 0; round < repeats; round++) {
      for (const lane of lanes) {
        if (round > 0 && (lane.last.status !== "converged" || lane.spent > ENOUGH)) continue;
        lane.last = await attempt(lane.contender, instance);
        const { seconds = Number.POSITIVE_INFINITY } = lane.last;
        lane.best = Math.min(lane.best, seconds);
        lane.spent += seconds;
      }
    }
    const runs = lanes.map(({ contender, best, last }): AnyRun => {
      const { status, text, evaluations = null, iterations = null, X } = last;
      const judged = X?.data.every(Number.isFinite) ? measure(X) : undefined;
      return {
        contender: contender.name,
        status,
        text,
        seconds: Number.isFinite(best) ? best : null,
        evaluations,
        iterations,
        f: judged?.fval ?? null,
        stationarity: judged?.stationarity ?? null,
      };
    });
    return { family: family.name, n, p, seed, tol, runs };
  }

  /** A failure is a result. */
  async function attempt(contender: AnyContender, instance: AnyInstance): Promise<Outcome> {
    // space of dead matrices comes back when the event loop turns: else each run would take memory that was never used before
    await setImmediate();
    try {
      return await contender.run(instance, { tol: instance.tol, target: null, limit, clock });
    } catch (error) {
      return { status: "failed", text: error instanceof Error ? error.message : String(error) };
    }
  }
}

const brief = (one: AnyCase, run: AnyRun): string =>
  isReached(one, run) && run.evaluations ? String(work(run.evaluations)) : `(${run.status})`;

const minutes = (since: number): string => digits((performance.now() - since) / 60_000, 3);

const sameCase = (known: AnyCase, { family, n, p, seed }: Case): boolean =>
  known.family === family.name && known.n === n && known.p === p && known.seed === seed;

async function openAll(names: readonly string[], threads: number) {
  const python = findPython();
  const contenders: AnyContender[] = [];
  const skipped: Record<string, string> = {};
  for (const name of names) {
    let opened: AnyContender | string;
    try {
      if (name.includes("@")) opened = await openOwn(name, threads);
      else
        opened = python ? await openPeer(name, python, threads) : "no Python; 'npm run bench:setup' installs the peers";
    } catch (error) {
      opened = error instanceof Error ? error.message : String(error);
    }
    if (typeof opened === "string") skipped[name] = opened;
    else contenders.push(opened);
  }
  return { contenders, skipped };
}

/** The cases of an interrupted run, if it was the same run. */
function takeOver(before: AnyResults, now: AnyResults): void {
  for (const name of ["commit", "threads", "clock", "repeats", "tol", "limit", "seeds", "contenders"] as const) {
    const [old, other] = [before[name], now[name]].map((value) => JSON.stringify(value));
    if (old === other) continue;
    throw new RangeError(
      `--resume: the interrupted run had other ${name} (${old}, now ${other}); run without --resume.`,
    );
  }
  now.cases.push(...before.cases);
}
