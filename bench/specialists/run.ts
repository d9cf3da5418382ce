/** `npm run bench -- --suite specialists`: our applications beside the tools of each field, on measured data. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { writeNpy } from "../../src/data/npy.js";
import { openEngine } from "../../src/engines/open.js";
import { tallOf } from "../../src/engines/own-matrix.js";
import { polar } from "../../src/linalg/polar.js";
import { plain } from "../../src/problems/instances.js";
import { measurer } from "../../src/run/measure.js";
import { randomStart } from "../../src/run/start.js";
import type { Engine, Matrix } from "../../src/types.js";
import { type Clock, clockNamed, clocks, type Outcome, type Task } from "../contender.js";
import { findPython, openPeer, type PeerContender, type Posed } from "../peers.js";
import { commit, machine } from "../results.js";
import { textTable } from "../tables.js";
import { missingData } from "./data.js";
import {
  keptSpecialists,
  OURS,
  readSpecialists,
  SPECIALISTS_PARTIAL,
  type SpecialistCase,
  type SpecialistResults,
  type SpecialistRun,
  writeSpecialists,
} from "./results.js";
import { specialistTable } from "./tables.js";
import { fields, type SpecialistTask, tasksOf } from "./tasks.js";

/**
 * Each side is repeated for about so many seconds a round, in turns, so that all see the same noise of the machine. Sides that take less
 * than SHORT seconds have more rounds: the best of a short run settles late, when all its code is compiled and a quiet moment was met.
 */
const ROUND = 0.5;
const ROUNDS = 2;
const SHORT = 0.01;
const ROUNDS_OF_SHORT = 8;
const MOST = 10_000;
/** A run that took so many seconds is not repeated. */
const LONG = 2;

export interface SpecialistOptions {
  chosen?: readonly string[];
  threads?: number;
  clock?: Clock;
  /** seconds a run may take */
  limit?: number;
  before?: SpecialistResults;
  save?(results: SpecialistResults): void;
  log?(line: string): void;
}

export async function benchSpecialists({
  chosen = fields,
  threads = 1,
  clock = "wall",
  limit = 60,
  before,
  save = () => {},
  log = console.log,
}: SpecialistOptions = {}): Promise<SpecialistResults> {
  const missing = missingData();
  if (missing.length > 0) throw new RangeError(`no data ${missing.join(", ")}; 'npm run bench:setup' puts it there.`);
  const E = await openEngine("auto", { threads });
  const judgeEngine = await openEngine("auto", { threads: 1 });
  const results: SpecialistResults = {
    suite: "specialists",
    date: new Date().toISOString(),
    commit: commit(),
    machine: machine(),
    threads,
    clock,
    engine: E.description,
    contenders: { [OURS]: `the applications of expen on ${E.description}` },
    skipped: {},
    cases: before?.cases ?? [],
  };
  const peers = new Map<string, PeerContender>();
  try {
    for (const field of chosen) {
      for (const task of tasksOf(field)) {
        if (results.cases.some((known) => known.field === field && known.name === task.name)) continue;
        const one = await race(task);
        results.cases.push(one);
        save(results);
        const times = one.runs.map(({ contender, seconds }) => `${contender} ${seconds?.toPrecision(3) ?? "failed"}`);
        log(`${field} ${task.name}: ${times.join(", ")} s`);
      }
    }
  } finally {
    for (const peer of peers.values()) peer.end();
    E.dispose();
    judgeEngine.dispose();
  }
  log(`\n${textTable(specialistTable(results))}`);
  return results;

  async function race(task: SpecialistTask): Promise<SpecialistCase> {
    const judge = judgeOf(judgeEngine, task);
    const lanes = [ourLane(E, task, clock)];
    const posed = pose(judgeEngine, task);
    for (const name of task.peers) {
      const peer = await opened(name);
      if (peer) lanes.push(peerLane(peer, posed.starts, task, { limit, clock }, task.others?.includes(name) ?? false));
    }
    const rounds = (): number => (lanes.some((lane) => lane.seconds() < SHORT) ? ROUNDS_OF_SHORT : ROUNDS);
    for (let round = 0; round < rounds(); round++) {
      for (const lane of lanes) if (round === 0 || lane.seconds() < (round < ROUNDS ? LONG : ROUND)) await lane.again();
    }
    posed.dispose();
    const { field, name, starts, n, p } = task;
    const scale = Math.abs(
      measurer(judgeEngine, task.objective(judgeEngine)).measure(tallOf(judgeEngine, identity(n, p))).fval,
    );
    return { field, name, starts, scale, runs: lanes.map((lane) => lane.ended(judge)) };
  }

  async function opened(name: string): Promise<PeerContender | undefined> {
    const known = peers.get(name);
    if (known) return known;
    const python = findPython();
    const peer = python ? await openPeer(name, python, threads) : "no Python; 'npm run bench:setup' installs the tools";
    if (typeof peer === "string") {
      results.skipped[name] = peer;
      return undefined;
    }
    peers.set(name, peer);
    results.contenders[name] = peer.description;
    return peer;
  }
}

