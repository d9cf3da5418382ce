import type { Evaluations, Nonsmooth, Objective, Solver } from "@expen/core";
import { dissolver, noEvaluations, normalStep, plainPoint } from "@expen/core";
import { advance, newState, noStep, notFinite } from "@expen/core/methods";
import type { Engine, Tall } from "@expen/linalg";
import { chain } from "@expen/linalg/engine";
import { referenceStep, tangentProx } from "./tangent-prox.js";

export interface SlpgNonsmoothOptions {
  /** most iterations on the multiplier in one step */
  inner?: number;
  /** number of values in the nonmonotone test */
  memory?: number;
  evaluations?: Evaluations;
}

/** The number of zero entries */
const zeros = chain(1, ({ select }, x) => ({ sum: select(x, 0, 1) }));

/**
 * SLPG for f + r with a sparsity-promoting norm r [Liu, Xiao, Yuan, J. Sci. Comput. 99, 2024; arXiv:2103.03514]: a proximal step in the
 * tangent space, then a normal step,
 *
 *     X₊ = N(X + D),   D = argmin ⟨∇f − XS, D⟩ + r(X + D) + ‖D‖²/(2η)  over sym(XᵀD) = 0,
 *
 * where each subproblem starts from the multiplier of the last. η is the long Barzilai–Borwein step, halved until f + r is below the
 * largest of its last values. A departure: the subproblem is solved to a tolerance by the faster iteration of tangent-prox.ts. The states
 * show ‖D‖/min(η, η₀), η₀ = √p/‖∇f‖, a bound of `nonsmoothStationarity`. The notes count the zeros of X + D; once D is small, the normal
 * step changes them by less than rounding.
 */
export function* slpgNonsmooth(
  E: Engine,
  f: Objective,
  X0: Tall,
  nonsmooth: Nonsmooth,
  { inner = 50, memory = 5, evaluations = noEvaluations() }: SlpgNonsmoothOptions = {},
): Solver {
  const { n, p } = f;
  const make = (): Tall => E.tall(n, p);
  let [X, Xt, R, Rt] = [make(), make(), make(), make()];
  E.copy(X, X0);
  const [T, W, V] = [make(), make(), make()];
  const d = dissolver(E, p);
  const approach = normalStep(E, p, d);
  const { value, solve, Lambda } = tangentProx(E, n, p, nonsmooth);
  let reference = 1;

  /** R ← ∇f − X·S; returns f + r */
  function evaluate(R: Tall, X: Tall): number {
    const smooth = f.fg(R, X);
    reference = referenceStep(E, R);
    d.tangent(R, plainPoint(X));
    return smooth + value(X);
  }

  let F = evaluate(R, X);
  let eta = 0.1 * reference;
  let distance = eta * Math.sqrt(E.dot(R, R));
  /** T ← X + D, returns ‖D‖; the tolerance is 1e-3·min(‖D‖, ‖D‖²) of the last step */
  const move = (): number => solve(T, X, R, eta, 1e-3 * Math.min(distance, distance * distance), inner);
  distance = move();
  const stateNorm = (): number => distance / Math.min(eta, reference);
  const state = newState({ X, f: F, evaluations }, stateNorm());
  state.notes = { zeros: E.map([], zeros, [T]) };
  yield state;
  if (!Number.isFinite(F + distance)) return notFinite(`f or its gradient is not finite at the start (f = ${F})`);
  const last = new Float64Array(memory).fill(Number.NEGATIVE_INFINITY);

  for (;;) {
    last[state.k % memory] = F;
    let highest = F;
    for (let i = 0; i < memory; i++) highest = Math.max(highest, last[i]!);
    const floor = 1e-14 * Math.abs(F);
    let [hasDecreased, sawNonFinite, Ft] = [false, false, F];
    for (let trial = 0; trial < 40; trial++) {
      approach(Xt, plainPoint(T));
      Ft = evaluate(Rt, Xt);
      if (!Number.isFinite(Ft)) sawNonFinite = true;
      else if (Ft <= highest - (1e-4 * distance * distance) / (2 * eta) + floor) {
        hasDecreased = true;
        break;
      }
      eta *= Number.isFinite(Ft) ? 0.5 : 0.1;
      distance = move();
    }
    if (!hasDecreased) return noStep({ sawNonFinite }, state.gnorm);
    // W = S, V = Y: differences of X and of ∇f − XS + XΛ
    E.combine(W, 1, Xt, -1, X);
    E.combine(V, 1, Rt, -1, R);
    E.mul(V, W, Lambda, 1, 1);
    const [ss, sy] = [E.dot(W, W), Math.abs(E.dot(W, V))];
    [X, Xt, R, Rt, F] = [Xt, X, Rt, R, Ft];
    const next = ss / sy;
    if (Number.isFinite(next) && next > 0) eta = Math.min(Math.max(next, 1e-3 * reference), 1e3 * reference);
    distance = move();
    advance(state, { X, f: F }, stateNorm(), Math.sqrt(ss));
    state.notes.zeros = E.map([], zeros, [T]);
    if (!Number.isFinite(state.gnorm)) return notFinite("the gradient is not finite at the last point");
    yield state;
  }
}
