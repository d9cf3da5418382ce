import { shown } from "@expen/linalg";
import type { Manifold } from "../contracts/manifold.js";

/** Throws a sentence if `on` is no manifold. */
export function requireManifold(name: string, on: unknown): void {
  if (typeof on === "object" && on !== null && "bind" in on) {
    const { subjectTo, text } = on as Manifold;
    if (!subjectTo) return;
    throw new RangeError(`${name} is ${text}, a set that only minimize takes; take the manifold around it.`);
  }
  const description = typeof on === "string" ? `'${on}'` : typeof on === "object" && on ? "an object" : typeof on;
  throw new TypeError(`${name} is ${description}; it must say where X lives, stiefel(n, p) or another manifold.`);
}

/** Throws a sentence where options do not say where X lives. */
export function requirePlace(o: unknown): void {
  if ("bind" in Object(o)) {
    throw new RangeError(`minimize: the options are the manifold ${(o as { text: string }).text}; give { on }.`);
  }
  const { on, n, p } = Object(o) as Record<string, unknown>;
  if (n === undefined && p === undefined) {
    // permutations(n), which others refuse
    if (!(Object(on) as Manifold).subjectTo) requireManifold("on", on);
    return;
  }
  const sizes = `${shown(n)}, ${shown(p)}`;
  throw new RangeError(`minimize: the options have n and p (${sizes}); give on: stiefel(n, p) in their place.`);
}
