import { type RetractionName, retractions, stiefel } from "../geometry/stiefel.js";
import { adaptive } from "../search/adaptive.js";
import { scipySearch } from "../search/scipy.js";
import type { Objective } from "../types.js";
import { cg } from "./cg.js";
import { type CgRuleName, cgRules } from "./cg-rules.js";
import { choice, preconditioned, type SolverEntry } from "./entry.js";
import { jiangDai } from "./jiang-dai.js";
import { lbfgs } from "./lbfgs.js";
import { type McmVariant, mcm } from "./mcm.js";
import { trialRay } from "./ray.js";
import { type TrivializationVariant, trivialization } from "./trivialization.js";
import { trustRegion } from "./trust-region.js";
import { wenYin } from "./wen-yin.js";

const mcmVariants: [McmVariant, ...McmVariant[]] = ["gp", "gr"];
const trivializations: [TrivializationVariant, ...TrivializationVariant[]] = ["cayley", "exp"];

const retractionOf = (given: string | undefined, usual: RetractionName): RetractionName =>
  choice("retraction", [usual, ...(Object.keys(retractions) as RetractionName[])], given);

/** with Powell's restarts, or as the paper ran it */
const rcgVariants = ["restarts", "plain"] as const;

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
    variants: mcmVariants,
    create: (E, f, X0, o) =>
      mcm(E, f, X0, { variant: choice("mcm: variant", mcmVariants, o.variant), evaluations: o.evaluations }),
  },

  "wen-yin": {
    title: "Wen and Yin's Barzilai–Borwein method on Cayley curves (OptStiefelGBB)",
    options: ["retraction"],
    create: (E, f, X0, o) =>
      wenYin(E, f, X0, { retraction: retractionOf(o.retraction, "cayley"), evaluations: o.evaluations }),
  },

  "jiang-dai": {
    title: "Jiang and Dai's constraint-preserving Barzilai–Borwein method",
    create: (E, f, X0, o) => jiangDai(E, f, X0, { evaluations: o.evaluations }),
  },

  rcg: {
    title: "Riemannian conjugate gradients (as Pymanopt: rule hs, adaptive search, retraction qr)",
    options: ["rule", "search", "retraction", "variant", "precondition"],
    variants: rcgVariants,
    create(E, f, X0, o) {
      const geometry = stiefel(E, f.n, f.p, { retraction: retractionOf(o.retraction, "qr") });
      const restarts = choice("rcg: variant", rcgVariants, o.variant) === "restarts";
      const wolfe = choice("rcg: search", ["adaptive", "wolfe"], o.search) === "wolfe";
      const method = cg(E, {
        rule: cgRules[ruleOf(o.rule)],
        search: wolfe ? scipySearch({ c2: 0.4 }) : adaptive(),
        ...(restarts && { orthogonality: 0.8 }),
        stepCap: 10 * Math.sqrt(f.p),
        ...preconditioned(o),
      });
      return method(trialRay(E, f, geometry, X0, o.evaluations));
    },
  },

  rlbfgs: {
    title: "Riemannian limited-memory BFGS",
    options: ["memory", "retraction", "precondition"],
    create(E, f, X0, o) {
      const geometry = stiefel(E, f.n, f.p, { retraction: retractionOf(o.retraction, "qr") });
      const method = lbfgs(E, f.n, f.p, {
        caution: 1e-4,
        stepCap: Math.sqrt(f.p),
        ...(o.memory !== undefined && { memory: o.memory }),
        ...preconditioned(o),
      });
      return method(trialRay(E, f, geometry, X0, o.evaluations));
    },
  },

  rtr: {
    title: "Riemannian trust region, truncated conjugate gradients on the Hessian",
    options: ["hessian", "retraction", "precondition"],
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
