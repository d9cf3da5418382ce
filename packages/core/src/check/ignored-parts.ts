/** Parts of a product that f takes no notice of: mostly a name that was forgotten. */

import type { Tall } from "@expen/linalg";
import { type Domain, leaves, type View } from "../contracts/manifold.js";
import type { Objective } from "../contracts/objective.js";
import { randomPoint } from "../run/start.js";

/** The matrices of a point by the part of the product that they belong to; re and im belong together */
function blocks({ view, on }: Domain<View>, X: Tall): Map<string, Tall[]> {
  const found = new Map<string, Tall[]>();
  if (!on.traits.parts) return found;
  for (const { name, matrix } of leaves(view(X))) {
    const block = name.replace(/\.(re|im)$/, "");
    found.set(block, [...(found.get(block) ?? []), matrix as Tall]);
  }
  return found;
}

/** The parts whose gradient is 0 to the bit */
export function silentBlocks(bound: Domain<View>, G: Tall): string[] {
  const silent = (Gs: Tall[]): boolean => Gs.every((A) => bound.base.dot(A, A) === 0);
  return [...blocks(bound, G)].filter(([, Gs]) => silent(Gs)).map(([name]) => name);
}

/** Those of them that are silent at another point too, and where f does not change when they move: four evaluations at most, or so */
export function ignoredBlocks(bound: Domain<View>, f: Objective, silent: readonly string[], seed: number): string[] {
  if (silent.length === 0) return [];
  const { E, base } = bound;
  const [X, Y, G] = [randomPoint(bound, seed + 1), randomPoint(bound, seed + 2), E.tall(f.n, f.p)];
  const value = f.fg(G, X);
  const still = silentBlocks(bound, G);
  return silent.filter((name) => {
    if (!still.includes(name)) return false;
    const [to, from] = [blocks(bound, X).get(name)!, blocks(bound, Y).get(name)!];
    for (const [i, A] of to.entries()) base.copy(A, from[i]!);
    return f.f(X) === value;
  });
}
