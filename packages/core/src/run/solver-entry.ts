/** Entries of solvers, from their options and the import of their method */

import type { Objective } from "../contracts/objective.js";
import type {
  BeginSolver,
  Chosen,
  Option,
  OptionName,
  Schema,
  SolverEntry,
  SolverOptions,
  Where,
} from "../contracts/solver.js";
import { requireOptions } from "./option-schema.js";

interface Definition<S extends Schema> extends Pick<SolverEntry, "title" | "needs" | "general" | "holds" | "feasible"> {
  options: S;
  /** Imports the method, which gets the options of the schema with their defaults and no others. */
  load(f: Objective, o: SolverOptions & Where): Promise<BeginSolver<Chosen<S>>>;
}

/** An entry of a solver that evaluates f on the manifold alone */
export const feasibleEntry = /* @__NO_SIDE_EFFECTS__ */ <const S extends Schema>(
  definition: Definition<S>,
): SolverEntry => solverEntry({ ...definition, feasible: () => true });

/** An entry from its title, its options, and `load`. */
/* @__NO_SIDE_EFFECTS__ */ export function solverEntry<const S extends Schema>({
  options: schema,
  load: own,
  ...rest
}: Definition<S>): SolverEntry {
  const load: SolverEntry["load"] = async (f, options) => {
    const method = await own(f, options);
    const begin: BeginSolver = (E, f, X0, o) => method(E, f, X0, withDefaults(schema, o));
    if (!options.precondition || !schema.precondition) return begin;
    const { withoutHarm } = await import("../methods/precondition/watched.js");
    return (E, f, X0, o) => (o.watch ? begin(E, f, X0, o) : withoutHarm(E, f, X0, o, (X0, o) => begin(E, f, X0, o)));
  };
  return {
    ...rest,
    schema,
    options: Object.keys(schema) as OptionName[],
    variants: schema.variant?.names,
    load,
    async create(E, f, X0, o) {
      requireOptions(schema, o);
      return (await load(f, o))(E, f, X0, o);
    },
  };
}

function withDefaults<S extends Schema>(schema: S, user: SolverOptions & Where): Chosen<S> {
  const { on, tolerance, seed, evaluations, watch, note, chose } = user;
  const usual = (option: Option): unknown => ("default" in option ? option.default : undefined);
  const values = Object.entries(schema).map(([name, option]) => [name, user[name as OptionName] ?? usual(option)]);
  return { on, tolerance, seed, evaluations, watch, note, chose, ...Object.fromEntries(values) } as Chosen<S>;
}
