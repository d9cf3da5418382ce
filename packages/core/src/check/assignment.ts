/** Does the gradient assign every entry of G, its first argument? */

import type { Engine, Tall } from "@expen/linalg";
import type { Objective } from "../contracts/objective.js";
import { ContractError, place } from "./contract-error.js";

/** For an entry that was NaN and still is: throws if it was not written or added to; a computed NaN passes. */
export function requireAssigned(E: Engine, f: Objective, G: Tall, X: Tall): void {
  const odd = E.read(G).findIndex((v) => Number.isNaN(v));
  const [zero, one] = [gradientOver(E, f, G, X, 0), gradientOver(E, f, G, X, 1)];
  const text = notWritten(G, zero.entries, one.entries);
  if (text) throw new ContractError(`${text}.`);
  if (Number.isFinite(zero.entries[odd]!) && zero.entries[odd] !== one.entries[odd]) {
    throw new ContractError(`${dependsOnG(G, odd)}.`);
  }
}

/** f and the entries of ∇f(X), written over a G full of one number */
export function gradientOver(
  E: Engine,
  f: Objective,
  G: Tall,
  X: Tall,
  before: number,
): { value: number; entries: Float64Array } {
  E.fill(G, before);
  const value = f.fg(G, X);
  return { value, entries: E.read(G) };
}

/** A sentence if an entry was 0 over zeros and 1 over ones: the gradient did not write it. */
export function notWritten(G: Tall, zero: Float64Array, one: Float64Array): string | undefined {
  const isUntouched = (v: number, i: number): boolean => v === 0 && one[i] === 1;
  if (zero.every(isUntouched)) {
    return "the gradient writes nothing into G, its first argument; assign every entry G.data[i] there (what it returns is not read)";
  }
  const missed = zero.findIndex(isUntouched);
  if (missed < 0) return undefined;
  return `the gradient does not write entry ${place(G, missed)} of G; every entry must be assigned, zeros too`;
}

export const dependsOnG = (G: Tall, at: number): string =>
  `the gradient's entry ${place(G, at)} depends on what G held before; every entry must be assigned, not added to`;
