import type { Engine, Tall } from "@expen/linalg";
import { random } from "@expen/linalg";
import { orthonormalizer } from "@expen/linalg/dense";
import type { Domain, View } from "../contracts/manifold.js";
import { startAt } from "./given-start.js";
import type { StiefelOptions } from "./options.js";

/** Q of the QR factorization of a seeded Gaussian n×p matrix: uniform on the Stiefel manifold. */
export function randomStart(E: Engine, n: number, p: number, seed: number): Tall {
  const [Q, Z] = [E.tall(n, p), E.tall(n, p)];
  E.write(Z, random(seed, "start").normal);
  orthonormalizer(E, n, p, Z)(Q, Z);
  return Q;
}

/** A seeded random point of any manifold */
export function randomPoint({ E, on }: Pick<Domain<View>, "E" | "on">, seed: number): Tall {
  const { n, p } = on.shape;
  if (on.traits.orthonormal) return randomStart(E, n, p, seed);
  const x = on.point();
  on.random(x, random(seed, "start"));
  return x.X;
}

/** The given point made feasible, or a seeded random one. */
export function startOf(bound: Domain<View>, { start, seed = 1 }: StiefelOptions, notes: string[]): Tall {
  return start === undefined ? randomPoint(bound, seed) : startAt(bound, start, notes);
}