type Judge = (X: Matrix) => { f: number; stationarity: number };

function judgeOf(E: Engine, { n, p, objective, point = (X) => X }: SpecialistTask): Judge {
  const { measure } = measurer(E, objective(E));
  const [project, P] = [polar(E, n, p), E.tall(n, p)];
  return (answer) => {
    project(P, tallOf(E, point(answer)));
    const { fval, stationarity } = measure(P);
    return { f: fval, stationarity };
  };
}

interface Lane {
  /** the best so far */
  seconds(): number;
  /** one round more */
  again(): Promise<void>;
  ended(judge: Judge): SpecialistRun;
}

const howOften = (seconds: number): number => Math.max(1, Math.min(MOST, Math.floor(ROUND / Math.max(seconds, 1e-6))));

function ourLane(E: Engine, task: SpecialistTask, clock: Clock): Lane {
  const now = clocks[clock];
  // of each start, as on the other side
  const best = { stationary: <number[]>[], "second-order": <number[]>[] };
  let level = "";
  let answers: Awaited<ReturnType<SpecialistTask["ours"]>>[] = [];
  async function once(certificate: keyof typeof best): Promise<number> {
    const found = [];
    const began = now();
    for (let seed = 1; seed <= task.starts; seed++) {
      const from = now();
      found.push(await task.ours(E, seed, certificate));
      best[certificate][seed - 1] = Math.min(best[certificate][seed - 1] ?? Number.POSITIVE_INFINITY, now() - from);
    }
    if (certificate === "stationary") answers = found;
    else level = found[0]!.run.certificate.level;
    return now() - began;
  }
  const bestOf = (certificate: keyof typeof best): number => sum(best[certificate]);
  return {
    seconds: () => bestOf("stationary"),
    async again() {
      const first = await once("stationary");
      for (let k = howOften(first); k > 1; k--) await once("stationary");
      for (let k = Math.min(10, howOften(first)); k > 0; k--) await once("second-order");
    },
    ended(judge) {
      const judged = answers.map(({ X }) => judge(X));
      const at = lowest(judged.map(({ f }) => f));
      const { run } = answers[at]!;
      return {
        contender: OURS,
        status: answers.every((answer) => answer.run.reason.converged) ? "converged" : run.status,
        text: run.reason.text,
        seconds: bestOf("stationary"),
        iterations: answers.reduce((sum, answer) => sum + answer.run.iterations, 0),
        evaluations: added(answers.map((answer) => answer.run.evaluations)),
        ...judged[at]!,
        certified: { seconds: bestOf("second-order"), level },
      };
    },
  };
}

const sum = (values: readonly number[]): number => values.reduce((total, v) => total + v, 0);
const lowest = (values: readonly number[]): number => values.indexOf(Math.min(...values));

function added(all: readonly NonNullable<SpecialistRun["evaluations"]>[]): SpecialistRun["evaluations"] {
  return all.reduce((a, b) => ({ f: a.f + b.f, grad: a.grad + b.grad, hvp: a.hvp + b.hvp }));
}

