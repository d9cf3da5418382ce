import { type RetractionName, retractions, type StiefelGeometry, stiefel } from "../geometry/stiefel.js";
import { adaptive } from "../search/adaptive.js";
import { scipySearch } from "../search/scipy.js";
import type { Engine, Objective, Precondition } from "../types.js";
import { cg } from "./cg.js";
import { type CgRuleName, cgRules } from "./cg-rules.js";
import { choice, preconditioned, type SolverEntry, type SolverOptions } from "./entry.js";
import { feasibleBbVariants } from "./feasible-bb.js";
import { type Pair, scaledPreconditioner } from "./first-matrix.js";
import { jiangDai } from "./jiang-dai.js";
import { lbfgs } from "./lbfgs.js";
import { learnedMetric } from "./learned-metric.js";
import { type McmVariant, mcm } from "./mcm.js";
import { trialRay } from "./ray.js";
import { type TrivializationVariant, trivialization } from "./trivialization.js";
import { trustRegion } from "./trust-region.js";
import { wenYin } from "./wen-yin.js";

const mcmVariants: [McmVariant, ...McmVariant[]] = ["gp", "gr"];
const trivializations: [TrivializationVariant, ...TrivializationVariant[]] = ["cayley", "exp"];

const retractionOf = (given: string | undefined, usual: RetractionName): RetractionName =>
  choice("retraction", [usual, ...(Object.keys(retractions) as RetractionName[])], given);

/** with Powell's restarts in a metric that is learned, with restarts alone, or as the paper ran it */
const rcgVariants = ["metric", "restarts", "plain"] as const;
/** with a first matrix that is learned, or a number */
const rlbfgsVariants = ["metric", "plain"] as const;

/** The given preconditioner, or one that is learned */
function inMetric(
  E: Engine,
  f: Objective,
  geometry: StiefelGeometry,
  o: SolverOptions,
): { precondition: Precondition; learn?: (pair: Pair) => void } {
  if (o.precondition) return { precondition: o.precondition };
  const { apply, learn } = learnedMetric(E, f, geometry);
  return { precondition: apply, learn };
}

/** Pymanopt's `hs` and `pr` are never negative. */
const ruleOf = (rule: CgRuleName = "hs"): CgRuleName => (rule === "hs" ? "hs+" : rule === "pr" ? "pr+" : rule);

/** Without its own second derivatives, so that differences of gradients take their place */
function withoutHessian({ hvp: _hvp, linearize: _linearize, ...f }: Objective): Objective {
  return f;
}

/** Methods whose iterates all lie on the manifold. */
export const feasibleSolvers = {
  mcm: {
    title: "Multipliers correction with gradient projection or reflection",
    options: ["variant"],
    holds: { tall: 11, square: 27 },
    variants: mcmVariants,
    create: (E, f, X0, o) =>
      mcm(E, f, X0, { variant: choice("mcm: variant", mcmVariants, o.variant), evaluations: o.evaluations }),
  },

  "wen-yin": {
    title: "Wen and Yin's Barzilai–Borwein method on Cayley curves (OptStiefelGBB)",
    options: ["retraction", "variant"],
    holds: { tall: 14, square: 30 },
    variants: feasibleBbVariants,
    create: (E, f, X0, o) =>
      wenYin(E, f, X0, {
        retraction: retractionOf(o.retraction, "cayley"),
        variant: choice("wen-yin: variant", feasibleBbVariants, o.variant),
        evaluations: o.evaluations,
      }),
  },

  "jiang-dai": {
    title: "Jiang and Dai's constraint-preserving Barzilai–Borwein method",
    options: ["variant"],
    holds: { tall: 14, square: 30 },
    variants: feasibleBbVariants,
    create: (E, f, X0, o) =>
      jiangDai(E, f, X0, {
        variant: choice("jiang-dai: variant", feasibleBbVariants, o.variant),
        evaluations: o.evaluations,
      }),
  },

  rcg: {
    title: "Riemannian conjugate gradients (as Pymanopt: rule hs, adaptive search, retraction qr)",
    options: ["rule", "search", "retraction", "variant", "precondition"],
    holds: { tall: 14, square: 27 },
    variants: rcgVariants,
    create(E, f, X0, o) {
      const geometry = stiefel(E, f.n, f.p, { retraction: retractionOf(o.retraction, "qr") });
      const variant = choice("rcg: variant", rcgVariants, o.variant);
      const wolfe = choice("rcg: search", ["adaptive", "wolfe"], o.search) === "wolfe";
      const method = cg(E, {
        rule: cgRules[ruleOf(o.rule)],
        search: wolfe ? scipySearch({ c2: 0.4 }) : adaptive(),
        ...(variant !== "plain" && { orthogonality: 0.8 }),
        stepCap: 10 * Math.sqrt(f.p),
        ...(variant === "metric" ? inMetric(E, f, geometry, o) : preconditioned(o)),
      });
      return method(trialRay(E, f, geometry, X0, o.evaluations));
    },
  },

  rlbfgs: {
    title: "Riemannian limited-memory BFGS",
    options: ["memory", "retraction", "variant", "precondition"],
    holds: { tall: 13, square: 27, pairs: 4 },
    variants: rlbfgsVariants,
    create(E, f, X0, o) {
      const variant = choice("rlbfgs: variant", rlbfgsVariants, o.variant);
      const geometry = stiefel(E, f.n, f.p, { retraction: retractionOf(o.retraction, "qr") });
      const { precondition, learn } = variant === "metric" ? inMetric(E, f, geometry, o) : { ...o, learn: undefined };
      const method = lbfgs(E, f.n, f.p, {
        caution: 1e-4,
        stepCap: Math.sqrt(f.p),
        ...(o.memory !== undefined && { memory: o.memory }),
        ...(precondition && { first: scaledPreconditioner(E, f.n, f.p, geometry, precondition, learn) }),
      });
      return method(trialRay(E, f, geometry, X0, o.evaluations));
    },
  },

  rtr: {
    title: "Riemannian trust region, truncated conjugate gradients on the Hessian",
    options: ["hessian", "retraction", "precondition"],
    holds: { tall: 17, square: 21 },
    create(E, f, X0, o) {
      const geometry = stiefel(E, f.n, f.p, { retraction: retractionOf(o.retraction, "qr") });
      const differences = choice("rtr: hessian", ["exact", "differences"], o.hessian) === "differences";
      const method = trustRegion(E, differences ? withoutHessian(f) : f, preconditioned(o));
      return method(trialRay(E, f, geometry, X0, o.evaluations, true));
    },
  },

  trivialization: {
    title: "Trivialization by the Cayley map or, for small n, the exponential",
    options: ["variant", "rebase", "memory"],
    holds: { tall: 17, square: 21, pairs: 4 },
    variants: trivializations,
    create: (E, f, X0, o) =>
      trivialization(E, f, X0, {
        variant: choice("trivialization: variant", trivializations, o.variant),
        ...(o.rebase !== undefined && { rebase: o.rebase }),
        memory: o.memory,
        evaluations: o.evaluations,
      }),
  },
} satisfies Record<string, SolverEntry>;
