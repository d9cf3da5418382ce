/** `npm run bench`: our solvers and their peers on the rows of the paper's tables, side by side. */
import "../cli/relaxed-simd.js";
import { mkdirSync, rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname } from "node:path";
import { pathToFileURL } from "node:url";
import { lock } from "../cli/lock.js";
import { clearPartials } from "../cli/whole-file.js";
import { openEngine } from "../src/engines/open.js";
import { requireMemory } from "../src/memory/require.js";
import { problems } from "../src/problems/catalog.js";
import { solverParts } from "../src/solvers/need.js";
import { benchAnyFromArguments } from "./any-f/arguments.js";
import { readArguments } from "./arguments.js";
import { benchConstraintsFromArguments } from "./constraints/run.js";
import type { Clock, Contender, Outcome } from "./contender.js";
import { growth, growthText } from "./growth.js";
import { benchMoleculesFromArguments } from "./hartree-fock.js";
import { drawInstance, type Instance, judge } from "./instance.js";
import { removeLeftBehind } from "./left-behind.js";
import { NEAR_LIMIT, nearLimit } from "./limit.js";
import { openNlopt } from "./nlopt.js";
import { openOurs } from "./ours.js";
import { findPython, openPeer } from "./peers.js";
import {
  busy,
  commit,
  FORMAT,
  machine,
  PARTIAL,
  partialResults,
  type Results,
  type RowResult,
  type Run,
  saveResults,
  writeResults,
} from "./results.js";
import { chooseRows, type Row, rowId, tablesOf } from "./rows.js";
import { benchSpecialistsFromArguments } from "./specialists/run.js";
import { meansTable, rowTable, textTable, verdictTable } from "./tables.js";

export const CONTENDERS = [
  "expen@blas",
  "expen-cg@blas",
  "expen@wasm",
  "scipy-cg",
  "scipy-lbfgsb",
  "pymanopt-rcg",
  "pymanopt-tr",
  "cdopt-cg",
  "cdopt-lbfgs",
  "geoopt-cg",
  "nlopt-js",
];

/** Target 1: two programs for one algorithm, whose counts depend on rounding and so on luck. Several starts say more. */
const SAME = ["expen-cg@blas", "scipy-cg"];

/** The two peers that the targets are about; the report has the means of all. */
const REFERENCES = ["scipy-cg", "pymanopt-rcg"];

export interface BenchOptions {
  /** names of tables, of groups, or rows such as noeig:1000x50, with commas between */
  rows?: string;
  contenders?: string[];
  /** of each run; the best counts */
  repeats?: number;
  /** of every BLAS; "all": as many as there are cores */
  threads?: number | "all";
  /** wall time, or processor time: for a busy machine, on one thread */
  clock?: Clock;
  /** seconds a run may take */
  limit?: number;
  tol?: number;
  /** the relative gap that is raced to on rows with a closed form; 0: not at all */
  gap?: number;
  /** the rows in which the slow contenders take part too: a few, or all where contenders are named */
  slow?: string;
  seed?: number;
  /** from this many, of seeds one after the other, the contenders of target 1 run; everyone else from the first */
  starts?: number;
  /** also measure how near the products the time is, and how it grows with n and p */
  limits?: boolean;
  /** of an interrupted run with the same settings: its rows are taken over */
  before?: Results;
  /** called after each row */
  save?(results: Results): void;
  log?(line: string): void;
}

/** A contender that has used so many seconds on a row is not repeated: what is left to gain is small against the rest. */
const REPEAT_BUDGET = 40;
/** Rows on which all contenders together have used less than these seconds are repeated so often: short times are the least certain. */
const SHORT = 10;
const MOST_REPEATS = 10;
const WARM_UP_MS = 500;
/** Far behind the others: a few rows show by how much. */
const SLOW = /^(cdopt|geoopt|pymanopt-tr|nlopt)/;
/** So small a gradient that the race to the gap never ends by it. */
const NO_TOLERANCE = 1e-10;

