import type { Objective, Solver } from "@expen/core";
import { beta, type Chosen, type SolverEntry, solverEntry, variant } from "@expen/core";
import { fixedBeta } from "@expen/core/expen";
import type { Engine, Tall } from "@expen/linalg";
import type { AugmentedBbOptions } from "./barzilai-borwein/augmented-bb.js";
import { type LandingVariant, landing } from "./landing.js";
import { pcal } from "./pcal.js";
import { pencf } from "./pencf.js";
import { pencs } from "./pencs.js";
import { plam } from "./plam.js";
import { slpg } from "./slpg.js";
import { slpgNonsmooth } from "./slpg-nonsmooth.js";
import { normOf } from "./term.js";

/** The solver with β as a number, or undefined for its own rule */
const withFixedBeta =
  (solver: (E: Engine, f: Objective, X0: Tall, o: AugmentedBbOptions) => Solver) =>
  (E: Engine, f: Objective, X0: Tall, { beta: rule, ...o }: Chosen<{ beta: typeof beta }>): Solver => {
    const { seed, on } = o;
    return solver(E, f, X0, { ...o, beta: rule === "auto" ? undefined : fixedBeta(E, f, X0, rule, { seed, on }) });
  };

const landingVariants = ["bb", "search", "constant"] as const satisfies LandingVariant[];

/** Methods whose iterates come to the manifold only in the limit. */
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
