import type { Objective, Solver } from "@expen/core";
import {
  beta,
  type Chosen,
  feasibleEntry,
  memory,
  precondition,
  riemannian,
  rule,
  type SolverEntry,
  type StiefelGeometry,
  solverEntry,
  stiefelGeometry as stiefel,
  variant,
  type Where,
} from "@expen/core";
import { fixedBeta } from "@expen/core/expen";
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
import type { Engine, Tall } from "@expen/linalg";
import type { AugmentedBbOptions } from "./barzilai-borwein/augmented-bb.js";
import { type RetractionName, retractions } from "./curves/retractions.js";
import { jiangDai } from "./jiang-dai.js";
import { type LandingVariant, landing } from "./landing.js";
import { type McmVariant, mcm } from "./mcm.js";
import { pcal } from "./pcal.js";
import { pencf } from "./pencf.js";
import { pencs } from "./pencs.js";
import { plam } from "./plam.js";
import { adaptive } from "./search/adaptive.js";
import { slpg } from "./slpg.js";
import { slpgNonsmooth } from "./slpg-nonsmooth.js";
import { normOf } from "./term.js";
import { type TrivializationVariant, trivialization } from "./trivialization.js";
import { wenYin } from "./wen-yin.js";

const mcmVariants = ["gp", "gr"] as const satisfies McmVariant[];
const landingVariants = ["bb", "search", "constant"] as const satisfies LandingVariant[];
const trivializations = ["cayley", "exp"] as const satisfies TrivializationVariant[];

const retractionOption = (name: RetractionName) =>
  ({
    kind: "choice",
    help: "the way back to the manifold",
    names: Object.keys(retractions) as RetractionName[],
    default: name,
  }) as const;

/** The geometry of orthonormal columns with the retraction of that name, or that of another constraint with its own retraction. */
function geometryOf(
  E: Engine,
  { n, p }: Objective,
  { on, retraction }: Where & { retraction: RetractionName },
): StiefelGeometry {
  return on && !on.traits.orthonormal
    ? riemannian(E, on)
    : stiefel(E, n, p, { retract: retractions[retraction](E, n, p) });
}

/** In Pymanopt `hs` and `pr` are max(τ, 0), which is hs+ and pr+ here. */
const ruleOf = (rule: CgRuleName): CgRuleName => (rule === "hs" ? "hs+" : rule === "pr" ? "pr+" : rule);

/** f without its second derivatives, which differences of gradients replace */
function withoutHessian({ hvp: _hvp, linearize: _linearize, ...f }: Objective): Objective {
  return f;
}

/** The solver with β as a number; undefined leaves β to the rule of the method. */
const withFixedBeta =
  (solver: (E: Engine, f: Objective, X0: Tall, o: AugmentedBbOptions) => Solver) =>
  (E: Engine, f: Objective, X0: Tall, { beta: rule, ...o }: Chosen<{ beta: typeof beta }>): Solver => {
    const { seed, on } = o;
    return solver(E, f, X0, { ...o, beta: rule === "auto" ? undefined : fixedBeta(E, f, X0, rule, { seed, on }) });
  };

/** Methods with feasible iterates. */
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
    options: { retraction: retractionOption("cayley") },
    create: wenYin,
  }),

  "jiang-dai": feasibleEntry({
    needs: "orthonormal",
    title: "Jiang and Dai's constraint-preserving Barzilai–Borwein method",
    holds: { tall: 14, square: 39 },
    options: {},
    create: jiangDai,
  }),

  /**
   * The conjugate gradients of Pymanopt [Boumal, Mishra, Absil, Sepulchre, J. Mach. Learn. Res. 15, 2014], with the two departures of
   * search/adaptive.ts and ‖tD‖ ≤ 10√p.
   */
  rcg: feasibleEntry({
    general: true,
    title: "Riemannian conjugate gradients (as Pymanopt: rule hs, adaptive search, retraction qr)",
    holds: { tall: 14, square: 33 },
    options: {
      rule: { ...rule, default: "hs" },
      search: { kind: "choice", help: "line search", names: ["adaptive", "wolfe"], default: "adaptive" },
      retraction: retractionOption("qr"),
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

  /**
   * Riemannian BFGS with limited memory and cautious updates [Huang, Absil, Gallivan, SIAM J. Optim. 28, 2018]. A departure: the step is
   * that of the Hager–Zhang search, with ‖tD‖ ≤ √p.
   */
  rlbfgs: feasibleEntry({
    general: true,
    title: "Riemannian limited-memory BFGS",
    holds: { tall: 13, square: 33, pairs: 4 },
    options: {
      memory: { ...memory, default: 4 },
      retraction: retractionOption("qr"),
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

  /** The Riemannian trust region method [Absil, Baker, Gallivan, Found. Comput. Math. 7, 2007]; `trustRegion` names its departure. */
  rtr: feasibleEntry({
    general: true,
    title: "Riemannian trust region, truncated conjugate gradients on the Hessian",
    holds: { tall: 17, square: 25 },
    options: {
      hessian: {
        kind: "choice",
        help: "second derivatives: the objective's own, or differences of gradients",
        names: ["exact", "differences"],
        default: "exact",
      },
      retraction: retractionOption("qr"),
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

/** Methods with iterates that are feasible in the limit only. */
export const infeasibleSolvers = {
  plam: solverEntry({
    title: "Parallelizable augmented Lagrangian method",
    holds: { tall: 12, square: 35 },
    options: { beta },
    create: withFixedBeta(plam),
  }),

  pcal: solverEntry({
    needs: "orthonormal",
    title: "Column-wise parallelizable augmented Lagrangian method",
    holds: { tall: 12, square: 37 },
    options: { beta },
    create: withFixedBeta(pcal),
  }),

  pencf: solverEntry({
    title: "Penalty with compact constraints, first order",
    holds: { tall: 12, square: 35 },
    options: { beta },
    create: withFixedBeta(pencf),
  }),

  pencs: solverEntry({
    title: "Penalty with compact constraints, second order",
    holds: { tall: 26, square: 57 },
    options: { beta },
    create: withFixedBeta(pencs),
  }),

  slpg: solverEntry({
    title: "Sequential linearised proximal gradient; with a nonsmooth term for sparse solutions",
    holds: { tall: 12, square: 28 },
    options: { nonsmooth: { kind: "term", help: "a term r(X) added to f: ℓ1 or ℓ2,1 norm" } },
    create: (E, f, X0, { nonsmooth, ...o }) =>
      nonsmooth ? slpgNonsmooth(E, f, X0, normOf(nonsmooth), o) : slpg(E, f, X0, o),
  }),

  landing: solverEntry({
    needs: "metric",
    title: "Landing field with safe Barzilai–Borwein steps",
    holds: { tall: 12, square: 28 },
    options: { variant: variant(landingVariants) },
    create: landing,
  }),
} satisfies Record<string, SolverEntry>;
