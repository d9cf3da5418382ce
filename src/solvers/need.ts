import type { Constraint } from "../constraints/constraint.js";
import type { Shape } from "../constraints/manifold.js";
import { type Part, type RunShape, runParts } from "../memory/need.js";
import type { Engine, Objective } from "../types.js";
import { type SolverName, type SolverOptions, solvers } from "./catalog.js";
import { MORE_PAIRS } from "./frame/lbfgs.js";
import { krylovParts, wayOf } from "./krylov/plan.js";
import { growsSpaces, preconditionedParts } from "./subspace/preconditioned.js";

/** What a run of the solver holds; without a name, of the default. */
export const solverParts = (n: number, p: number, o: RunShape & { solver?: SolverName } = {}): Part[] =>
  runParts(n, p, solvers[o.solver ?? "expen"].holds, o);

/** The same where f declares a form that the default solves in Krylov or Davidson's spaces, whose basis is larger than X; else none. */
export function formParts(
  E: Engine,
  f: Objective,
  on: Constraint,
  { solver = "expen", beta = "auto", precondition }: { solver?: SolverName } & Partial<SolverOptions>,
): Part[] {
  const { n, p, quadratic } = f;
  if (!quadratic || !on.traits.orthonormal || solver !== "expen" || beta !== "auto") return [];
  if (precondition) return growsSpaces(f, on) ? preconditionedParts(f) : [];
  return wayOf(E, n, p, quadratic) === "krylov" ? krylovParts(E, n, p, quadratic) : [];
}

/** The same for points of several matrices, or complex ones, for which the default keeps more pairs; of a complex one each is two. */
export const solverPartsOn = (shapes: readonly Shape[], o: RunShape & { solver?: SolverName } = {}): Part[] =>
  shapes.flatMap(({ n, p, complex }) =>
    solverParts(n, p, {
      ...((complex || shapes.length > 1) && (o.solver ?? "expen") === "expen" && { memory: MORE_PAIRS }),
      ...o,
    }).map(({ count, plain = 0, after = 0, ...part }) => {
      const times = complex ? 2 : 1;
      return { ...part, count: times * count, plain: times * plain, after: times * after };
    }),
  );