function peerLane(
  peer: PeerContender,
  starts: readonly Posed[],
  { tol }: SpecialistTask,
  { limit, clock }: Pick<Task, "limit" | "clock">,
  other: boolean,
): Lane {
  const best = starts.map(() => Number.POSITIVE_INFINITY);
  let outcomes: Outcome[] = [];
  async function all(repeats: number): Promise<number> {
    outcomes = [];
    for (const start of starts) outcomes.push(await peer.run(start, { tol, target: null, limit, clock, repeats }));
    for (const [k, { seconds }] of outcomes.entries())
      best[k] = Math.min(best[k]!, seconds ?? Number.POSITIVE_INFINITY);
    return sum(outcomes.map(({ seconds }) => seconds ?? Number.NaN));
  }
  return {
    seconds: () => sum(best),
    async again() {
      const first = await all(1);
      if (Number.isFinite(first) && howOften(first) > 1) await all(howOften(first));
    },
    ended(judge) {
      const usable = outcomes.filter(({ X }) => X?.data.every(Number.isFinite));
      const judged = usable.map(({ X }) => judge(X!));
      const at = lowest(judged.map(({ f }) => f));
      const { status, text } = (usable[at] ?? outcomes[0])!;
      return {
        contender: peer.name,
        status,
        text,
        seconds: Number.isFinite(sum(best)) ? sum(best) : null,
        iterations: outcomes.reduce(
          (sum: number | null, { iterations }) => (iterations ? (sum ?? 0) + iterations : sum),
          null,
        ),
        evaluations: null,
        f: judged[at]?.f ?? null,
        stationarity: judged[at]?.stationarity ?? null,
        ...(other && { other }),
      };
    },
  };
}

/** The data as .npy files, once, and the start of each seed. */
function pose(E: Engine, task: SpecialistTask): { starts: Posed[]; dispose(): void } {
  const folder = mkdtempSync(join(tmpdir(), "expen-specialists-"));
  const save = (name: string, A: Matrix): string => {
    const path = join(folder, `${name}.npy`);
    writeFileSync(path, writeNpy(A));
    return path;
  };
  const shared = Object.fromEntries(Object.entries(task.data).map(([letter, A]) => [letter, save(letter, A)]));
  const starts = Array.from({ length: task.starts }, (_, k): Posed => {
    const X0 = task.starts > 1 ? random(E, task.n, task.p, k + 1) : (task.start ?? identity(task.n, task.p));
    const { field, n, p } = task;
    return { problem: `specialists/${field}`, n, p, files: { X0: save(`X0-${k}`, X0), ...shared }, folder };
  });
  return { starts, dispose: () => rmSync(folder, { recursive: true, force: true }) };
}

function random(E: Engine, n: number, p: number, seed: number): Matrix {
  return { rows: n, cols: p, data: E.read(randomStart(E, n, p, seed)) };
}

function identity(n: number, p: number): Matrix {
  const I = plain(n, p);
  for (let j = 0; j < p; j++) I.data[j * (p + 1)] = 1;
  return I;
}

/** Runs as the arguments say and keeps the results; returns the exit code. */
export async function benchSpecialistsFromArguments(args: string[]): Promise<number> {
  try {
    const texts = Object.fromEntries(
      ["suite", "fields", "threads", "clock", "limit", "out"].map((name) => [name, { type: "string" as const }]),
    );
    const { values } = parseArgs({ args, options: { ...texts, resume: { type: "boolean" } } });
    const given = values as Partial<Record<string, string>> & { resume?: boolean };
    const out = given.out ?? SPECIALISTS_PARTIAL;
    const number = (name: string) => {
      const text = given[name];
      if (text === undefined) return {};
      if (!(Number(text) > 0)) throw new RangeError(`--${name} is '${text}'; it must be a positive number.`);
      return { [name]: Number(text) };
    };
    const save = (results: SpecialistResults): void => writeSpecialists(out, results);
    const results = await benchSpecialists({
      ...(given.fields && { chosen: chooseFields(given.fields) }),
      clock: clockNamed(given.clock),
      ...number("threads"),
      ...number("limit"),
      ...(given.resume && { before: readSpecialists(out) }),
      save,
    });
    const kept = given.fields || given.out ? out : keptSpecialists(results);
    writeSpecialists(kept, results);
    if (kept !== out) rmSync(out);
    console.log(`\n${kept}`);
    return 0;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return 2;
  }
}

function chooseFields(text: string): string[] {
  return text.split(",").map((word) => {
    if (fields.includes(word.trim())) return word.trim();
    throw new RangeError(`--fields: '${word}' is none of ${fields.join(", ")}.`);
  });
}
