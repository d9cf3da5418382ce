/** The methods of others by name: what they are and take. The methods themselves are imported when they are begun. */
import { beta, feasibleEntry, memory, precondition, rule, type SolverEntry, solverEntry, variant } from "@expen/core";
import { type RetractionName, retractionNames } from "./curves/retraction-names.js";
import type { LandingVariant } from "./landing.js";
import type { McmVariant } from "./mcm.js";
import type { TrivializationVariant } from "./trivialization.js";

const mcmVariants = ["gp", "gr"] as const satisfies McmVariant[];
const landingVariants = ["bb", "search", "constant"] as const satisfies LandingVariant[];
const trivializations = ["cayley", "exp"] as const satisfies TrivializationVariant[];

const retractionOption = (name: RetractionName) =>
  ({ kind: "choice", help: "retraction to the manifold", names: retractionNames, default: name }) as const;

type FeasibleName = "mcm" | "wen-yin" | "jiang-dai" | "rcg" | "rlbfgs" | "rtr" | "trivialization";

/** Methods with feasible iterates. */
export const feasibleSolvers: Readonly<Record<FeasibleName, SolverEntry>> = {
  mcm: feasibleEntry({
    needs: "orthonormal",
    title: "Multipliers correction with gradient projection or reflection",
    holds: { tall: 11, square: 33 },
    options: { variant: variant(mcmVariants) },
    load: async () => (await import("./mcm.js")).mcm,
  }),

  "wen-yin": feasibleEntry({
    needs: "orthonormal",
    title: "Wen and Yin's Barzilai–Borwein method on Cayley curves (OptStiefelGBB)",
    holds: { tall: 14, square: 39 },
    options: { retraction: retractionOption("cayley") },
    load: async () => (await import("./wen-yin.js")).wenYin,
  }),

  "jiang-dai": feasibleEntry({
    needs: "orthonormal",
    title: "Jiang and Dai's constraint-preserving Barzilai–Borwein method",
    holds: { tall: 14, square: 39 },
    options: {},
    load: async () => (await import("./jiang-dai.js")).jiangDai,
  }),

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
    load: async () => (await import("./rcg.js")).rcg,
  }),

  rlbfgs: feasibleEntry({
    general: true,
    title: "Riemannian limited-memory BFGS",
    holds: { tall: 13, square: 33, pairs: 4 },
    options: {
      memory: { ...memory, default: 4 },
      retraction: retractionOption("qr"),
      precondition,
    },
    load: async () => (await import("./rlbfgs.js")).rlbfgs,
  }),

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
    load: async () => (await import("./rtr.js")).rtr,
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
    load: async () => (await import("./trivialization.js")).trivialization,
  }),
};

type InfeasibleName = "plam" | "pcal" | "pencf" | "pencs" | "slpg" | "landing";

/** Methods with iterates that are feasible in the limit only. */
export const infeasibleSolvers: Readonly<Record<InfeasibleName, SolverEntry>> = {
  plam: solverEntry({
    title: "Parallelizable augmented Lagrangian method",
    holds: { tall: 12, square: 35 },
    options: { beta },
    load: async () => (await import("./by-beta.js")).plam,
  }),

  pcal: solverEntry({
    needs: "orthonormal",
    title: "Column-wise parallelizable augmented Lagrangian method",
    holds: { tall: 12, square: 37 },
    options: { beta },
    load: async () => (await import("./by-beta.js")).pcal,
  }),

  pencf: solverEntry({
    title: "Penalty with compact constraints, first order",
    holds: { tall: 12, square: 35 },
    options: { beta },
    load: async () => (await import("./by-beta.js")).pencf,
  }),

  pencs: solverEntry({
    title: "Penalty with compact constraints, second order",
    holds: { tall: 26, square: 57 },
    options: { beta },
    load: async () => (await import("./by-beta.js")).pencs,
  }),

  slpg: solverEntry({
    title: "Sequential linearised proximal gradient; with a nonsmooth term for sparse solutions",
    holds: { tall: 12, square: 28 },
    options: { nonsmooth: { kind: "term", help: "a term r(X) added to f: ℓ1 or ℓ2,1 norm" } },
    load: async () => {
      const [{ slpg }, { slpgNonsmooth }, { normOf }] = await Promise.all([
        import("./slpg.js"),
        import("./slpg-nonsmooth.js"),
        import("./term.js"),
      ]);
      return (E, f, X0, { nonsmooth, ...o }) =>
        nonsmooth ? slpgNonsmooth(E, f, X0, normOf(nonsmooth), o) : slpg(E, f, X0, o);
    },
  }),

  landing: solverEntry({
    needs: "metric",
    title: "Landing field with safe Barzilai–Borwein steps",
    holds: { tall: 12, square: 28 },
    options: { variant: variant(landingVariants) },
    load: async () => (await import("./landing.js")).landing,
  }),
};
