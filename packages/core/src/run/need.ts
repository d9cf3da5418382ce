/** The memory of a run, by its solver. */

import { type Part, type RunShape, runParts } from "@expen/linalg/memory";
import type { Shape } from "../contracts/manifold.js";
import type { SolverEntry } from "../contracts/solver.js";
import { DEFAULT_SOLVER } from "./options.js";

type Entries = Readonly<Record<string, Pick<SolverEntry, "holds">>>;
type Shaped = RunShape & { solver?: string };

/** The matrices of a run of the named solver, or of the default */
export const partsOfRun = (solvers: Entries, n: number, p: number, o: Shaped = {}): Part[] =>
  runParts(n, p, solvers[o.solver ?? DEFAULT_SOLVER]!.holds, o);

/** The same for points of several matrices or complex ones: each matrix of a complex point is two. */
export function partsOfRunOn(solvers: Entries, shapes: readonly Shape[], o: Shaped = {}): Part[] {
  const numbers = shapes.reduce((sum, { n, p }) => sum + n * p, 0);
  return shapes.flatMap(({ n, p, complex }) =>
    partsOfRun(solvers, n, p, { numbers, ...o }).map(({ count, plain = 0, after = 0, ...part }) => {
      const times = complex ? 2 : 1;
      return { ...part, count: times * count, plain: times * plain, after: times * after };
    }),
  );
}
