/** Unconstrained methods on ExPen: the solvers of the paper's penalty by name. */

import type { Engine, Tall } from "@expen/linalg";
import type { Constraint } from "../contracts/constraint.js";
import type { Precondition, Solver } from "../contracts/method.js";
import type { Evaluations, Objective } from "../contracts/objective.js";
import type { Method } from "../contracts/ray.js";
import { euclidean } from "../manifolds/euclidean-geometry.js";
import { stiefelConstraint } from "../manifolds/stiefel.js";
import { cg } from "../methods/cg.js";
import { type CgRuleName, cgRules } from "../methods/cg-rules.js";
import { type LearningPreconditioner, penaltyPreconditioner } from "../methods/precondition/penalty.js";
import type { Watch } from "../methods/precondition/watch.js";
import { scaledPreconditioner } from "../methods/quasi-newton/first/scaled.js";
import { lbfgs } from "../methods/quasi-newton/lbfgs.js";
import { trialRay } from "../methods/trial-ray.js";
import { regionOn, trustRegion } from "../methods/trust-region.js";
import { hagerZhang } from "../search/hager-zhang.js";
import { scipySearch } from "../search/scipy.js";
import { type Algorithm1Options, algorithm1 } from "./algorithm-1.js";
import { fixedBeta } from "./beta.js";
import type { BetaRule } from "./beta-rules.js";
import { type ExPen, expen } from "./penalty.js";
import { stagedExpen } from "./stages.js";

/**
 * Bound of ‖t·D‖ that keeps the search near the manifold: far from it h may be unbounded below, as f(A(X)) grows faster than the penalty.
 */
const stepCap = ({ p }: Objective, on?: Constraint): number => on?.longestStep ?? Math.sqrt(p);

interface OnExpen {
  readonly on?: Constraint | undefined;
  readonly beta: BetaRule;
  readonly seed?: number | undefined;
  readonly evaluations?: Evaluations | undefined;
  readonly precondition?: Precondition | undefined;
  readonly watch?: Watch | undefined;
}

/**
 * A Euclidean method on ExPen: with β adapted and a shift in stages, or with β fixed at the start as in the paper. A preconditioner of f
 * becomes one of h.
 */
function onExpen(
  E: Engine,
  f: Objective,
  X0: Tall,
  { on = stiefelConstraint(E, f.n, f.p), beta, seed, evaluations, precondition, watch }: OnExpen,
  make: (h: Objective, fixed: boolean, of: Partial<LearningPreconditioner>) => Method,
): Solver {
  const method = (h: ExPen, fixed: boolean): Method =>
    make(h, fixed, precondition ? penaltyPreconditioner(E, on, h, precondition, watch) : {});
  if (beta === "auto") {
    return stagedExpen(E, f, (h) => method(h, false), { on, evaluations })(X0);
  }
  const h = expen(E, f, fixedBeta(E, f, X0, beta, { on, seed }), on);
  return showingBeta(method(h, true)(trialRay(E, h, euclidean(E), X0, evaluations)), h.beta);
}

/** Writes β into the notes of the states. */
function* showingBeta(solver: Solver, plainBeta: number): Solver {
  for (;;) {
    const next = solver.next();
    if (next.done) return next.value;
    next.value.notes = { ...next.value.notes, plainBeta };
    yield next.value;
  }
}

/** Limited-memory BFGS on ExPen */
export const expenLbfgs = (E: Engine, f: Objective, X0: Tall, o: OnExpen & { readonly memory: number }): Solver =>
  onExpen(E, f, X0, o, (_h, _fixed, { precondition, learn }) =>
    lbfgs(E, f.n, f.p, {
      stepCap: stepCap(f, o.on),
      memory: o.memory,
      first: precondition && scaledPreconditioner(E, f.n, f.p, euclidean(E), precondition, { learn }),
    }),
  );

/** Algorithm 1; with β fixed as in the experiments of the paper, step by step as SciPy's conjugate gradients */
export const expenCg = (
  E: Engine,
  f: Objective,
  X0: Tall,
  o: OnExpen & { readonly rule?: CgRuleName; readonly tolerance?: number },
): Solver =>
  onExpen(E, f, X0, o, (_h, fixed, { precondition, learn }) => {
    const options: Algorithm1Options = fixed
      ? {
          tau: cgRules[o.rule ?? "pr+"],
          search: scipySearch(),
          longestStep: 10 * stepCap(f, o.on),
          descent: 0.01,
          gradientTolerance: o.tolerance ?? 0,
        }
      : { tau: cgRules[o.rule ?? "hs+"], search: hagerZhang({ sigma: 0.4 }), longestStep: stepCap(f, o.on) };
    if (!precondition) return algorithm1(E, options);
    const { tau: rule, longestStep, ...same } = options;
    return cg(E, { ...same, rule, stepCap: longestStep, precondition, learn });
  });

/** Newton steps in a trust region on ExPen */
export const expenNewton = (E: Engine, f: Objective, X0: Tall, o: OnExpen): Solver =>
  // inner iterations show more pairs than steps do
  onExpen(E, f, X0, { ...o, watch: undefined }, (h, _fixed, preconditioner) =>
    trustRegion(E, h, { ...regionOn(o.on), ...preconditioner, watch: o.watch }),
  );
