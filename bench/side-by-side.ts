/** Our solvers and their peers on rows of the paper's tables, side by side in one run. */
import { availableParallelism } from "node:os";
import { openEngine } from "@expen/engines";
import { problems } from "@expen/experiments/problems";
import { requireMemory } from "@expen/linalg/memory";
import { solverParts } from "@expen/solvers";
import type { Clock, Contender, Outcome } from "./contender.js";
import { CONTENDERS, openContenders, REFERENCES, SAME } from "./contenders.js";
import { growth, growthText } from "./growth.js";
import { drawInstance, type Instance, judge } from "./instance.js";
import { NEAR_LIMIT, nearLimit } from "./limit.js";
import { busy, commit, FORMAT, machine, type Results, type RowResult, type Run, takeOver } from "./results.js";
import { chooseRows, type Row, rowId, tablesOf } from "./rows.js";
import { meansTable, rowTable, textTable, verdictTable } from "./tables.js";

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
  /** the relative gap that is raced to on rows with a closed form besides; 0: not at all */
  gap?: number;
  /** the rows in which the slow contenders take part too: a few, or all where contenders are named */
  slow?: string;
  seed?: number;
  /** from this many, of seeds one after the other, the contenders of target 1 run, once from each but the first */
  starts?: number;
  /** milliseconds in which each contender warms up on each problem */
  warmUp?: number;
  /** also measure how near the products the time is, and how it grows with n and p */
  limits?: boolean;
  /** of an interrupted run with the same settings: its rows are taken over */
  before?: Results;
  /** called after each row */
  save?(results: Results): void;
  log?(line: string): void;
}

/** A contender that has used so many seconds on a row is not repeated: what is left to gain is small against the rest. */
export const REPEAT_BUDGET = 15;
/** Rows on which all contenders together have used less than these seconds are repeated so often: short times are the least certain. */
const SHORT = 10;
const MOST_REPEATS = 10;
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
  limit = 60,
  tol = 1e-3,
  gap = 0,
  slow = names === CONTENDERS ? "quick,small" : rows,
  seed = 1,
  starts = 1,
  warmUp = 500,
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
  /** no row has been run yet; where all are taken over, none will be */
  let cold = true;
  try {
    if (before) takeOver(before, results);
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
    if (cold) await warmAll();
    cold = false;
    const instance = drawInstance(E, row, from);
    const { optimum } = instance;
    const result: RowResult = { ...row, id, seed: from, tables: tablesOf(row), optimum, runs: [] };
    result.runs.push(...(await race(instance, "gradient", lineup, from === seed ? repeats : 1)));
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
  async function warmAll(): Promise<void> {
    for (const row of chooseRows("noeig:60x5,brockett:60x5")) {
      const instance = drawInstance(E, row, seed);
      for (const contender of contenders) {
        if (contender.refuses?.(instance)) continue;
        const began = performance.now();
        do await contender.run(instance, { tol, target: null, limit, clock });
        while (performance.now() - began < warmUp);
      }
      instance.dispose();
    }
  }

  /** All contenders in turn, as often as asked, and oftener where that is soon done: each sees the same noise of the machine. */
  async function race(instance: Instance, mode: Run["mode"], lineup: Contender[], least = repeats): Promise<Run[]> {
    const { optimum } = instance;
    const target = mode === "gap" ? optimum! + gap * Math.abs(optimum!) : null;
    const measure = judge(E, instance);
    const lanes = lineup
      .filter((contender) => !contender.refuses?.(instance) && takesPart(contender.name, instance))
      .map((contender) => ({ contender, seconds: [] as number[], last: undefined as Outcome | undefined }));
    const spent = ({ seconds }: { seconds: number[] }) => seconds.reduce((sum, s) => sum + s, 0);
    const more = () => least > 1 && lanes.reduce((sum, lane) => sum + spent(lane), 0) < SHORT;
    for (let round = 0; round < least || (round < MOST_REPEATS && more()); round++) {
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
