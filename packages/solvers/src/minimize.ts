/** The driver put together: the fastest engine there is, every solver and proof. */

import type { ClosedForm, Objective, Result, Shape, StiefelOptions } from "@expen/core";
import { closedForm as closedFormOf, minimizer, type Parts, partsOfRun, partsOfRunOn } from "@expen/core";
import { openEngine } from "@expen/engines";
import type { Engine } from "@expen/linalg";
import type { Part, RunShape } from "@expen/linalg/memory";
import { solvers } from "./solvers.js";
import { normOf } from "./term.js";

/** The core's driver with the fastest engine there is, every solver, every proof, and terms by their kind */
export const parts = {
  open: (options: Parameters<Parts["open"]>[0]) => openEngine("auto", options),
  solvers,
  loadProvers: async (f: Objective) => (f.quadratic ? [(await import("@expen/eigen")).quadraticProof] : []),
  term: normOf,
};

export const { minimize, solve, solveOn } = minimizer(parts);

/** A point that a formula gives, measured and certified like the end of a run */
export const closedForm = (
  E: Engine,
  f: Objective,
  point: ClosedForm,
  o: StiefelOptions,
): Promise<Result | undefined> => closedFormOf(parts, E, f, point, o);

type Named = RunShape & { solver?: string };

/** What a run holds, by its solver; without a name, by the default */
export const solverParts = (n: number, p: number, o?: Named): Part[] => partsOfRun(solvers, n, p, o);
/** The same on a manifold */
export const solverPartsOn = (shapes: readonly Shape[], o?: Named): Part[] => partsOfRunOn(solvers, shapes, o);
