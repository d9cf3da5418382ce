/** The driver put together: the fastest engine there is, every solver and proof. */
import { quadraticProof } from "@expen/eigen";
import type { Shape } from "@expen/core";
import { openEngine } from "@expen/engines";
import type { Part, RunShape } from "@expen/linalg/memory";
import { normOf } from "./term.js";
import { minimizer } from "@expen/core";
import { solvers } from "./solvers.js";
import { partsOfRun, partsOfRunOn } from "@expen/core";

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
