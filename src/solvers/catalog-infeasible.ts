import { fixedBeta } from "../penalty/beta.js";
import type { Engine, Matrix, Objective } from "../types.js";
import { choice, type SolverEntry, type SolverOptions } from "./entry.js";
import { type LandingVariant, landing } from "./landing.js";
import { pcal } from "./pcal.js";
import { pencf } from "./pencf.js";
import { pencs } from "./pencs.js";
import { plam } from "./plam.js";
import { slpg } from "./slpg.js";
import { slpgNonsmooth } from "./slpg-nonsmooth.js";

/** β as a number, or undefined for the solver's own rule */
const betaOf = (E: Engine, f: Objective, X0: Matrix, { beta = "auto", seed = 1 }: SolverOptions): number | undefined =>
  beta === "auto" ? undefined : fixedBeta(E, f, X0, beta, { seed });

const landingVariants: [LandingVariant, ...LandingVariant[]] = ["bb", "search", "constant"];

/** Methods whose iterates come to the manifold only in the limit. */
export const infeasibleSolvers = {
  plam: {
    title: "Parallelizable augmented Lagrangian method",
    options: ["beta"],
    holds: { tall: 12, square: 27 },
    create: (E, f, X0, o) => plam(E, f, X0, { beta: betaOf(E, f, X0, o), evaluations: o.evaluations }),
  },

  pcal: {
    title: "Column-wise parallelizable augmented Lagrangian method",
    options: ["beta"],
    holds: { tall: 12, square: 28 },
    create: (E, f, X0, o) => pcal(E, f, X0, { beta: betaOf(E, f, X0, o), evaluations: o.evaluations }),
  },

  pencf: {
    title: "Penalty with compact constraints, first order",
    options: ["beta"],
    holds: { tall: 12, square: 27 },
    create: (E, f, X0, o) => pencf(E, f, X0, { beta: betaOf(E, f, X0, o), evaluations: o.evaluations }),
  },

  pencs: {
    title: "Penalty with compact constraints, second order",
    options: ["beta"],
    holds: { tall: 26, square: 40 },
    create: (E, f, X0, o) => pencs(E, f, X0, { beta: betaOf(E, f, X0, o), evaluations: o.evaluations }),
  },

  slpg: {
    title: "Sequential linearised proximal gradient; with a nonsmooth term for sparse solutions",
    options: ["nonsmooth"],
    holds: { tall: 12, square: 20 },
    create: (E, f, X0, { nonsmooth, evaluations }) =>
      nonsmooth ? slpgNonsmooth(E, f, X0, nonsmooth, { evaluations }) : slpg(E, f, X0, { evaluations }),
  },

  landing: {
    title: "Landing field with safe Barzilai–Borwein steps",
    options: ["variant"],
    holds: { tall: 12, square: 20 },
    variants: landingVariants,
    create: (E, f, X0, o) =>
      landing(E, f, X0, {
        variant: choice("landing: variant", landingVariants, o.variant),
        evaluations: o.evaluations,
      }),
  },
} satisfies Record<string, SolverEntry>;
