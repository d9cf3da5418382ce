import { euclidean } from "../geometry/euclidean.js";
import { fixedBeta } from "../penalty/beta.js";
import { type ExPen, expen } from "../penalty/expen.js";
import { hagerZhang } from "../search/hager-zhang.js";
import { scipySearch } from "../search/scipy.js";
import type { Engine, Evaluations, Matrix, Objective, QuadraticForm, Solver, State } from "../types.js";
import { cg } from "./cg.js";
import { cgRules } from "./cg-rules.js";
import { densityRay, densityRayPays } from "./density-ray.js";
import { dissolvedExpen } from "./dissolved-expen.js";
import { preconditioned, type SolverEntry, type SolverOptions } from "./entry.js";
import { frameExpen } from "./frame-lbfgs.js";
import { lbfgs } from "./lbfgs.js";
import { operatorFlops } from "./operator-cost.js";
import { quadraticRay, quadraticRayPays } from "./quadratic-ray.js";
import { type Method, type TrialRay, trialRay } from "./ray.js";
import { stagedExpen } from "./staged-expen.js";
import { stepwise } from "./stepwise.js";
import { subspaceExpen } from "./subspace-expen.js";
import { trustRegion } from "./trust-region.js";

/** ‖t·D‖ ≤ this keeps the search out of the region where h may be unbounded below (f(A(X)) grows faster than the penalty). */
const stepCap = (p: number): number => Math.sqrt(p);

/** A Euclidean method on ExPen: with β adapted and shifted in stages, or with β fixed at the start as in the paper. */
function onExpen(
  E: Engine,
  f: Objective,
  X0: Matrix,
  o: SolverOptions,
  method: (h: Objective, fixed: boolean) => Method,
  makeRay: typeof plainRay = plainRay,
): Solver {
  const { beta = "auto", seed, evaluations } = o;
  if (beta === "auto") return stagedExpen(E, f, (h) => method(h, false), { ...(evaluations && { evaluations }) })(X0);
  const h = expen(E, f, fixedBeta(E, f, X0, beta, { ...(seed !== undefined && { seed }) }));
  const ray = makeRay(E, h, f, X0, evaluations);
  return withNotes(method(h, true)(ray), ray, h.beta);
}

/** Any objective. */
function plainRay(E: Engine, h: ExPen, _f: Objective, X0: Matrix, evaluations?: Evaluations): TrialRay {
  return trialRay(E, h, euclidean(E), X0, evaluations);
}

/** For line searches, which look at value and slope and take the gradient of one trial point only: fewer products, where f declares its form and that is cheaper. */
const rayOfSearches: typeof plainRay = (E, h, f, X0, evaluations) => {
  const { quadratic, density, n, p } = f;
  if (density && densityRayPays(n, p)) return densityRay(E, h, density, X0, evaluations);
  if (!quadratic || !quadraticRayPays(E, n, p, quadratic)) return plainRay(E, h, f, X0, evaluations);
  return quadraticRay(E, h, quadratic, X0, evaluations);
};

/** Shows β in the notes of the state, which is one object, and the number of trial points where products with the operator are counted instead. */
function withNotes(solver: Solver, ray: TrialRay & { readonly trials?: number }, beta: number): Solver {
  let state: State;
  return stepwise(
    () => {
      state = solver.next().value as State;
      state.notes = { ...state.notes, plainBeta: beta, ...(ray.trials !== undefined && { trials: ray.trials }) };
      return state;
    },
    () => {
      const next = solver.next();
      if (next.done) return next.value;
      if (ray.trials !== undefined) state.notes!.trials = ray.trials;
      return undefined;
    },
  );
}

/**
 * Subspaces save products with the operator and cost some dozens of np² flops a step; three blocks of p columns must leave room in n. (Measured:
 * twice as fast at 10np² flops a product, three times slower at ⅓np².) An operator outside of the engine is taken to be dear.
 */
function subspacePays(E: Engine, n: number, p: number, form: QuadraticForm): boolean {
  if (n < 4 * p) return false;
  const flops = operatorFlops(E, n, form);
  return flops === 0 || flops >= 4 * n * p;
}

const expenLbfgs: SolverEntry = {
  title: "ExPen with limited-memory BFGS",
  options: ["beta", "memory", "precondition"],
  create: (E, f, X0, o) =>
    onExpen(E, f, X0, o, () =>
      lbfgs(E, f.n, f.p, {
        stepCap: stepCap(f.p),
        ...(o.memory !== undefined && { memory: o.memory }),
        ...preconditioned(o),
      }),
    ),
};

/** The exact penalty of the paper with the unconstrained methods. */
export const expenSolvers = {
  expen: {
    title:
      "the default: ExPen shifted and dissolved at every step, quasi-Newton with the multiplier as metric; in subspaces where f declares its operator",
    options: ["beta", "memory", "precondition"],
    create(E, f, X0, o) {
      const { quadratic, n, p } = f;
      // a β or a preconditioner that was given must be used
      if ((o.beta ?? "auto") !== "auto" || o.precondition) return expenLbfgs.create(E, f, X0, o);
      const evaluations = o.evaluations && { evaluations: o.evaluations };
      if (quadratic && subspacePays(E, n, p, quadratic))
        return subspaceExpen(E, { ...f, quadratic }, X0, { ...evaluations });
      return dissolvedExpen(E, f, X0, {
        ...evaluations,
        ...(o.memory !== undefined && { memory: o.memory }),
        ...(o.scratch && { scratch: o.scratch }),
        ...(o.takeStart && { takeStart: true }),
      });
    },
  },

  "expen-frame": {
    title:
      "for any f: ExPen shifted and dissolved at every step, quasi-Newton in the moving frame with a learned metric",
    options: ["memory"],
    create: (E, f, X0, { memory, evaluations }) =>
      frameExpen(E, f, X0, { ...(memory !== undefined && { memory }), ...(evaluations && { evaluations }) }),
  },

  "expen-cg": {
    title: "ExPen with conjugate gradients; --beta paper: the paper's ExPen-CG, step by step as SciPy's CG",
    options: ["beta", "rule", "precondition"],
    create: (E, f, X0, o) =>
      onExpen(
        E,
        f,
        X0,
        o,
        (_h, fixed) =>
          fixed
            ? cg(E, {
                rule: cgRules[o.rule ?? "pr+"],
                search: scipySearch(),
                descent: 0.01,
                gradientTolerance: o.tolerance ?? 0,
                stepCap: 10 * stepCap(f.p),
                ...preconditioned(o),
              })
            : cg(E, {
                rule: cgRules[o.rule ?? "hs+"],
                search: hagerZhang({ sigma: 0.4 }),
                stepCap: stepCap(f.p),
                ...preconditioned(o),
              }),
        rayOfSearches,
      ),
  },

  "expen-lbfgs": expenLbfgs,

  "expen-newton": {
    title: "ExPen with trust-region Newton on exact Hessian-vector products",
    options: ["beta", "precondition"],
    create: (E, f, X0, o) => onExpen(E, f, X0, o, (h) => trustRegion(E, h, preconditioned(o))),
  },
} satisfies Record<string, SolverEntry>;
