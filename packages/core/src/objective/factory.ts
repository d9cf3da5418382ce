/** Functions of the engine that make an objective; a function that was meant as f itself gets a sentence. */

import type { Engine } from "@expen/linalg";
import { described } from "@expen/linalg";
import type { View } from "../contracts/manifold.js";
import type { Formula, UserObjective } from "../contracts/user-objective.js";

const ADVICE =
  "a function in the place of f is called with the engine and must return the objective; " +
  "for a function of X give { f, grad }, or formula((X) => …) for automatic derivatives";

/** The objective that a user's function of the engine returns */
export function callFactory<P extends View>(
  make: (E: Engine) => UserObjective<P> | Formula,
  E: Engine,
): UserObjective<P> | Formula {
  let objective: UserObjective<P> | Formula;
  try {
    objective = make(E);
  } catch (error) {
    // a function of X fails with an engine in its place
    if (!(error instanceof TypeError) && (error as Error)?.name !== "TapeError") throw error;
    throw new TypeError(`${withoutStop((error as Error).message)}; ${ADVICE}.`, { cause: error });
  }
  if (typeof objective === "object" && objective !== null && !("then" in objective)) return objective;
  throw new TypeError(`the function returns ${described(objective)}; ${ADVICE}.`);
}

const withoutStop = (sentence: string): string => sentence.replace(/\.$/, "");
