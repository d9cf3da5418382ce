import type { Constraint } from "../constraints/constraint.js";
import { type BetaRule, fixedBeta } from "../penalty/beta.js";
import type { Engine, Objective, Tall } from "../types.js";
import { beta, type SolverEntry, solverEntry, variant } from "./entry.js";
import { type LandingVariant, landing } from "./landing.js";
import { pcal } from "./pcal.js";
import { pencf } from "./pencf.js";
import { pencs } from "./pencs.js";
import { plam } from "./plam.js";
import { slpg } from "./slpg.js";
import { slpgNonsmooth } from "./slpg-nonsmooth.js";

/** β as a number, or undefined for the solver's own rule */
const betaOf = (
  E: Engine,
  f: Objective,
  X0: Tall,
  { on, beta, seed = 1 }: { on?: Constraint; readonly beta: BetaRule; seed?: number },
): number | undefined => (beta === "auto" ? undefined : fixedBeta(E, f, X0, beta, { seed, on }));

const landingVariants = ["bb", "search", "constant"] as const satisfies LandingVariant[];

/** Methods whose iterates come to the manifold only in the limit. */
export const infeasibleSolvers = {
  plam: solverEntry({
    title: "Parallelizable augmented Lagrangian method",
    holds: { tall: 12, square: 35 },
    options: { beta },
    create: (E, f, X0, o) => plam(E, f, X0, { on: o.on, beta: betaOf(E, f, X0, o), evaluations: o.evaluations }),
  }),

  pcal: solverEntry({
    needs: "orthonormal",
    title: "Column-wise parallelizable augmented Lagrangian method",
    holds: { tall: 12, square: 37 },
    options: { beta },
    create: (E, f, X0, o) => pcal(E, f, X0, { beta: betaOf(E, f, X0, o), evaluations: o.evaluations }),
  }),

  pencf: solverEntry({
    title: "Penalty with compact constraints, first order",
    holds: { tall: 12, square: 35 },
    options: { beta },
    create: (E, f, X0, o) => pencf(E, f, X0, { on: o.on, beta: betaOf(E, f, X0, o), evaluations: o.evaluations }),
  }),

  pencs: solverEntry({
    title: "Penalty with compact constraints, second order",
    holds: { tall: 26, square: 57 },
    options: { beta },
    create: (E, f, X0, o) => pencs(E, f, X0, { on: o.on, beta: betaOf(E, f, X0, o), evaluations: o.evaluations }),
  }),

  slpg: solverEntry({
    title: "Sequential linearised proximal gradient; with a nonsmooth term for sparse solutions",
    holds: { tall: 12, square: 28 },
    options: { nonsmooth: { kind: "term", help: "a term r(X) added to f: ℓ1 or ℓ2,1 norm" } },
    create: (E, f, X0, { on, nonsmooth, evaluations }) =>
      nonsmooth ? slpgNonsmooth(E, f, X0, nonsmooth, { evaluations }) : slpg(E, f, X0, { on, evaluations }),
  }),

  landing: solverEntry({
    needs: "metric",
    title: "Landing field with safe Barzilai–Borwein steps",
    holds: { tall: 12, square: 28 },
    options: { variant: variant(landingVariants) },
    create: (E, f, X0, { on, variant, evaluations }) => landing(E, f, X0, { on, variant, evaluations }),
  }),
} satisfies Record<string, SolverEntry>;
