/** The contract of a user's functions, whatever f is: return a number, write the result, leave X as it is. */

import type { Engine, Tall } from "@expen/linalg";
import { described, isPromise } from "@expen/linalg";
import { chain } from "@expen/linalg/engine";
import type { Objective } from "../contracts/objective.js";
import { requireAssigned } from "./assignment.js";
import { ContractError, place } from "./contract-error.js";

export function requireNumber(value: unknown, what = "f"): void {
  if (typeof value === "number") return;
  const why = isPromise(value) ? "; an async function cannot be minimised" : "";
  throw new ContractError(`${what} returns ${described(value)}; it must return a number${why}.`);
}

/** Σ|x − y|, which is 0 only for x = y: a difference of doubles does not underflow to 0 */
const distance = chain(2, ({ sub, abs }, x, y) => ({ outputs: [], sum: abs(sub(x, y)) }));

/** Copies X; the function returned gives the first entry that has changed since, or −1. */
export function changesOf(E: Engine, X: Tall): () => number {
  const before = E.tall(X.rows, X.cols);
  E.copy(before, X);
  return () => {
    if (E.map([], distance, [X, before]) === 0) return -1;
    const [after, old] = [E.read(X), E.read(before)];
    return old.findIndex((v, i) => !Object.is(v + 0, after[i]! + 0));
  };
}

function guardOf(E: Engine, X: Tall): (what: string) => void {
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

/** The same objective; the first call of its f is checked. */
export function withFirstValue(E: Engine, f: Objective): Objective {
  let isChecked = false;
  return {
    ...f,
    f(X) {
      if (isChecked) return f.f(X);
      isChecked = true;
      const requireSame = guardOf(E, X);
      const value = f.f(X);
      requireSame("f");
      requireNumber(value);
      return value;
    },
  };
}
