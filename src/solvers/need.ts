import type { Shape } from "../constraints/manifold.js";
import { type Part, type RunShape, runParts } from "../memory/need.js";
import { type SolverName, solvers } from "./catalog.js";
import { MORE_PAIRS } from "./frame-lbfgs.js";

/** What a run of the solver holds; without a name, of the default. */
export const solverParts = (n: number, p: number, o: RunShape & { solver?: SolverName } = {}): Part[] =>
  runParts(n, p, solvers[o.solver ?? "expen"].holds, o);

/** The same for points of several matrices, or complex ones, for which the default keeps more pairs; of a complex one each is two. */
export const solverPartsOn = (shapes: readonly Shape[], o: RunShape & { solver?: SolverName } = {}): Part[] =>
  shapes.flatMap(({ n, p, complex }) =>
    solverParts(n, p, {
      ...((complex || shapes.length > 1) && (o.solver ?? "expen") === "expen" && { memory: MORE_PAIRS }),
      ...o,
    }).map(({ count, plain = 0, ...part }) =>
      complex ? { ...part, count: 2 * count, plain: 2 * plain } : { ...part, count, plain },
    ),
  );
