/** The contract of a user's functions, whatever f is: return a number, write the result, leave X as it is. */

import type { Engine, Matrix, Tall } from "@expen/linalg";
import { described, digits, isPromise } from "@expen/linalg";
import { entryOf } from "@expen/linalg/algebras";
import { chain } from "@expen/linalg/engine";
import type { Objective } from "../contracts/objective.js";

/** A function of an objective that does not do what its contract says, found before the run. */
export class ContractError extends TypeError {
  override name = "ContractError";
}

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

/** For an entry that was NaN and still is: throws if it was not written or added to; a computed NaN passes. */
function requireAssigned(E: Engine, f: Objective, G: Tall, X: Tall): void {
  const odd = E.read(G).findIndex((v) => Number.isNaN(v));
  const [zero, one] = [gradientOver(E, f, G, X, 0), gradientOver(E, f, G, X, 1)];
  const text = notWritten(G, zero.entries, one.entries);
  if (text) throw new ContractError(`${text}.`);
  if (Number.isFinite(zero.entries[odd]!) && zero.entries[odd] !== one.entries[odd]) {
    throw new ContractError(`${dependsOnG(G, odd)}.`);
  }
}

/** f and the entries of ∇f(X), written over a G full of one number */
function gradientOver(E: Engine, f: Objective, G: Tall, X: Tall, before: number) {
  E.fill(G, before);
  const value = f.fg(G, X);
  return { value, entries: E.read(G) };
}

/** A sentence if an entry was 0 over zeros and 1 over ones: the gradient did not write it. */
function notWritten(G: Tall, zero: Float64Array, one: Float64Array): string | undefined {
  const isUntouched = (v: number, i: number): boolean => v === 0 && one[i] === 1;
  if (zero.every(isUntouched)) {
    return "the gradient writes nothing into G, its first argument; assign every entry G.data[i] there (what it returns is not read)";
  }
  const missed = zero.findIndex(isUntouched);
  if (missed < 0) return undefined;
  return `the gradient does not write entry ${place(G, missed)} of G; every entry must be assigned, zeros too`;
}

const dependsOnG = (G: Tall, at: number): string =>
  `the gradient's entry ${place(G, at)} depends on what G held before; every entry must be assigned, not added to`;

/** The first violation of the contract at X, by name and in a sentence */
export function contractViolation(E: Engine, f: Objective, X: Tall): { name: string; text: string } | undefined {
  const G = E.tall(f.n, f.p);
  const changes = changesOf(E, X);
  const violation = (name: string, text: string) => ({ name, text: `${text[0]!.toUpperCase()}${text.slice(1)}.` });
  const value = f.f(X);
  if (typeof value !== "number" || !Number.isFinite(value)) {
    const text = `returns ${described(value)} at a point on the manifold; it must return a finite number.`;
    return { name: "not-finite", text: `f ${text}` };
  }
  const [zero, one] = [gradientOver(E, f, G, X, 0), gradientOver(E, f, G, X, 1)];
  const changed = changes();
  if (changed >= 0) {
    const text = `f or its gradient changes its input X (entry ${place(X, changed)}); it must leave X as it is.`;
    return { name: "side-effect", text };
  }
  const odd = zero.entries.findIndex((v) => !Number.isFinite(v));
  if (odd >= 0) return violation("not-finite", `the gradient's entry ${place(G, odd)} is ${zero.entries[odd]}`);
  const unwritten = notWritten(G, zero.entries, one.entries);
  if (unwritten) return violation("writes", unwritten);
  const other = one.entries.findIndex(
    (v, i) => Math.abs(v - zero.entries[i]!) > 1e-9 * (Math.abs(v) + Math.abs(zero.entries[i]!)),
  );
  if (other >= 0) return violation("adds", dependsOnG(G, other));
  if (!(Math.abs(zero.value - value) <= 1e-8 * (Math.abs(value) + Math.abs(zero.value)))) {
    const [own, together] = [digits(value, 6), digits(zero.value, 6)];
    return { name: "value", text: `f(X) is ${own} but fg(G, X) returns ${together}; they must agree.` };
  }
  return undefined;
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

/** "(3, 1)"; of a product with the part, "(3, 1) of U" */
export function place(M: Matrix, at: number): string {
  const { part, row, column } = entryOf(M, at);
  return `(${row}, ${column})${part && ` of ${part}`}`;
}
