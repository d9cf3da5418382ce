/** The driver put together: the fastest engine there is, every solver and proof. */

import type { Shape } from "@expen/core";
import { minimizer, partsOfRun, partsOfRunOn } from "@expen/core";
import { quadraticProof } from "@expen/eigen";
import { openEngine } from "@expen/engines";
import type { Part, RunShape } from "@expen/linalg/memory";
import { solvers } from "./solvers.js";
import { normOf } from "./term.js";

export const { minimize, solve, solveOn, closedForm, certify } = minimizer({
  open: (options) => openEngine("auto", options),
  solvers,
  provers: [quadraticProof],
  term: normOf,
});

type Named = RunShape & { solver?: string };

/** What a run holds, by its solver; without a name, by the default */
export const solverParts = (n: number, p: number, o?: Named): Part[] => partsOfRun(solvers, n, p, o);
/** The same on a manifold */
export const solverPartsOn = (shapes: readonly Shape[], o?: Named): Part[] => partsOfRunOn(solvers, shapes, o);
