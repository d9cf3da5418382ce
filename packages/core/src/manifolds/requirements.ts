/** Checks of manifolds and their sizes; each error is one sentence. */

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

/** Throws a sentence about a size that is not a positive integer. */
export function requireSizes(name: string, sizes: Record<string, number>): void {
  for (const [letter, size] of Object.entries(sizes)) {
    if (!Number.isInteger(size) || size < 1) {
      throw new RangeError(`${name}: ${letter} is ${shown(size)}; it must be a whole number, 1 or more.`);
    }
  }
}

/** The same of sizes that an n×p matrix with orthonormal columns cannot have */
export function requireColumns(name: string, n: number, p: number): void {
  requireSizes(name, { n, p });
  if (p > n) throw new RangeError(`${name}: p = ${p} is above n = ${n}; ${p} orthonormal columns need n ≥ p.`);
}