export async function bench({
  rows = "all",
  contenders: names = CONTENDERS,
  repeats = 3,
  threads: wanted = 1,
  clock = "wall",
  limit = 120,
  tol = 1e-3,
  gap = 1e-6,
  slow = names === CONTENDERS ? "quick,small" : rows,
  seed = 1,
  starts = 1,
  limits = false,
  before,
  save = () => {},
  log = console.log,
}: BenchOptions = {}): Promise<Results> {
  const chosen = chooseRows(rows);
  for (const { problem, n, p } of chosen) {
    requireMemory(n, p, [...problems.get(problem)!.holds({ n, p }), ...solverParts(n, p)]);
  }
  const slowRows = new Set(chooseRows(slow).map(rowId));
  const threads = wanted === "all" ? availableParallelism() : wanted;
  const { contenders, skipped } = await openContenders(names, threads);
  const results: Results = {
    format: FORMAT,
    date: new Date().toISOString(),
    commit: commit(),
    machine: machine(),
    threads,
    clock,
    repeats,
    tol,
    gapTarget: gap,
    limit,
    seed,
    starts,
    contenders: Object.fromEntries(contenders.map(({ name, description }) => [name, description])),
    skipped,
    rows: [],
    others: [],
  };
  const { cpu, cores, load, node } = results.machine;
  log(
    `${cpu}, ${cores} cores, load ${load}, Node ${node}; BLAS threads: ${threads}; best of ${repeats}, ${clock} time; tolerance ${tol}`,
  );
  if (busy(results.machine) && clock === "wall") {
    log("The machine is busy: wait, or compare processor time (--clock cpu, on one thread only).");
  }
  for (const [name, description] of Object.entries(results.contenders)) log(`${name}: ${description}`);
  for (const [name, why] of Object.entries(skipped)) log(`${name}: skipped, ${why}`);

  const E = await openEngine("auto", { threads: 1 });
  try {
    if (before) takeOver(before, results);
    await warmUp();
    for (const row of chosen) await run(row, seed, results.rows, contenders);
    const same = contenders.filter(({ name }) => SAME.includes(name));
    for (let other = seed + 1; other < seed + starts && same.length === SAME.length; other++) {
      for (const row of chosen) if (tablesOf(row).length > 0) await run(row, other, results.others, same);
    }
  } finally {
    for (const contender of contenders) contender.end();
    E.dispose();
  }
  if (limits) {
    results.nearLimit = await nearLimit(chooseRows(NEAR_LIMIT), { tol, clock });
    results.growth = await growth({ repeats, clock });
    log(`\n${growthText(results.growth)}`);
  }
  log(`\n${textTable(meansTable(results, (peer) => REFERENCES.includes(peer)))}`);
  log(`\n${textTable(verdictTable(results))}`);
  return results;

  /** One row from one start; the race to the gap is for everyone, and from the first start alone. */
  async function run(row: Row, from: number, list: RowResult[], lineup: Contender[]): Promise<void> {
    const id = rowId(row);
    const title = from === seed ? id : `${id}, seed ${from}`;
    if (list.some((known) => known.id === id && known.seed === from)) {
      log(`\n${title}: taken over`);
      return;
    }
    const instance = drawInstance(E, row, from);
    const { optimum } = instance;
    const result: RowResult = { ...row, id, seed: from, tables: tablesOf(row), optimum, runs: [] };
    result.runs.push(...(await race(instance, "gradient", lineup)));
    log(`\n${title}${optimum === null ? "" : `, f* = ${optimum}`}`);
    log(textTable(rowTable(result, tol, "gradient")));
    if (from === seed && optimum !== null && gap > 0 && result.tables.length > 0) {
      result.runs.push(...(await race(instance, "gap", lineup)));
      log(`to a relative gap of ${gap}`);
      log(textTable(rowTable(result, tol, "gap")));
    }
    instance.dispose();
    list.push(result);
    save(results);
  }

  /** Compilers, caches and thread pools of everyone, on both problems: as often as fits into the time, for all the same. */
  async function warmUp(): Promise<void> {
    for (const row of chooseRows("noeig:60x5,brockett:60x5")) {
      const instance = drawInstance(E, row, seed);
      for (const contender of contenders) {
        if (contender.refuses?.(instance)) continue;
        const began = performance.now();
        do await contender.run(instance, { tol, target: null, limit, clock });
        while (performance.now() - began < WARM_UP_MS);
      }
      instance.dispose();
    }
  }

  /** All contenders in turn, as often as asked, and oftener where that is soon done: each sees the same noise of the machine. */
  async function race(instance: Instance, mode: Run["mode"], lineup: Contender[]): Promise<Run[]> {
    const { optimum } = instance;
    const target = mode === "gap" ? optimum! + gap * Math.abs(optimum!) : null;
    const measure = judge(E, instance);
    const lanes = lineup
      .filter((contender) => !contender.refuses?.(instance) && takesPart(contender.name, instance))
      .map((contender) => ({ contender, seconds: [] as number[], last: undefined as Outcome | undefined }));
    const spent = ({ seconds }: { seconds: number[] }) => seconds.reduce((sum, s) => sum + s, 0);
    const more = () => repeats > 1 && lanes.reduce((sum, lane) => sum + spent(lane), 0) < SHORT;
    for (let round = 0; round < repeats || (round < MOST_REPEATS && more()); round++) {
      for (const lane of lanes) {
        if (round > 0 && (lane.last!.status !== "converged" || spent(lane) > REPEAT_BUDGET)) continue;
        const outcome = await attempt(lane.contender, instance, target);
        if (outcome.seconds !== undefined) lane.seconds.push(outcome.seconds);
        lane.last = outcome;
      }
    }
    return lanes.map(({ contender, seconds, last }) => {
      const { status, text, evaluations = null, iterations = null, X } = last!;
      const judged = X && measure(X);
      return {
        contender: contender.name,
        mode,
        status,
        text,
        seconds,
        evaluations,
        iterations,
        f: judged?.fval ?? null,
        stationarity: judged?.stationarity ?? null,
        feasibility: judged?.feasibility ?? null,
        feasibilityBefore: judged?.feasibilityBefore ?? null,
        gap: judged?.gap ?? null,
      };
    });
  }

  function takesPart(name: string, row: Row): boolean {
    return !SLOW.test(name) || slowRows.has(rowId(row));
  }

  /** A failure is a result. */
  async function attempt(contender: Contender, instance: Instance, target: number | null): Promise<Outcome> {
    try {
      return await contender.run(instance, { tol: target === null ? tol : NO_TOLERANCE, target, limit, clock });
    } catch (error) {
      return { status: "failed", text: error instanceof Error ? error.message : String(error) };
    }
  }
}

