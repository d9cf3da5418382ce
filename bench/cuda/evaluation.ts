/** One evaluation of the default on noeig (a trial point: retraction, f, gradient, multiplier, slope) and a whole iteration. */
import { randomStart, stiefelConstraint } from "@expen/core";
import { dissolvedExpen } from "@expen/core/expen";
import { dissolving, trialRay } from "@expen/core/methods";
import { noeig } from "@expen/experiments/paper";
import type { Engine } from "@expen/linalg";
import type { Recorded } from "./recorded.js";
import type { Row } from "./traffic.js";

/** Returns a function that evaluates at one step along −∇f on each call. */
export function evaluationOn(E: Engine, n: number, p: number): () => void {
  const { objective } = noeig(E, { n, p });
  const geometry = dissolving(E, stiefelConstraint(E, n, p));
  const ray = trialRay(E, objective, geometry, randomStart(E, n, p, 1));
  E.combine(ray.D, -1, ray.G, 0, ray.G);
  ray.t = 0.1 / Math.sqrt(E.dot(ray.D, ray.D));
  return () => {
    ray.move();
    ray.differentiate();
  };
}

export interface Share {
  seconds: number;
  products: number;
  count: number;
  waits: number;
}

export function evaluationShare({ E, seconds, productsOf }: Recorded, n: number, p: number): Share {
  const evaluate = evaluationOn(E, n, p);
  const all = seconds(evaluate);
  const before = E.waits.count;
  const { seconds: products, count } = productsOf(evaluate);
  return { seconds: all, products, count, waits: E.waits.count - before };
}

/** Iterations of a run that are counted */
const ITERATIONS = 20;

/** A run of the default after its start: a function that does the given number of iterations and returns their evaluations */
function runOn(E: Engine, n: number, p: number): { iterate: () => void; evaluations: () => number } {
  const { objective } = noeig(E, { n, p });
  let evaluations = 0;
  const counted = {
    ...objective,
    fg: ((G, X) => {
      evaluations++;
      return objective.fg(G, X);
    }) as typeof objective.fg,
  };
  const steps = dissolvedExpen(E, counted, randomStart(E, n, p, 1));
  steps.next();
  evaluations = 0;
  const iterate = (): void => {
    for (let k = 0; k < ITERATIONS; k++) if (steps.next().done) break;
  };
  return { iterate, evaluations: () => evaluations };
}

/** The demands of these iterations on the device */
export function runTraffic({ E, trafficOf }: Recorded, n: number, p: number): { rows: Row[]; evaluations: number } {
  const { iterate, evaluations } = runOn(E, n, p);
  const rows = trafficOf(iterate, 8 * n * p);
  return { rows, evaluations: evaluations() };
}

/** Seconds of an evaluation within a run of the default: all of its iterations by all of its evaluations */
export function runShare({ E, wait, productsOf }: Recorded, n: number, p: number): Share {
  const { iterate, evaluations } = runOn(E, n, p);
  let [began, all] = [0, 0];
  const before = E.waits.count;
  const { seconds, count } = productsOf(() => {
    wait();
    began = performance.now();
    iterate();
    wait();
    all = (performance.now() - began) / 1000;
  });
  const each = (x: number): number => x / evaluations();
  return { seconds: each(all), products: each(seconds), count: each(count), waits: each(E.waits.count - before) };
}
