/** Before its first race a solver runs briefly on a small problem, so that no solver's time includes compiling. */
import type { Engine, SolverName } from "expen";
import { solveStiefel } from "expen/methods";
import { problems } from "expen/problems";
import type { Entrant } from "../protocol.js";
import { entrantOptions } from "./entrant-options.js";

/** ms of that run: enough for the just-in-time compiler, too short to be noticed */
const LENGTH = 25;
const rehearsed = new Set<string>();

const key = (entrant: Entrant): string => JSON.stringify(entrant);

export const newcomers = (entrants: readonly Entrant[]): Entrant[] => entrants.filter((e) => !rehearsed.has(key(e)));

export async function rehearse(E: Engine, entrants: readonly Entrant[]): Promise<void> {
  for (const entrant of entrants) {
    const { solver, options } = entrant;
    rehearsed.add(key(entrant));
    try {
      const { objective } = problems.get("noeig")!.make(E, { n: 60, p: 4 });
      const own = { ...entrantOptions(solver, options), solver: solver as SolverName };
      const steps = await solveStiefel(E, objective, own);
      const end = performance.now() + LENGTH;
      while (performance.now() < end && !steps.next().done);
    } catch {
      // the race itself reports the error
    }
  }
}
