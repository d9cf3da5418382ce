import type { Evaluations, Objective, Reason, Solver } from "@expen/core";
import { dissolver, euclideanGeometry as euclidean, plainPoint } from "@expen/core";
import { advance, lbfgs, newState, trialRay } from "@expen/core/methods";
import type { Engine, Tall } from "@expen/linalg";
import { cayleyLift, exponentialLift } from "./cayley-lift.js";

export type TrivializationVariant = "cayley" | "exp";

export interface TrivializationOptions {
  variant?: TrivializationVariant;
  /** steps after which the base moves to the current point; Infinity: never (static) */
  rebase?: number;
  memory?: number;
  evaluations?: Evaluations;
}

/** Beyond this the 2n×2n exponentials take minutes an iteration. */
const LARGEST_EXP = 500;

/**
 * Trivialization [Lezcano Casado, Martínez Rubio 2019; Lezcano Casado 2019]: with a skew n×n matrix Ω as the variable
 *
 *     X(Ω) = R(Ω)·X_b,   R = exp or the Cayley map (I − Ω/2)⁻¹(I + Ω/2),   F(Ω) = f(X(Ω)),
 *
 * F is minimised without constraints by limited-memory BFGS. Dynamic: every `rebase` steps X_b ← X, Ω ← 0. Of the Cayley map only the Ω
 * that move X_b are taken, which have rank 2p and np parameters (lift.ts): products and p×p systems. An evaluation with exp costs O(n³)
 * and the method then holds n×n matrices: for small n.
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
  let restarted = false;
  for (;;) {
    const steps = method(ray);
    let ended: Reason | undefined;
    let taken = 0;
    for (;;) {
      const next = steps.next();
      if (next.done) {
        ended = next.value;
        break;
      }
      const inner = next.value;
      if (inner.k > 0) {
        taken = inner.k;
        E.copy(current.X, F.X);
        current.f = inner.f;
        advance(state, current, gradientNorm(), inner.step / F.length);
        yield state;
        if (taken >= rebase) break;
      } else if (state.k === 0) yield state;
    }
    if (ended && (ended.kind === "not-finite" || (taken === 0 && restarted))) return ended;
    restarted = taken === 0;
    F.rebase(current.X);
    E.fill(ray.X, 0);
    ray.restartAt(ray.X);
  }
}
