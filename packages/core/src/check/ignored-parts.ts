/** Parts of a product on which f does not depend: mostly a name that was forgotten. */

import type { Tall } from "@expen/linalg";
import type { Evaluator } from "../contracts/evaluator.js";
import type { Domain, View } from "../contracts/manifold.js";
import type { Objective } from "../contracts/objective.js";
import { leaves } from "../manifolds/view.js";
import { randomPoint } from "../run/start.js";

/** The matrices of a point by parts of the product; re and im are of one part */
function blocks({ view, on }: Domain<View>, X: Tall): Map<string, Tall[]> {
  const byPart = new Map<string, Tall[]>();
  if (!on.traits.parts) return byPart;
  for (const { name, matrix } of leaves(view(X))) {
    const block = name.replace(/\.(re|im)$/, "");
    byPart.set(block, [...(byPart.get(block) ?? []), matrix as Tall]);
  }
  return byPart;
}

/** The parts whose first gradient is exactly 0, in a list that is empty until f was evaluated */
export function silentAtFirst(bound: Domain<View>, F: Evaluator): readonly string[] {
  const silent: string[] = [];
  const leave = F.watch((G) => {
    leave();
    silent.push(...silentBlocks(bound, G));
  });
  return silent;
}

/** The parts whose gradient is exactly 0 */
function silentBlocks(bound: Domain<View>, G: Tall): string[] {
  const isZero = (Gs: Tall[]): boolean => Gs.every((A) => bound.base.dot(A, A) === 0);
  return [...blocks(bound, G)].filter(([, Gs]) => isZero(Gs)).map(([name]) => name);
}

/**
 * A sentence about each silent part on which f does not depend: its gradient is 0 at another point too, and f stays the same when it
 * moves. This takes an evaluation, and one for each such part.
 */
export function ignoredNotes(bound: Domain<View>, f: Objective, silent: readonly string[], seed: number): string[] {
  const { E, base } = bound;
  const [X, Y, G] = [randomPoint(bound, seed + 1), randomPoint(bound, seed + 2), E.tall(f.n, f.p)];
  const value = f.fg(G, X);
  const still = silentBlocks(bound, G);
  const ignored = silent.filter((name) => {
    if (!still.includes(name)) return false;
    const [to, from] = [blocks(bound, X).get(name)!, blocks(bound, Y).get(name)!];
    for (const [i, A] of to.entries()) base.copy(A, from[i]!);
    return f.f(X) === value;
  });
  return ignored.map((name) => `f does not depend on ${name}: its gradient is 0 and f stays the same where it moves`);
}
