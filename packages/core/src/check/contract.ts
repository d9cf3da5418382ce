/** The contract of a user's functions, whatever f is: return a number, write the result, leave X as it is. */

import type { Engine, Tall } from "@expen/linalg";
import { described, isPromise } from "@expen/linalg";
import { isSame } from "@expen/linalg/engine";
import type { Evaluated } from "../contracts/evaluator.js";
import type { Objective } from "../contracts/objective.js";
import { evaluatorOf } from "../objective/evaluator.js";
import { requireAssigned } from "./assignment.js";
import { ContractError, place } from "./contract-error.js";

export function requireNumber(value: unknown, what = "f"): void {
  if (typeof value === "number") return;
  const why = isPromise(value) ? "; an async function cannot be minimised" : "";
  throw new ContractError(`${what} returns ${described(value)}; it must return a number${why}.`);
}

/** Copies X; the function returned gives the first entry that has changed since, or −1. */
export function changesOf(E: Engine, X: Tall): () => number {
  const before = E.tall(X.rows, X.cols);
  E.copy(before, X);
  return () => {
    if (isSame(E, X, before)) return -1;
    const [after, old] = [E.read(X), E.read(before)];
    return old.findIndex((v, i) => !Object.is(v + 0, after[i]! + 0));
  };
}

export function guardOf(E: Engine, X: Tall): (what: string) => void {
  const changes = changesOf(E, X);
  return (what) => {
    const changed = changes();
    if (changed < 0) return;
    throw new ContractError(`${what} changes its input X (entry ${place(X, changed)}); it must leave X as it is.`);
  };
}

/** G ← ∇f(X) and f(X); throws a ContractError if X was changed, f is not a number, or an entry of G was not assigned. */
export function checkedGradient(E: Engine, f: Objective, G: Tall, X: Tall): number {
  const requireSame = guardOf(E, X);
  E.fill(G, Number.NaN);
  const value = f.fg(G, X);
  requireSame("f or its gradient");
  requireNumber(value);
  // ‖G‖² is NaN if an entry is; an f that is not finite is reported first
  if (Number.isNaN(E.dot(G, G)) && Number.isFinite(value)) requireAssigned(E, f, G, X);
  return value;
}

/** f and ∇f at the start, by `checkedGradient` */
export const checkedStart = (E: Engine, f: Objective, X: Tall): Evaluated =>
  evaluatorOf(E, f).start(X, (G) => checkedGradient(E, f, G, X));
