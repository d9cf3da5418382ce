/** Several runs side by side in one thread: the one that has had the least time goes next, so that all curves grow together. */

import { svd } from "@expen/linalg/dense";
import type { Engine, Result, SolverName } from "expen";
import { measurer, type StiefelOptions, solveOn } from "expen/methods";
import { normOf } from "expen/rivals";
import type { State } from "expen/types";
import type { Command, Point, Progress, RaceSpec, RunResult } from "../protocol.js";
import { constrainedSteps } from "./constrained.js";
import type { OpenedCourse } from "./course.js";
import { entrantOptions } from "./entrant-options.js";

/** ms between two looks at the messages from the page */
const SLICE = 25;
/** ms between two reports of progress to the page */
const REPORT = 60;
/** largest number of entries of an X that is sent to the page */
const SHOWN = 100_000;

interface Runner {
  readonly entrant: number;
  readonly steps: Generator<State, Result> | AsyncGenerator<State, Result>;
  /** spent in this run alone, without measuring */
  seconds: number;
  /** iterations of the rounds before this one, and of this one */
  before: number;
  k: number;
  /** the next iteration to be measured */
  due: number;
  news: Progress;
}

export interface Race {
  command(what: Command): void;
  /** resolves when every entrant has ended */
  readonly finished: Promise<void>;
}

/** Gives the event loop a turn without the 4 ms that a nested timeout waits. */
function turns(): () => Promise<void> {
  const { port1, port2 } = new MessageChannel();
  let go: () => void = () => {};
  port1.onmessage = () => go();
  return () =>
    new Promise((resolve) => {
      go = resolve;
      port2.postMessage(0);
    });
}

export async function race(
  E: Engine,
  course: OpenedCourse,
  spec: RaceSpec,
  report: (news: Progress[]) => void,
): Promise<Race> {
  const { optimum, nonsmooth, manifold, bound, objective: f } = course;
  const { n, p, seed, tol, maxIterations, entrants, subjectTo, path = false } = spec;
  const abort = new AbortController();
  const { measure, feasibilityOf } = measurer(bound.E, f, nonsmooth && normOf(nonsmooth), bound.on);
  const nearest = bound.on.point();
  const Y = nearest.X;
  const nothing = (entrant: number): Progress => ({ entrant, points: [], path: [], singular: [] });

  let mode: Command = "run";
  let owed = 0;
  let wake: () => void = () => {};
  const active: Runner[] = [];
  const early: Progress[] = [];
  for (const [i, { solver, options }] of entrants.entries()) {
    try {
      const own: StiefelOptions = {
        ...course.options,
        ...entrantOptions(solver, options),
        solver: solver as SolverName,
        seed,
        signal: abort.signal,
        ...(tol !== undefined && { tol }),
        ...(maxIterations !== undefined && { maxIterations }),
        ...(optimum !== undefined && { optimum }),
        ...(nonsmooth && { nonsmooth }),
      };
      active.push({
        entrant: i,
        steps: subjectTo ? constrainedSteps(course, own, subjectTo) : await solveOn({ on: manifold, bound }, f, own),
        seconds: 0,
        before: 0,
        k: 0,
        due: 0,
        news: nothing(i),
      });
    } catch (error) {
      early.push({ ...nothing(i), error: (error as Error).message });
    }
  }

  /** One iteration of one run; false when it has ended. */
  async function advance(r: Runner): Promise<boolean> {
    const began = performance.now();
    let next: IteratorResult<State, Result>;
    try {
      next = await r.steps.next();
    } catch (error) {
      r.news.error = (error as Error).message;
      return false;
    }
    if (next.done) {
      // the last call only projects and certifies: it is no part of the race
      const { X, ...result } = next.value;
      const { fval, stationarity, feasibilityBeforeProjection: feasibility, iterations, evaluations } = result;
      const end = { k: iterations, evaluations: evaluations.f, seconds: r.seconds };
      const { violation, complementarity = 0 } = result;
      const beside = violation === undefined ? {} : { residual: Math.hypot(violation, complementarity) };
      r.news.points.push({ ...end, fval, stationarity, feasibility, ...beside });
      r.news.result = {
        ...result,
        seconds: r.seconds,
        ...(n * p <= SHOWN && "data" in X && { X: X.data.slice() }),
      } as RunResult;
      return false;
    }
    r.seconds += (performance.now() - began) / 1000;
    see(r, next.value);
    return true;
  }

  /** Measures the state at iterations ever further apart: k, k + max(1, k/8), … so that looking costs less than running. */
  function see(r: Runner, state: State): void {
    if (state.k < r.k) r.before += r.k;
    r.k = state.k;
    const k = r.before + state.k;
    if (path) {
      for (const x of E.read(state.X)) r.news.path.push(x);
      for (const s of svd(E, state.X).s) r.news.singular.push(s);
    }
    if (k < r.due && mode !== "step") return;
    r.due = k + Math.max(1, k >> 3);
    const feasibility = feasibilityOf(state.X);
    if (!Number.isFinite(feasibility)) return;
    bound.on.project(nearest, state.X);
    const { fval, stationarity } = measure(Y);
    const residual = subjectTo && state.notes?.residual;
    const point: Point = { k, evaluations: state.evaluations.f, seconds: r.seconds, fval, stationarity, feasibility };
    r.news.points.push(residual === undefined ? point : { ...point, residual });
  }

  function flush(also: Progress[] = []): void {
    const news = [...also, ...active.map((r) => r.news)].filter(
      (x) => x.points.length > 0 || x.path.length > 0 || x.error || x.result,
    );
    for (const r of active) r.news = nothing(r.entrant);
    if (news.length > 0) report(news);
  }

  /** The runner with the least time, or in steps the one with the fewest iterations. */
  const following = (): Runner => {
    const key = mode === "step" ? (r: Runner) => r.before + r.k : (r: Runner) => r.seconds;
    return active.reduce((a, b) => (key(b) < key(a) ? b : a));
  };

  async function run(): Promise<void> {
    const turn = turns();
    if (early.length > 0) report(early);
    let reported = performance.now();
    while (active.length > 0) {
      if (mode === "pause" || (mode === "step" && owed === 0)) {
        flush();
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
        continue;
      }
      const slice = performance.now();
      do {
        const ended: Progress[] = [];
        if (mode === "step") {
          owed--;
          for (const r of [...active]) await take(r, ended);
        } else await take(following(), ended);
        if (ended.length > 0) flush(ended);
      } while (active.length > 0 && (mode !== "step" || owed > 0) && performance.now() - slice < SLICE);
      if (performance.now() - reported > REPORT) {
        flush();
        reported = performance.now();
      }
      await turn();
    }
    flush();
  }

  async function take(r: Runner, ended: Progress[]): Promise<void> {
    if (await advance(r)) return;
    ended.push(r.news);
    active.splice(active.indexOf(r), 1);
  }

  return {
    command(what) {
      mode = what === "stop" ? "run" : what;
      if (what === "stop") abort.abort();
      if (what === "step") owed++;
      else owed = 0;
      wake();
    },
    finished: run(),
  };
}
