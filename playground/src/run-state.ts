/** The state of one race. Each view has its own; one race runs at a time, because there is one worker. */
import { type Signal, signal } from "@preact/signals";
import * as Comlink from "comlink";
import { ask, askIdle, LostWorker, notice, restart } from "./client.js";
import { entrantLabel } from "./entrants.js";
import type { Command, Course, Entrant, Point, Progress, RaceSpec, RunResult } from "./protocol.js";

export type Phase = "idle" | "starting" | "running" | "paused" | "done";

/** One line of the leaderboard. */
export interface Lane {
  entrant: Entrant;
  label: string;
  points: Point[];
  path: number[];
  singular: number[];
  result?: RunResult;
  error?: string;
}

export interface RunState {
  phase: Signal<Phase>;
  lanes: Signal<Lane[]>;
  course: Signal<Course | undefined>;
  error: Signal<string>;
  /** what was asked for, to tell a finished run from changed settings */
  spec: Signal<RaceSpec | undefined>;
  /** from the press of the button to the last certificate, s */
  wall: Signal<number>;
}

export const runState = (): RunState => ({
  phase: signal<Phase>("idle"),
  lanes: signal<Lane[]>([]),
  course: signal(undefined),
  error: signal(""),
  spec: signal(undefined),
  wall: signal(0),
});

/** ms between two questions to a busy worker whether it is alive */
const PULSE = 1000;
/** ms without an answer after which the page says so */
const SILENCE = 8000;

let busy: RunState | undefined;

const live = (run: RunState): boolean => ["starting", "running", "paused"].includes(run.phase.value);

export async function begin(run: RunState, spec: RaceSpec, first: Command = "run"): Promise<void> {
  if (busy && busy !== run && live(busy)) busy.phase.value = "done";
  busy = run;
  run.error.value = "";
  run.course.value = undefined;
  run.spec.value = spec;
  run.phase.value = "starting";
  run.wall.value = 0;
  run.lanes.value = spec.entrants.map((entrant) => ({
    entrant,
    label: entrantLabel(entrant),
    points: [],
    path: [],
    singular: [],
  }));
  const began = performance.now();
  /** when the last news came, before the page is drawn anew */
  let heard = began;
  const mine = run.spec.value;
  const current = (): boolean => run.spec.value === mine && busy === run;
  const ended = (): void => {
    if (!current() || !live(run)) return;
    run.wall.value = (heard - began) / 1000;
    run.phase.value = "done";
  };
  try {
    watch(run, current);
    const course = await askIdle((remote) =>
      remote.start(
        spec,
        first,
        Comlink.proxy((news: Progress[]) => {
          heard = performance.now();
          if (current()) receive(run, news);
        }),
        Comlink.proxy(ended),
      ),
    );
    if (!current()) return;
    run.course.value = course;
    if (run.phase.value === "starting") run.phase.value = first === "run" ? "running" : "paused";
  } catch (error) {
    if (!current() || !live(run)) return;
    run.error.value =
      error instanceof LostWorker
        ? `The worker was lost (${error.message}). Press Run to begin again with a new one.`
        : (error as Error).message;
    run.lanes.value = [];
    run.phase.value = "done";
  }
}

function receive(run: RunState, news: Progress[]): void {
  const lanes = [...run.lanes.value];
  for (const { entrant, points, path, singular, result, error } of news) {
    const lane = lanes[entrant]!;
    lanes[entrant] = {
      ...lane,
      points: [...lane.points, ...points],
      path: [...lane.path, ...path],
      singular: [...lane.singular, ...singular],
      ...(result && { result }),
      ...(error && { error }),
    };
  }
  run.lanes.value = lanes;
}

/** Asks for signs of life while the run lasts. */
function watch(run: RunState, current: () => boolean): void {
  let heard = performance.now();
  let told = false;
  const timer = setInterval(() => {
    if (!current() || !live(run)) {
      clearInterval(timer);
      return;
    }
    ask((remote) => remote.ping()).then(
      () => {
        heard = performance.now();
        if (told) notice.value = "";
        told = false;
      },
      () => {},
    );
    if (performance.now() - heard > SILENCE && !told) {
      told = true;
      notice.value = `The worker has not answered for ${SILENCE / 1000} s: it is busy with one long step, or lost. Stop ends it and starts a new one.`;
    }
  }, PULSE);
}

export function command(run: RunState, what: Command): void {
  if (!live(run)) return;
  if (what === "pause" || what === "step") run.phase.value = "paused";
  if (what === "run") run.phase.value = "running";
  ask((remote) => remote.command(what), what === "stop" ? 1500 : 0).then(
    () => {
      if (what === "stop") setTimeout(() => end(run), 1500);
    },
    () => end(run),
  );
}

/** A run that does not end when it is told to loses its worker. */
function end(run: RunState): void {
  if (!live(run) || busy !== run) return;
  restart();
  run.error.value = "The run did not answer and was ended; a new worker stands ready.";
  run.phase.value = "done";
  notice.value = "";
}
