/** A function of the engine that makes an objective; where it was meant as f itself, the sentence says how to give that. */

import type { Engine } from "@expen/linalg";
import { described } from "@expen/linalg";
import type { View } from "../contracts/manifold.js";
import type { Formula } from "./formula.js";
import type { UserObjective } from "./objective.js";

const WANTED =
  "a function in the place of f is called with the engine and must return the objective; " +
  "for a function of X give { f, grad }, or formula((X) => …) for automatic derivatives";

/** The objective that a user's function of the engine returns */
export function callFactory<P extends View>(
  make: (E: Engine) => UserObjective<P> | Formula,
  E: Engine,
): UserObjective<P> | Formula {
  let made: UserObjective<P> | Formula;
  try {
    made = make(E);
  } catch (error) {
    // an engine is no matrix: what fails with it was meant for X
    if (!(error instanceof TypeError) && (error as Error)?.name !== "TapeError") throw error;
    throw new TypeError(`${withoutStop((error as Error).message)}; ${WANTED}.`, { cause: error });
  }
  if (typeof made === "object" && made !== null && !("then" in made)) return made;
  throw new TypeError(`the function returns ${described(made)}; ${WANTED}.`);
}

const withoutStop = (sentence: string): string => sentence.replace(/\.$/, "");
