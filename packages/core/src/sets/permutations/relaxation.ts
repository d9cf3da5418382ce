import type { Engine, Tall } from "@expen/linalg";
import { norm } from "@expen/linalg/dense";
import { chain } from "@expen/linalg/engine";
import type { Constraint } from "../../contracts/constraint.js";
import type { Reason, Solver, State } from "../../contracts/method.js";
import type { Evaluations, Objective } from "../../contracts/objective.js";
import { pointOf } from "../../manifolds/point.js";
import { newState } from "../../methods/state.js";
import { innerMethod } from "../inner.js";
import type { Lagrangian } from "../lagrangian.js";

const square = chain(1, ({ square }, x) => ({ outputs: [square(x)] }));
/** 2·(G − ½ρW)∘X with W = X∘X, and Σ W² */
const backward = chain(3, ({ mul, sub, square }, g, x, rho) => {
  const w = square(x);
  return { outputs: [mul(2, mul(x, sub(g, mul(0.5, mul(rho, w)))))], sum: square(w) };
});

/** f(X∘X) − ¼ρ·ΣX_ij⁴ on orthogonal X, and Σ X_ij⁴ of its last evaluation, which is n at a permutation */
export interface Relaxation extends Lagrangian {
  readonly fourth: number;
}

/**
 * X∘X of an orthogonal X is doubly stochastic, and every permutation matrix is one: a relaxation to the polytope of Birkhoff
 * without bounds.
 * The term −¼ρ‖W‖² makes its vertices minima.
 */
export function relaxation(E: Engine, f: Objective): Relaxation {
  const { n, p } = f;
  const [W, G0, R] = [E.tall(n, p), E.tall(n, p), E.tall(n, p)];
  const last = { f: Number.NaN, G: G0 };
  const unused = E.tall(n, p);
  let fourth = Number.NaN;
  const fg = (G: Tall, X: Tall): number => {
    E.map([W], square, [X]);
    last.f = f.fg(G0, W);
    E.fill(R, F.rho);
    fourth = E.map([G], backward, [G0, X, R]);
    return last.f - 0.25 * F.rho * fourth;
  };
  const F: Relaxation = {
    n,
    p,
    rho: 0,
    last,
    get fourth() {
      return fourth;
    },
    f: (X) => fg(unused, X),
    fg,
  };
  return F;
}

/** First ρ after 0, in the gradient at the start; doublings; Σ X_ij⁴/n from which X∘X is next to a permutation */
const [FIRST, DOUBLINGS, VERTEX] = [0.02, 14, 0.98];
/** Gradient of an inner run, in that at the start, and steps at most */
const [ACCURACY, STEPS] = [1e-3, 100];

/** Minimises the relaxation with ρ = 0 and then a ρ that doubles, until X∘X is next to a permutation. */
export function* toVertex(
  E: Engine,
  F: Relaxation,
  X0: Tall,
  { on, evaluations, objective }: { on: Constraint; evaluations: Evaluations; objective: Objective },
): Solver {
  const inner = innerMethod(E, objective, on, evaluations);
  const unit = gradientNorm(E, on, F, X0);
  let X = X0;
  let state: State | undefined;
  for (let run = 0; run <= DOUBLINGS; run++) {
    F.rho = run === 0 ? 0 : FIRST * unit * 2 ** (run - 1);
    for (const s of inner.run(X)) {
      if (!state || s.k > 0) yield (state = progress(state, s));
      if (s.gnorm <= ACCURACY * unit || s.k >= STEPS) break;
    }
    X = inner.X;
    F.f(X);
    if (F.fourth >= VERTEX * F.n) break;
    inner.forget();
  }
  return { kind: "value", converged: true, text: "X∘X is next to a permutation" } satisfies Reason;

  /** ‖grad‖ with the distance from a permutation, so that no tolerance ends the run before */
  function progress(before: State | undefined, s: State): State {
    const gnorm = Math.hypot(s.gnorm, unit * (1 - F.fourth / F.n));
    const own = before ?? newState({ X: s.X, f: s.f, evaluations }, gnorm);
    Object.assign(own, { X: s.X, f: s.f, gnorm, step: s.step, decrease: s.decrease });
    own.gnormMax = Math.max(own.gnormMax, gnorm);
    if (before) own.k++;
    return own;
  }
}

function gradientNorm(E: Engine, on: Constraint, F: Relaxation, X: Tall): number {
  const R = E.tall(F.n, F.p);
  F.fg(R, X);
  on.dissolver.tangent(R, pointOf(E, on)(X));
  return norm(E, R) || 1;
}
