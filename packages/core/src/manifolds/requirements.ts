/** Checks of sizes of manifolds; each error is one sentence. */

import { shown } from "@expen/linalg";

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
