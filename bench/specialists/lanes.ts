/** The sides of a race: each runs round by round, and its answers are judged by one function. */

import { measurer } from "@expen/core";
import type { Engine, Matrix } from "@expen/linalg";
import { polar } from "@expen/linalg/dense";
import { tallOf } from "@expen/linalg/engine";
import { type Clock, clocks, type Outcome, type Task } from "../contender.js";
import type { PeerContender, Posed } from "../peers.js";
import { OURS, type SpecialistRun } from "./results.js";
import type { SpecialistTask } from "./task.js";

/** Seconds for which a side is repeated in a round; sides take turns, so that noise of the machine hits them alike. */
const ROUND = 0.5;
/** Rounds of a race. */
const ROUNDS = 2;
/** Seconds of a run below which a race has more rounds: its best time settles late, when all code is compiled. */
const SHORT = 0.01;
/** Rounds of such a race. */
const ROUNDS_OF_SHORT = 8;
/** Bound of the repeats in a round. */
const MOST = 10_000;
/** Seconds of a run from which it is not repeated. */
const LONG = 2;

export type Judge = (X: Matrix) => { f: number; stationarity: number };

export function judgeOf(E: Engine, { n, p, objective, point = (X) => X }: SpecialistTask): Judge {
  const { measure } = measurer(E, objective(E));
  const [project, P] = [polar(E, n, p), E.tall(n, p)];
  return (answer) => {
    project(P, tallOf(E, point(answer)));
    const { fval, stationarity } = measure(P);
    return { f: fval, stationarity };
  };
}

export interface Lane {
  /** best time so far */
  seconds(): number;
  /** runs one more round */
  again(): Promise<void>;
  ended(judge: Judge): SpecialistRun;
}

/** Runs the rounds of all sides in turn. */
export async function inTurns(lanes: readonly Lane[]): Promise<void> {
  const rounds = (): number => (lanes.some((lane) => lane.seconds() < SHORT) ? ROUNDS_OF_SHORT : ROUNDS);
  for (let round = 0; round < rounds(); round++) {
    for (const lane of lanes) if (round === 0 || lane.seconds() < (round < ROUNDS ? LONG : ROUND)) await lane.again();
  }
}

const howOften = (seconds: number): number => Math.max(1, Math.min(MOST, Math.floor(ROUND / Math.max(seconds, 1e-6))));

export function ourLane(E: Engine, task: SpecialistTask, clock: Clock): Lane {
  const now = clocks[clock];
  // best seconds of each start, as on the other side
  const best = { stationary: <number[]>[], "second-order": <number[]>[] };
  let level = "";
  let answers: Awaited<ReturnType<SpecialistTask["ours"]>>[] = [];
  async function once(certificate: keyof typeof best): Promise<number> {
    const results = [];
    const began = now();
    for (let seed = 1; seed <= task.starts; seed++) {
      const from = now();
      results.push(await task.ours(E, seed, certificate));
      best[certificate][seed - 1] = Math.min(best[certificate][seed - 1] ?? Number.POSITIVE_INFINITY, now() - from);
    }
    if (certificate === "stationary") answers = results;
    else level = results[0]!.run.certificate.level;
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

export function peerLane(
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
