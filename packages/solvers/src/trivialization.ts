import type { Evaluations, Objective, Reason, Solver } from "@expen/core";
import { dissolver, plainPoint } from "@expen/core";
import { advance, euclideanGeometry as euclidean, lbfgs, newState, trialRay } from "@expen/core/methods";
import type { Engine, Tall } from "@expen/linalg";
import { cayleyLift, exponentialLift } from "./cayley-lift.js";

export type TrivializationVariant = "cayley" | "exp";

export interface TrivializationOptions {
  variant?: TrivializationVariant;
  /** number of steps after which the base moves to the current point; Infinity: never (static trivialization) */
  rebase?: number;
  memory?: number;
  evaluations?: Evaluations;
}

/** Largest n of the variant "exp": beyond it an exponential of a 2n×2n matrix takes minutes. */
const LARGEST_EXP = 500;

/**
 * Trivialization [Lezcano Casado, Martínez Rubio, ICML 2019; Lezcano Casado, NeurIPS 2019]: with a skew n×n matrix Ω as the variable
 *
 *     X(Ω) = R(Ω)·X_b,   R = exp or the Cayley map (I − Ω/2)⁻¹(I + Ω/2),   F(Ω) = f(X(Ω)),
 *
 * F is minimised without constraints, and every `rebase` steps X_b ← X, Ω ← 0 (dynamic trivialization). Departures: limited-memory BFGS
 * in the place of the papers' stochastic methods, as f and ∇f are exact here; and of the Cayley map only the Ω of rank 2p that move X_b
 * (cayley-lift.ts), which need products and p×p systems alone. The variant exp costs O(n³) an evaluation and stores n×n matrices.
 */
export function* trivialization(
  E: Engine,
  f: Objective,
  X0: Tall,
  { variant = "cayley", rebase = 20, memory, evaluations }: TrivializationOptions = {},
): Solver {
  const { n, p } = f;
  if (variant === "exp" && n > LARGEST_EXP) {
    throw new RangeError(
      `trivialization: n is ${n}; with the exponential it must be ${LARGEST_EXP} or less, use the variant cayley.`,
    );
  }
  const F = (variant === "exp" ? exponentialLift : cayleyLift)(E, f, X0);
  const R = E.tall(n, p);
  const d = dissolver(E, p);
  /** ‖G − X·sym(XᵀG)‖ at the last point of F */
  const gradientNorm = (): number => {
    E.copy(R, F.G);
    d.tangent(R, plainPoint(F.X));
    return Math.sqrt(E.dot(R, R));
  };
  const ray = trialRay(F.engine, F, euclidean(F.engine), F.engine.tall(F.n, F.p), evaluations);
  const method = lbfgs(F.engine, F.n, F.p, { stepCap: 2 * F.length * Math.sqrt(p), memory });
  const current = { X: E.tall(n, p), f: ray.f };
  E.copy(current.X, X0);
  const state = newState({ ...current, evaluations: ray.evaluations }, gradientNorm());
  let hasRestarted = false;
  for (;;) {
    const run = method(ray);
    let reason: Reason | undefined;
    let steps = 0;
    for (;;) {
      const next = run.next();
      if (next.done) {
        reason = next.value;
        break;
      }
      const inner = next.value;
      if (inner.k > 0) {
        steps = inner.k;
        E.copy(current.X, F.X);
        current.f = inner.f;
        advance(state, current, gradientNorm(), inner.step / F.length);
        yield state;
        if (steps >= rebase) break;
      } else if (state.k === 0) yield state;
    }
    if (reason && (reason.kind === "not-finite" || (steps === 0 && hasRestarted))) return reason;
    hasRestarted = steps === 0;
    F.rebase(current.X);
    E.fill(ray.X, 0);
    ray.restartAt(ray.X);
  }
}
