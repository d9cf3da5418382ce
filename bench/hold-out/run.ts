/** The default beside Riemannian L-BFGS on functions by which no constant of it was chosen: evaluations from the same starts. */
import { type MinimizeOptions, randomStart, stiefel } from "@expen/core";
import type { Engine, Matrix, Tall } from "@expen/linalg";
import { random } from "@expen/linalg";
import { minimize } from "@expen/solvers";
import type { ValueAndGradient } from "../any-f/family.js";
import { type Case, objectiveOn } from "../any-f/instance.js";
import { rlbfgs } from "./rlbfgs.js";

/** Evaluations that are counted: those of the run, those of a run whose gradient is checked, and the certificate's too */
export const LANES = {
  run: { check: false, certificate: "stationary" },
  "with check": { check: true, certificate: "stationary" },
  "with certificate": {},
} as const satisfies Record<string, Partial<MinimizeOptions>>;
export type Lane = keyof typeof LANES;

/** Relative to the gradient norm at the start, as in any-f */
const TOLERANCE = 1e-6;
/** Evaluations after which a run is given up */
const MOST = 20_000;
/** Relative difference of two values of f from which they belong to different minima */
const OTHER = 1e-5;

export interface HoldOutRow {
  readonly family: string;
  readonly n: number;
  readonly p: number;
  readonly seed: number;
  /** points at which f was evaluated; infinite where the tolerance was not reached */
  readonly peer: number;
  readonly ours: Record<string, number>;
  readonly method: string;
  /** sign of our f minus that of the peer; 0 where they are the same minimum */
  readonly higher: number;
}

/** Runs the peer, and the default in each of the lanes. */
export async function race(E: Engine, one: Case, lanes: readonly Lane[]): Promise<HoldOutRow> {
  const { family, n, p, seed } = one;
  const data = family.draw(n, p, random(seed, family.name));
  const fg = family.on(E, n, p, data);
  const drawn = randomStart(E, n, p, seed);
  const X0: Matrix = { rows: n, cols: p, data: Float64Array.from(E.read(drawn)) };
  const f = objectiveOn(E, one, data);
  const gradient = E.tall(n, p);
  fg(gradient, drawn);
  const tol = TOLERANCE * tangentNorm(E, gradient, drawn);
  const peer = rlbfgs(E, f, X0, { tol, most: MOST });
  const theirs = fg(gradient, peer.X);
  const ours: Record<string, number> = {};
  let [method, value] = ["", Number.NaN];
  for (const lane of lanes) {
    const counted = counting(fg);
    const options = { on: stiefel(n, p), engine: E, start: X0, tol, maxEvaluations: MOST, ...LANES[lane] };
    const result = await minimize({ fg: counted.fg }, options);
    ours[lane] = result.reason.converged ? counted.calls() : Number.POSITIVE_INFINITY;
    if (lane === lanes[0]) [method, value] = [result.run.method, result.fval];
  }
  const difference = value - theirs;
  const higher =
    Math.abs(difference) <= OTHER * Math.max(Math.abs(value), Math.abs(theirs)) ? 0 : Math.sign(difference);
  const reached = peer.converged ? peer.evaluations : Number.POSITIVE_INFINITY;
  return { family: family.name, n, p, seed, peer: reached, ours, method, higher };
}

function tangentNorm(E: Engine, G: Tall, X: Tall): number {
  const S = E.small(X.cols, X.cols);
  E.tmul(S, X, G);
  E.symmetrize(S);
  E.mul(G, X, S, -1, 1);
  return Math.sqrt(E.dot(G, G));
}

function counting(fg: ValueAndGradient): { fg: ValueAndGradient; calls: () => number } {
  let calls = 0;
  return {
    fg(G, X) {
      calls++;
      return fg(G, X);
    },
    calls: () => calls,
  };
}
