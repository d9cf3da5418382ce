import type { Objective } from "@expen/core";
import {
  feasibleEntry,
  memory,
  precondition,
  riemannian,
  rule,
  type SolverEntry,
  type StiefelGeometry,
  stiefelGeometry as stiefel,
  variant,
  type Where,
} from "@expen/core";
import {
  type CgRuleName,
  cg,
  cgRules,
  lbfgs,
  regionOn,
  scaledPreconditioner,
  scipySearch,
  trialRay,
  trustRegion,
} from "@expen/core/methods";
import type { Engine } from "@expen/linalg";
import { type RetractionName, retractions } from "./curves/retractions.js";
import { jiangDai } from "./jiang-dai.js";
import { type McmVariant, mcm } from "./mcm.js";
import { adaptive } from "./search/adaptive.js";
import { type TrivializationVariant, trivialization } from "./trivialization.js";
import { wenYin } from "./wen-yin.js";

const mcmVariants = ["gp", "gr"] as const satisfies McmVariant[];
const trivializations = ["cayley", "exp"] as const satisfies TrivializationVariant[];

const retraction = (usual: RetractionName) =>
  ({
    kind: "choice",
    help: "the way back to the manifold",
    names: Object.keys(retractions) as RetractionName[],
    default: usual,
  }) as const;

/** Orthonormal columns with the retraction that was chosen; another constraint has its own way back. */
function geometryOf(
  E: Engine,
  { n, p }: Objective,
  { on, retraction }: Where & { retraction: RetractionName },
): StiefelGeometry {
  return on && !on.traits.orthonormal
    ? riemannian(E, on)
    : stiefel(E, n, p, { retract: retractions[retraction](E, n, p) });
}

/** Pymanopt's `hs` and `pr` are never negative. */
const ruleOf = (rule: CgRuleName): CgRuleName => (rule === "hs" ? "hs+" : rule === "pr" ? "pr+" : rule);

/** Without its own second derivatives, so that differences of gradients take their place */
function withoutHessian({ hvp: _hvp, linearize: _linearize, ...f }: Objective): Objective {
  return f;
}

/** Methods whose iterates all lie on the manifold. */
export const feasibleSolvers = {
  mcm: feasibleEntry({
    needs: "orthonormal",
    title: "Multipliers correction with gradient projection or reflection",
    holds: { tall: 11, square: 33 },
    options: { variant: variant(mcmVariants) },
    create: mcm,
  }),

  "wen-yin": feasibleEntry({
    needs: "orthonormal",
    title: "Wen and Yin's Barzilai–Borwein method on Cayley curves (OptStiefelGBB)",
    holds: { tall: 14, square: 39 },
    options: { retraction: retraction("cayley") },
    create: wenYin,
  }),

  "jiang-dai": feasibleEntry({
    needs: "orthonormal",
    title: "Jiang and Dai's constraint-preserving Barzilai–Borwein method",
    holds: { tall: 14, square: 39 },
    options: {},
    create: jiangDai,
  }),

  rcg: feasibleEntry({
    title: "Riemannian conjugate gradients (as Pymanopt: rule hs, adaptive search, retraction qr)",
    holds: { tall: 14, square: 33 },
    options: {
      rule: { ...rule, default: "hs" },
      search: { kind: "choice", help: "line search", names: ["adaptive", "wolfe"], default: "adaptive" },
      retraction: retraction("qr"),
      precondition,
    },
    create(E, f, X0, o) {
      const geometry = geometryOf(E, f, o);
      const method = cg(E, {
        rule: cgRules[ruleOf(o.rule)],
        search: o.search === "wolfe" ? scipySearch({ c2: 0.4 }) : adaptive(),
        stepCap: 10 * (o.on?.longestStep ?? Math.sqrt(f.p)),
        precondition: o.precondition,
        watch: o.watch,
      });
      return method(trialRay(E, f, geometry, X0, o.evaluations));
    },
  }),

  rlbfgs: feasibleEntry({
    title: "Riemannian limited-memory BFGS",
    holds: { tall: 13, square: 33, pairs: 4 },
    options: {
      memory: { ...memory, default: 4 },
      retraction: retraction("qr"),
      precondition,
    },
    create(E, f, X0, o) {
      const geometry = geometryOf(E, f, o);
      const method = lbfgs(E, f.n, f.p, {
        caution: 1e-4,
        stepCap: o.on?.longestStep ?? Math.sqrt(f.p),
        memory: o.memory,
        first: o.precondition && scaledPreconditioner(E, f.n, f.p, geometry, o.precondition, { watch: o.watch }),
      });
      return method(trialRay(E, f, geometry, X0, o.evaluations));
    },
  }),

  rtr: feasibleEntry({
    title: "Riemannian trust region, truncated conjugate gradients on the Hessian",
    holds: { tall: 17, square: 25 },
    options: {
      hessian: {
        kind: "choice",
        help: "second derivatives: the objective's own, or differences of gradients",
        names: ["exact", "differences"],
        default: "exact",
      },
      retraction: retraction("qr"),
      precondition,
    },
    create(E, f, X0, o) {
      const geometry = geometryOf(E, f, o);
      const method = trustRegion(E, o.hessian === "differences" ? withoutHessian(f) : f, {
        ...regionOn(o.on),
        precondition: o.precondition,
        watch: o.watch,
      });
      return method(trialRay(E, f, geometry, X0, o.evaluations, true));
    },
  }),

  trivialization: feasibleEntry({
    needs: "orthonormal",
    title: "Trivialization by the Cayley map or, for small n, the exponential",
    holds: { tall: 17, square: 25, pairs: 4 },
    options: {
      variant: variant(trivializations),
      rebase: { kind: "integer", help: "steps after which the base moves", least: 1, endless: true, default: 20 },
      memory: { ...memory, default: 4 },
    },
    create: trivialization,
  }),
} satisfies Record<string, SolverEntry>;
