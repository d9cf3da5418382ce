/** What every function of a user must do, whatever f is: return a number, write its result, leave X alone. */
import type { Engine, Matrix, Objective } from "../types.js";

/** A function of an objective that does not do what its contract says, found before the run. */
export class ContractError extends TypeError {
  override name = "ContractError";
}

/** "a promise", "the string 'x'", "undefined": what a function returned, for a sentence */
export function described(value: unknown): string {
  if (isPromise(value)) return "a promise";
  if (typeof value === "string") return `the string '${value}'`;
  if (typeof value === "function") return "a function";
  if (Array.isArray(value) || ArrayBuffer.isView(value)) return "an array";
  return typeof value === "object" && value !== null ? "an object" : String(value);
}

/** A promise, whose rejection is from here on nobody's */
export function isPromise(value: unknown): boolean {
  if (typeof (value as PromiseLike<unknown> | null | undefined)?.then !== "function") return false;
  (value as PromiseLike<unknown>).then(undefined, () => {});
  return true;
}

export function requireNumber(value: unknown, what = "f"): void {
  if (typeof value === "number") return;
  const why = isPromise(value) ? "; an async function cannot be minimised" : "";
  throw new ContractError(`${what} returns ${described(value)}; it must return a number${why}.`);
}

/** X as it was, to be compared after a call */
export function guardOf(X: Matrix): (what: string) => void {
  const before = X.data.slice();
  return (what) => {
    const { data } = X;
    const changed = before.findIndex((v, i) => v !== data[i] && !(Number.isNaN(v) && Number.isNaN(data[i])));
    if (changed < 0) return;
    throw new ContractError(`${what} changes its input X (entry ${place(X, changed)}); it must leave X as it is.`);
  };
}

/** G ← ∇f(X) and f(X); a ContractError where X is changed, f is no number or an entry of G is not assigned. */
export function firstGradient(E: Engine, f: Objective, G: Matrix, X: Matrix): number {
  const same = guardOf(X);
  E.fill(G, Number.NaN);
  const value = f.fg(G, X);
  same("f or its gradient");
  requireNumber(value);
  const odd = G.data.findIndex((v) => Number.isNaN(v));
  // where f is not finite, that is what there is to say
  if (odd >= 0 && Number.isFinite(value)) requireAssigned(E, f, G, X, odd);
  return value;
}

/** An entry that was NaN and still is: never written, added to, or truly NaN? */
function requireAssigned(E: Engine, f: Objective, G: Matrix, X: Matrix, odd: number): void {
  const [zero, one] = [0, 1].map((held) => {
    E.fill(G, held);
    f.fg(G, X);
    return G.data.slice();
  }) as [Float64Array, Float64Array];
  const untouched = (i: number): boolean => zero[i] === 0 && one[i] === 1;
  if (zero.every((_, i) => untouched(i))) {
    throw new ContractError(
      "the gradient writes nothing into G, its first argument; assign every entry G.data[i] there (what it returns is not read).",
    );
  }
  const missed = zero.findIndex((_, i) => untouched(i));
  if (missed >= 0) {
    throw new ContractError(
      `the gradient does not write entry ${place(G, missed)} of G; every entry must be assigned, zeros too.`,
    );
  }
  if (Number.isFinite(zero[odd]!) && zero[odd] !== one[odd]) {
    throw new ContractError(
      `the gradient's entry ${place(G, odd)} depends on what G held before; every entry must be assigned, not added to.`,
    );
  }
}

/** The same objective, the first value of its f looked at. */
export function withFirstValue(f: Objective): Objective {
  let looked = false;
  return {
    ...f,
    f(X) {
      if (looked) return f.f(X);
      looked = true;
      const same = guardOf(X);
      const value = f.f(X);
      same("f");
      requireNumber(value);
      return value;
    },
  };
}

export const place = (M: Matrix, at: number): string => `(${Math.floor(at / M.cols)}, ${at % M.cols})`;