async function openContenders(names: string[], threads: number) {
  const python = findPython();
  const contenders: Contender[] = [];
  const skipped: Record<string, string> = {};
  for (const name of names) {
    let opened: Contender | string;
    try {
      if (name.includes("@")) opened = await openOurs(name, threads);
      else if (name === "nlopt-js") opened = await openNlopt();
      else if (python) opened = await openPeer(name, python, threads);
      else
        opened = "there is no Python with SciPy; 'npm run bench:setup' installs the peers, or EXPEN_PYTHON names one";
    } catch (error) {
      opened = error instanceof Error ? error.message : String(error);
    }
    if (typeof opened === "string") skipped[name] = opened;
    else contenders.push(opened);
  }
  return { contenders, skipped };
}

/** The rows of an interrupted run, if it was the same run: settings, programs and their versions. */
function takeOver(before: Results, now: Results): void {
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

/** Runs as the arguments say and keeps the results; returns the exit code. */
export async function benchFromArguments(args: string[]): Promise<number> {
  let unlock = (): void => {};
  try {
    const { out = PARTIAL, resume, full, ...chosen } = readArguments(args);
    const before = resume ? { before: partialResults(out) } : {};
    mkdirSync(dirname(out), { recursive: true });
    unlock = lock(`${out}.lock`, out);
    clearPartials(out);
    removeLeftBehind();
    const save = (results: Results): void => writeResults(out, results);
    const results = await bench({ ...chosen, ...before, save });
    save(results);
    // a part of the rows must not take the place of a full run
    if (full && out === PARTIAL) {
      console.log(`\n${saveResults(results)}`);
      rmSync(PARTIAL);
    } else console.log(`\n${out}`);
    return 0;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return 2;
  } finally {
    unlock();
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const args = process.argv.slice(2);
  const suites: Record<string, (args: string[]) => Promise<number>> = {
    "any-f": benchAnyFromArguments,
    constraints: benchConstraintsFromArguments,
    "hartree-fock": benchMoleculesFromArguments,
    specialists: benchSpecialistsFromArguments,
  };
  const given = args.findIndex((word) => word === "--suite" || word.startsWith("--suite="));
  const suite = given < 0 ? undefined : (args[given]!.split("=")[1] ?? args[given + 1]);
  const start = suite === undefined ? benchFromArguments : suites[suite];
  if (!start) {
    console.error(`bench: suite '${suite}' is none of ${Object.keys(suites).join(", ")}.`);
    process.exitCode = 2;
  } else process.exitCode = await start(args);
}
