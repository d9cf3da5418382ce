import type { Constraint } from "../constraints/constraint.js";
import { stiefelConstraint } from "../constraints/stiefel.js";
import { euclidean } from "../geometry/euclidean.js";
import { type BetaRule, fixedBeta } from "../penalty/beta.js";
import { type ExPen, expen } from "../penalty/expen.js";
import { hagerZhang } from "../search/hager-zhang.js";
import { scipySearch } from "../search/scipy.js";
import type { Engine, Objective, Solver, Tall } from "../types.js";
import { cg } from "./cg.js";
import { cgRules } from "./cg-rules.js";
import { defaultExpen } from "./default-expen.js";
import { dissolvedExpen } from "./dissolved-expen.js";
import {
  beta,
  memory,
  precondition,
  rule,
  type SolverEntry,
  type SolverOptions,
  solverEntry,
  type Where,
} from "./entry.js";
import { frameExpen } from "./frame/lbfgs.js";
import { scaledPreconditioner } from "./lbfgs/first-matrix.js";
import { lbfgs } from "./lbfgs/lbfgs.js";
import { type LearningPreconditioner, penaltyPreconditioner } from "./precondition/penalty.js";
import { type Method, trialRay } from "./ray.js";
import { stagedExpen } from "./staged-expen.js";
import { growsSpaces, preconditionedForm } from "./subspace/preconditioned.js";
import { regionOn, trustRegion } from "./trust-region.js";

/** ‖t·D‖ ≤ this keeps the search out of the region where h may be unbounded below (f(A(X)) grows faster than the penalty). */
const stepCap = ({ p }: Objective, on?: Constraint): number => on?.longestStep ?? Math.sqrt(p);

type OnExpen = Where &
  Pick<SolverOptions, "seed" | "evaluations" | "precondition" | "watch"> & { readonly beta: BetaRule };

/**
 * A Euclidean method on ExPen: with β adapted and shifted in stages, or with β fixed at the start as in the paper. A preconditioner of f is
 * made one of h.
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

/** Shows β in the notes of the states. */
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

/** The exact penalty of the paper with the unconstrained methods. */
export const expenSolvers = {
  expen: solverEntry({
    title:
      "the default: ExPen shifted and dissolved at every step, quasi-Newton in the moving frame, or with the multiplier " +
      "as metric where f costs little; in Krylov or other subspaces where f declares its operator, or is seen to have one",
    holds: { tall: 10, square: 36, pairs: 3, squaresPerPair: 2 },
    // pairs: 3; 4 where β or a preconditioner is given and with B ≠ I; in the frame up to 20 where X is small, 10 if complex or a product
    options: { beta, memory, precondition },
    create(E, f, X0, o) {
      // a β or a preconditioner that was given must be used
      const { precondition } = o;
      if (o.beta === "auto" && precondition && growsSpaces(f, o.on)) {
        return preconditionedForm(E, f, X0, { ...o, precondition });
      }
      if (o.beta !== "auto") return expenLbfgs.create(E, f, X0, o);
      return precondition ? dissolvedExpen(E, f, X0, { ...o, precondition }) : defaultExpen(E, f, X0, o);
    },
  }),

  "expen-frame": solverEntry({
    needs: "metric",
    title:
      "for any f: ExPen shifted and dissolved at every step, quasi-Newton in the moving frame with a learned metric",
    holds: { tall: 10, square: 36, pairs: 3, squaresPerPair: 2 },
    // pairs: 3, and up to 20 where they are small
    options: { memory },
    create: frameExpen,
  }),

  "expen-cg": solverEntry({
    title: "ExPen with conjugate gradients; --beta paper: the paper's ExPen-CG, step by step as SciPy's CG",
    holds: { tall: 15, square: 35 },
    // rule: hs+, and pr+ where β is fixed
    options: { beta, rule, precondition },
    create: (E, f, X0, o) =>
      onExpen(E, f, X0, o, (_h, fixed, { precondition, learn }) =>
        fixed
          ? cg(E, {
              rule: cgRules[o.rule ?? "pr+"],
              search: scipySearch(),
              descent: 0.01,
              gradientTolerance: o.tolerance ?? 0,
              stepCap: 10 * stepCap(f, o.on),
              precondition,
              learn,
            })
          : cg(E, {
              rule: cgRules[o.rule ?? "hs+"],
              search: hagerZhang({ sigma: 0.4 }),
              stepCap: stepCap(f, o.on),
              precondition,
              learn,
            }),
      ),
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
} satisfies Record<string, SolverEntry>;
