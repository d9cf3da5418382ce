/** The driver put together: the fastest engine there is, every solver and proof. */
import { quadraticProof } from "./certify/quadratic.js";
import type { Shape } from "./constraints/manifold.js";
import { openEngine } from "./engines/open.js";
import type { Part, RunShape } from "./memory/need.js";
import { normOf } from "./penalty/term.js";
import { minimizer } from "./run/minimizer.js";
import { solvers } from "./solvers/catalog.js";
import { partsOfRun, partsOfRunOn } from "./solvers/need.js";

export const { minimize, solveOn, closedForm, certify } = minimizer({
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
