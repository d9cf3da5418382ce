/** `npm run bench`: our solvers and their peers on the rows of the paper's tables, side by side. */
import { writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { openEngine } from "../src/engines/open.js";
import { type Clock, type Contender, clockNamed, type Outcome } from "./contender.js";
import { growth, growthText } from "./growth.js";
import { drawInstance, type Instance, judge } from "./instance.js";
import { nearLimit } from "./limit.js";
import { openNlopt } from "./nlopt.js";
import { openOurs } from "./ours.js";
import { findPython, openPeer } from "./peers.js";
import { commit, machine, type Results, type Run, saveResults } from "./results.js";
import { chooseRows, rowId, tablesOf } from "./rows.js";
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
  seed?: number;
  /** also measure how near the products the time is, and how it grows with n and p */
  limits?: boolean;
  log?(line: string): void;
}

/** A contender that has used so many seconds on a row is not repeated: what is left to gain is small against the rest. */
const REPEAT_BUDGET = 40;
/** Far behind in the race to the tolerance already; the race to the gap takes several times as long. */
const NOT_TO_GAP = /^(cdopt|geoopt|nlopt)/;
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
  seed = 1,
  limits = false,
  log = console.log,
}: BenchOptions = {}): Promise<Results> {
  const chosen = chooseRows(rows);
  const threads = wanted === "all" ? availableParallelism() : wanted;
  const { contenders, skipped } = await openContenders(names, threads);
  const results: Results = {
    date: new Date().toISOString(),
    commit: commit(),
    machine: machine(),
    threads,
    clock,
    repeats,
    tol,
    gapTarget: gap,
    limit,
    contenders: Object.fromEntries(contenders.map(({ name, description }) => [name, description])),
    skipped,
    rows: [],
  };
  const { cpu, cores, load, node } = results.machine;
  log(
    `${cpu}, ${cores} cores, load ${load}, Node ${node}; BLAS threads: ${threads}; best of ${repeats}, ${clock} time; tolerance ${tol}`,
  );
  for (const [name, description] of Object.entries(results.contenders)) log(`${name}: ${description}`);
  for (const [name, why] of Object.entries(skipped)) log(`${name}: skipped, ${why}`);

  const E = await openEngine("auto", { threads: 1 });
  try {
    await warmUp();
    for (const row of chosen) {
      const instance = drawInstance(E, row, seed);
      const { optimum } = instance;
      const result = { ...row, id: rowId(row), tables: tablesOf(row), optimum, runs: [] as Run[] };
      results.rows.push(result);
      result.runs.push(...(await race(instance, "gradient")));
      log(`\n${result.id}${optimum === null ? "" : `, f* = ${optimum}`}`);
      log(textTable(rowTable(result, tol, "gradient")));
      if (optimum !== null && gap > 0 && result.tables.length > 0) {
        result.runs.push(...(await race(instance, "gap")));
        log(`to a relative gap of ${gap}`);
        log(textTable(rowTable(result, tol, "gap")));
      }
      instance.dispose();
    }
  } finally {
    for (const contender of contenders) contender.end();
    E.dispose();
  }
  if (limits) {
    results.nearLimit = await nearLimit(chooseRows("noeig:1000x50,brockett:1000x50"), { repeats, tol, clock });
    results.growth = await growth({ repeats, clock });
    log(`\n${growthText(results.growth)}`);
  }
  log(`\n${textTable(meansTable(results, (peer) => REFERENCES.includes(peer)))}`);
  log(`\n${textTable(verdictTable(results))}`);
  return results;

  /** Compilers, caches and thread pools of everyone, on both problems and in both modes. */
  async function warmUp(): Promise<void> {
    for (const row of chooseRows("noeig:60x5,brockett:60x5")) {
      const instance = drawInstance(E, row, seed);
      for (const contender of contenders) {
        if (!contender.refuses?.(instance)) await contender.run(instance, { tol, target: null, limit, clock });
      }
      instance.dispose();
    }
  }

  /** All contenders in turn, as often as asked: each sees the same noise of the machine. */
  async function race(instance: Instance, mode: Run["mode"]): Promise<Run[]> {
    const { optimum } = instance;
    const target = mode === "gap" ? optimum! + gap * Math.abs(optimum!) : null;
    const measure = judge(E, instance);
    const lanes = contenders
      .filter(
        (contender) => !contender.refuses?.(instance) && (mode === "gradient" || !NOT_TO_GAP.test(contender.name)),
      )
      .map((contender) => ({ contender, seconds: [] as number[], last: undefined as Outcome | undefined }));
    for (let round = 0; round < repeats; round++) {
      for (const lane of lanes) {
        const spent = lane.seconds.reduce((sum, s) => sum + s, 0);
        if (round > 0 && (lane.last!.status !== "converged" || spent > REPEAT_BUDGET)) continue;
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
      if (name.includes("@")) opened = await openOurs(name, name.endsWith("@blas") ? threads : 1);
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

function options(args: string[]): BenchOptions & { out?: string; full: boolean } {
  const { values } = parseArgs({
    args,
    options: {
      rows: { type: "string" },
      contenders: { type: "string" },
      repeats: { type: "string" },
      threads: { type: "string" },
      clock: { type: "string" },
      limit: { type: "string" },
      gap: { type: "string" },
      quick: { type: "boolean" },
      out: { type: "string" },
    },
  });
  const count = (name: "repeats" | "threads" | "limit"): number | undefined => {
    const text = values[name];
    if (text === undefined) return undefined;
    if (!(Number(text) >= 1)) throw new RangeError(`--${name} is '${text}'; it must be a number, 1 or more.`);
    return Number(text);
  };
  const gap = values.gap === undefined ? undefined : Number(values.gap);
  if (gap !== undefined && !(gap >= 0))
    throw new RangeError(`--gap is '${values.gap}'; it must be a number, 0 or more.`);
  const given = <K extends string, V>(key: K, value: V | undefined) =>
    (value === undefined ? {} : { [key]: value }) as Partial<Record<K, V>>;
  const rows = values.rows ?? (values.quick ? "quick" : undefined);
  return {
    ...given("rows", rows),
    ...given("contenders", values.contenders?.split(",")),
    ...given("repeats", count("repeats")),
    ...given("threads", values.threads === "all" ? ("all" as const) : count("threads")),
    clock: clockNamed(values.clock),
    ...given("limit", count("limit")),
    ...given("gap", gap),
    ...given("out", values.out),
    limits: rows === undefined,
    full: rows === undefined && values.contenders === undefined,
  };
}

/** Runs as the arguments say and keeps the results; returns the exit code. */
export async function benchFromArguments(args: string[]): Promise<number> {
  try {
    const { out, full, ...chosen } = options(args);
    const results = await bench(chosen);
    // a part of the rows must not take the place of a full run
    if (out) writeFileSync(out, `${JSON.stringify(results, null, 1)}\n`);
    else if (full) console.log(`\n${saveResults(results)}`);
    return 0;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return 2;
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  process.exitCode = await benchFromArguments(process.argv.slice(2));
}
