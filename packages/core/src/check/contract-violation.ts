import type { Engine, Tall } from "@expen/linalg";
import { described, digits } from "@expen/linalg";
import type { Objective } from "../contracts/objective.js";
import { dependsOnG, gradientOver, notWritten } from "./assignment.js";
import { changesOf } from "./contract.js";
import { place } from "./contract-error.js";

/** The first violation of the contract of f and ∇f at X: its name, and a sentence about it */
export function contractViolation(E: Engine, f: Objective, X: Tall): { name: string; text: string } | undefined {
  const G = E.tall(f.n, f.p);
  const changes = changesOf(E, X);
  const violation = (name: string, text: string) => ({ name, text: `${text[0]!.toUpperCase()}${text.slice(1)}.` });
  const value = f.f(X);
  if (typeof value !== "number" || !Number.isFinite(value)) {
    const text = `f returns ${described(value)} at a point on the manifold; it must return a finite number.`;
    return { name: "not-finite", text };
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
