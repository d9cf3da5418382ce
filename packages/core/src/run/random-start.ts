import type { Engine, Tall } from "@expen/linalg";
import { jsEngine } from "@expen/linalg/engine";
import type { Manifold, Plain, View } from "../contracts/manifold.js";
import { requireManifold } from "../manifolds/required-manifold.js";
import { plain } from "../manifolds/view.js";
import { randomStart as randomOrthonormal, randomPoint } from "./start.js";

/**
 * A seeded random point of a manifold, the start of a run with this `seed`; with an engine, n and p a matrix of that engine with
 * orthonormal columns, uniform on the Stiefel manifold.
 */
export function randomStart<P extends View = Tall>(on: Manifold<P>, seed?: number): Plain<P>;
export function randomStart(E: Engine, n: number, p: number, seed: number): Tall;
export function randomStart<P extends View>(
  on: Manifold<P> | Engine,
  n = 1,
  p?: number,
  seed?: number,
): Plain<P> | Tall {
  if (p !== undefined && seed !== undefined && "tall" in on) return randomOrthonormal(on, n, p, seed);
  requireManifold("randomStart: the manifold", on);
  const domain = (on as Manifold<P>).bind(jsEngine());
  return plain(domain, randomPoint(domain, n)) as unknown as Plain<P>;
}
