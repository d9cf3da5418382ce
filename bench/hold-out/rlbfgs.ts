import type { Objective } from "@expen/core";
import type { Engine, Matrix, Tall } from "@expen/linalg";
import { polar } from "@expen/linalg/dense";
import { tallOf } from "@expen/linalg/engine";

const MEMORY = 30;
/** Armijo's constant */
const DECREASE = 1e-4;
/** trial points of a line search */
const TRIALS = 25;
/** a pair is stored if ⟨s, y⟩/‖s‖² is at least this part of the gradient norm */
const CURVATURE = 1e-4;

export interface RlbfgsRun {
  readonly converged: boolean;
  readonly X: Tall;
  /** points at which f and its gradient were computed */
  readonly evaluations: number;
}

/**
 * Riemannian L-BFGS with the rules of Manopt's `rlbfgs` (Huang, Gallivan, Absil, SIAM J. Optim. 25, 2015) on an engine, as
 * peers/rlbfgs.py is in NumPy: 30 pairs, transported by projection, Armijo backtracking from step 1, the Euclidean metric, the polar retraction.
 * It ends at a gradient norm of `tol`, or after `most` evaluations.
 */
export function rlbfgs(E: Engine, f: Objective, X0: Matrix, { tol, most }: { tol: number; most: number }): RlbfgsRun {
  const { n, p } = f;
  const project = polar(E, n, p);
  const N = E.small(p, p);
  const W = E.tall(n, p);
  let [X, Y, g, h] = [tallOf(E, X0), E.tall(n, p), E.tall(n, p), E.tall(n, p)];
  const D = E.tall(n, p);
  /** the oldest first, of unit length in s */
  const pairs: { s: Tall; y: Tall; sy: number }[] = [];
  const spare: { s: Tall; y: Tall; sy: number }[] = [];
  let evaluations = 0;

  /** V ← V − A·sym(AᵀV) */
  function toTangent(V: Tall, A: Tall): void {
    E.tmul(N, A, V);
    E.symmetrize(N);
    E.mul(V, A, N, -1, 1);
  }
  function evaluate(G: Tall, A: Tall): number {
    evaluations++;
    const value = f.fg(G, A);
    toTangent(G, A);
    return value;
  }
  const norm = (A: Tall): number => Math.sqrt(E.dot(A, A));

  let value = evaluate(g, X);
  let length = norm(g);
  let scale = 1 / length;
  /** D ← −H·g by the two-loop recursion (Nocedal and Wright, Algorithm 7.4) */
  function direction(): void {
    E.copy(D, g);
    const alpha: number[] = [];
    for (let i = pairs.length - 1; i >= 0; i--) {
      const { s, y, sy } = pairs[i]!;
      alpha[i] = E.dot(s, D) / sy;
      E.combine(D, 1, D, -alpha[i]!, y);
    }
    E.combine(D, scale, D, 0, D);
    for (const [i, { s, y, sy }] of pairs.entries()) E.combine(D, 1, D, alpha[i]! - E.dot(y, D) / sy, s);
    E.combine(D, -1, D, 0, D);
  }
  function store(step: number): void {
    const pair = spare.pop() ?? (pairs.length < MEMORY ? { s: E.tall(n, p), y: E.tall(n, p), sy: 0 } : pairs.shift()!);
    E.combine(pair.s, step, D, 0, D);
    toTangent(pair.s, Y);
    E.copy(pair.y, g);
    toTangent(pair.y, Y);
    E.combine(pair.y, 1, h, -1, pair.y);
    const long = norm(pair.s);
    for (const A of [pair.s, pair.y]) E.combine(A, 1 / long, A, 0, A);
    pair.sy = E.dot(pair.s, pair.y);
    if (!(pair.sy >= CURVATURE * length)) return void spare.push(pair);
    scale = pair.sy / E.dot(pair.y, pair.y);
    pairs.push(pair);
  }

  while (length > tol && evaluations < most) {
    direction();
    const slope = E.dot(g, D);
    let step = 1;
    let trial = Number.NaN;
    for (let k = 0; k < TRIALS; k++, step /= 2) {
      E.combine(W, 1, X, step, D);
      project(Y, W);
      trial = evaluate(h, Y);
      if (trial <= value + DECREASE * step * slope || k === TRIALS - 1) break;
    }
    if (!(trial <= value)) {
      if (pairs.length === 0) return { converged: false, X, evaluations };
      spare.push(...pairs.splice(0));
      continue;
    }
    for (const { s, y } of pairs) for (const A of [s, y]) toTangent(A, Y);
    length = norm(h);
    store(step);
    value = trial;
    [X, Y] = [Y, X];
    [g, h] = [h, g];
  }
  return { converged: length <= tol, X, evaluations };
}
