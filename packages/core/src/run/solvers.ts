import type { Engine, Tall } from "@expen/linalg";
import type { Constraint } from "../contracts/constraint.js";
import type { Solver } from "../contracts/method.js";
import type { Objective } from "../contracts/objective.js";
import { type Algorithm1Options, algorithm1 } from "../expen/algorithm-1.js";
import { type BetaRule, fixedBeta } from "../expen/beta.js";
import { type ExPen, expen } from "../expen/penalty.js";
import { stagedExpen } from "../expen/stages.js";
import { euclidean } from "../manifolds/euclidean-geometry.js";
import { stiefelConstraint } from "../manifolds/stiefel.js";
import { cg } from "../methods/cg.js";
import { cgRules } from "../methods/cg-rules.js";
import { type LearningPreconditioner, penaltyPreconditioner } from "../methods/precondition/penalty.js";
import { scaledPreconditioner } from "../methods/quasi-newton/first/first-matrix.js";
import { frameExpen, usualMemory } from "../methods/quasi-newton/frame-expen.js";
import { lbfgs } from "../methods/quasi-newton/lbfgs.js";
import { type Method, trialRay } from "../methods/ray.js";
import { regionOn, trustRegion } from "../methods/trust-region.js";
import { hagerZhang } from "../search/hager-zhang.js";
import { scipySearch } from "../search/scipy.js";
import {
  beta,
  memory,
  precondition,
  rule,
  type SolverEntry,
  type SolverOptions,
  solverEntry,
  type Where,
} from "./solver-entry.js";

/**
 * Bound of ‖t·D‖ that keeps the search near the manifold: far from it h may be unbounded below, as f(A(X)) grows faster than the penalty.
 */
const stepCap = ({ p }: Objective, on?: Constraint): number => on?.longestStep ?? Math.sqrt(p);

type OnExpen = Where &
  Pick<SolverOptions, "seed" | "evaluations" | "precondition" | "watch"> & { readonly beta: BetaRule };

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

const expenLbfgs = solverEntry({
  title: "ExPen with limited-memory BFGS",
  holds: { tall: 15, square: 35, pairs: 4 },
  options: { beta, memory: { ...memory, default: 4 }, precondition },
  create: (E, f, X0, o) =>
    onExpen(E, f, X0, o, (_h, _fixed, { precondition, learn }) =>
      lbfgs(E, f.n, f.p, {
        stepCap: stepCap(f, o.on),
        memory: o.memory,
        first: precondition && scaledPreconditioner(E, f.n, f.p, euclidean(E), precondition, { learn }),
      }),
    ),
});

/** The exact penalty of the paper with unconstrained methods, and the moving frame. */
export const expenSolvers = {
  // the best unconstrained method here: expen-lbfgs
  expen: {
    ...expenLbfgs,
    title: "the paper's penalty with the best unconstrained method, limited-memory BFGS; β and a shift adapt in stages",
  },

  "expen-cg": solverEntry({
    title:
      "Algorithm 1 of the paper, conjugate gradients on ExPen; --beta paper: ExPen-CG of its experiments, step by step as SciPy's CG",
    holds: { tall: 15, square: 35 },
    // rule: hs+, and pr+ where β is fixed
    options: { beta, rule, precondition },
    create: (E, f, X0, o) =>
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
      }),
  }),

  "expen-lbfgs": expenLbfgs,

  "expen-newton": solverEntry({
    title: "ExPen with trust-region Newton on exact Hessian-vector products",
    holds: { tall: 19, square: 35 },
    options: { beta, precondition },
    create: (E, f, X0, o) =>
      // inner iterations show more pairs than steps do
      onExpen(E, f, X0, { ...o, watch: undefined }, (h, _fixed, preconditioner) =>
        trustRegion(E, h, { ...regionOn(o.on), ...preconditioner, watch: o.watch }),
      ),
  }),

  frame: solverEntry({
    needs: "metric",
    general: true,
    title:
      "for any f: ExPen shifted and dissolved at every step, quasi-Newton in the moving frame with a learned metric",
    holds: { tall: 10, square: 36, pairs: usualMemory, squaresPerPair: 2 },
    options: { memory },
    feasible: () => true,
    create: frameExpen,
  }),
} satisfies Record<string, SolverEntry>;
