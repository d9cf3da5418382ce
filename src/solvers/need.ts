import type { Shape } from "../constraints/manifold.js";
import { type Part, type RunShape, runParts } from "../memory/need.js";
import { type SolverName, solvers } from "./catalog.js";

/** What a run of the solver holds; without a name, of the default. */
export const solverParts = (n: number, p: number, o: RunShape & { solver?: SolverName } = {}): Part[] =>
  runParts(n, p, solvers[o.solver ?? "expen"].holds, o);

/** The same for points of several matrices; of a complex one each is two. */
export const solverPartsOn = (shapes: readonly Shape[], o: RunShape & { solver?: SolverName } = {}): Part[] =>
  shapes.flatMap(({ n, p, complex }) =>
    solverParts(n, p, o).map(({ count, plain = 0, after = 0, ...part }) => {
      const times = complex ? 2 : 1;
      return { ...part, count: times * count, plain: times * plain, after: times * after };
    }),
  );
