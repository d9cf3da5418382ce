/** Our solvers and their peers on rows of the paper's tables, side by side in one run. */
import { availableParallelism } from "node:os";
import { openEngine } from "@expen/engines";
import { problems } from "@expen/experiments/problems";
import { requireMemory } from "@expen/linalg/memory";
import { solverParts } from "@expen/solvers";
import { attempt, type Clock, type Contender, type Outcome } from "../contender.js";
import { CONTENDERS, openOwn, REFERENCES, SAME, type Sides, withSides } from "../contenders.js";
import { growth, growthText } from "../growth.js";
import { drawInstance, type Instance, judge } from "../instance.js";
import { NEAR_LIMIT, nearLimit } from "../limit.js";
import { chooseRows, type Row, rowId, tablesOf } from "../rows.js";
import { isBusy, startResults } from "../store.js";
import type { Session } from "../suite.js";
import { textTable } from "../tables.js";
import { kind, type Results, type RowResult, type Run } from "./results.js";
import { meansTable, overview, rowTable, startsTable, verdictTable } from "./tables.js";

export interface BenchOptions extends Session<Results> {
  /** names of tables, of groups, or rows such as noeig:1000x50, with commas between */
  rows?: string;
  contenders?: string[];
  /** repeats of each run; the best counts */
  repeats?: number;
  /** threads of every BLAS; "all": as many as cores */
  threads?: number | "all";
  /** wall time, or processor time: for a busy machine, on one thread */
  clock?: Clock;
  /** seconds a run may take */
  limit?: number;
  tol?: number;
  /** relative gap of a second race on rows with a closed form; 0: no such race */
  gap?: number;
  /** rows of the slow contenders: a few by default, all where contenders are named */
  slow?: string;
  seed?: number;
  /** starts of the contenders of target 1, with consecutive seeds; one run from each but the first */
  starts?: number;
  /** milliseconds of warm-up of each contender on each problem */
  warmUp?: number;
  /** whether to measure the time beside its BLAS calls alone, and the growth with n and p */
  limits?: boolean;
}

/** Seconds on a row after which a contender is not repeated: a better time would change its ratios little. */
export const REPEAT_BUDGET = 15;
/** Seconds of all contenders together on a row; below, the row is repeated more often, since short times vary most. */
const SHORT = 10;
/** Bound of these repeats. */
const MOST_REPEATS = 10;
/** Contenders far behind the others; a few rows show by how much. */
const SLOW = /^(cdopt|geoopt|pymanopt-tr|nlopt)/;
/** Tolerance of the gradient norm in the race to the gap, too small to end it. */
const NO_TOLERANCE = 1e-10;

export async function bench(options: BenchOptions = {}): Promise<Results> {
  const { rows = "all", threads: wanted = 1, contenders: names = CONTENDERS } = options;
  for (const { problem, n, p } of chooseRows(rows)) {
    requireMemory(n, p, [...problems.get(problem)!.holds({ n, p }), ...solverParts(n, p)]);
  }
  const threads = wanted === "all" ? availableParallelism() : wanted;
  return withSides(names, threads, openOwn, (sides) => benchSides(sides, threads, options));
}

async function benchSides(
  { all, contenders: described, skipped }: Sides<Contender>,
  threads: number,
  {
    rows = "all",
    contenders: names,
    repeats = 3,
    clock = "wall",
    limit = 60,
    tol = 1e-3,
    gap = 0,
    slow = names ? rows : "quick,small",
    seed = 1,
    starts = 1,
    warmUp = 500,
    limits = false,
    before,
    save = () => {},
    log = console.log,
  }: BenchOptions,
): Promise<Results> {
  const contenders: readonly Contender[] = all;
  const chosen = chooseRows(rows);
  const slowRows = new Set(chooseRows(slow).map(rowId));
  const settings = { threads, clock, repeats, tol, gapTarget: gap, limit, seed, starts };
  const results = startResults<Results>(
    kind,
    { ...settings, contenders: described, skipped, rows: [], others: [] },
    before,
  );
  const { cpu, cores, load, node } = results.machine;
  log(
    `${cpu}, ${cores} cores, load ${load}, Node ${node}; BLAS threads: ${threads}; best of ${repeats}, ${clock} time; tolerance ${tol}`,
  );
  if (isBusy(results.machine) && clock === "wall") {
    log("The machine is busy: wait, or compare processor time (--clock cpu, on one thread only).");
  }
  for (const [name, description] of Object.entries(results.contenders)) log(`${name}: ${description}`);
  for (const [name, why] of Object.entries(skipped)) log(`${name}: skipped, ${why}`);

  const E = await openEngine("auto", { threads: 1 });
  /** whether the contenders have warmed up, which a run that takes over all rows does not need */
  let isWarm = false;
  try {
    for (const row of chosen) await run(row, seed, results.rows, contenders);
    const same = contenders.filter(({ name }) => SAME.includes(name));
    for (let other = seed + 1; other < seed + starts && same.length === SAME.length; other++) {
      for (const row of chosen) if (tablesOf(row).length > 0) await run(row, other, results.others, same);
    }
  } finally {
    E.dispose();
  }
  if (limits) {
    results.nearLimit = await nearLimit(chooseRows(NEAR_LIMIT), { tol, clock });
    results.growth = await growth({ repeats, clock });
    log(`\n${growthText(results.growth)}`);
  }
  log(`\n${textTable(overview(results, "gradient"))}`);
  log(`\n${textTable(meansTable(results, (peer) => REFERENCES.includes(peer)))}`);
  if (results.others.length > 0)
    log(`\nscipy-cg : expen-cg@blas (iterations of both)\n${textTable(startsTable(results))}`);
  log(`\n${textTable(verdictTable(results))}`);
  return results;

  /** Runs one row from one start; the race to the gap is run from the first start alone. */
  async function run(row: Row, from: number, list: RowResult[], lineup: readonly Contender[]): Promise<void> {
    const id = rowId(row);
    const title = from === seed ? id : `${id}, seed ${from}`;
    if (list.some((known) => known.id === id && known.seed === from)) {
      log(`\n${title}: taken over`);
      return;
    }
    if (!isWarm) await warmAll();
    isWarm = true;
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

  /** Warms compilers, caches and thread pools of every contender on both problems, for the same time each. */
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

  /** Runs all contenders in turn, so that noise of the machine hits them alike; at least `least` times, more often where runs are short. */
  async function race(
    instance: Instance,
    mode: Run["mode"],
    lineup: readonly Contender[],
    least = repeats,
  ): Promise<Run[]> {
    const { optimum } = instance;
    const target = mode === "gap" ? optimum! + gap * Math.abs(optimum!) : null;
    const task = { tol: target === null ? tol : NO_TOLERANCE, target, limit, clock };
    const measure = judge(E, instance);
    const lanes = lineup
      .filter((contender) => !contender.refuses?.(instance) && takesPart(contender.name, instance))
      .map((contender) => ({ contender, seconds: [] as number[], last: undefined as Outcome | undefined }));
    const spent = ({ seconds }: { seconds: number[] }) => seconds.reduce((sum, s) => sum + s, 0);
    const more = () => least > 1 && lanes.reduce((sum, lane) => sum + spent(lane), 0) < SHORT;
    for (let round = 0; round < least || (round < MOST_REPEATS && more()); round++) {
      for (const lane of lanes) {
        if (round > 0 && (lane.last!.status !== "converged" || spent(lane) > REPEAT_BUDGET)) continue;
        const outcome = await attempt(lane.contender, instance, task);
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
}
