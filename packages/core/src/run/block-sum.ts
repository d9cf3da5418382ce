import type { Engine, Tall } from "@expen/linalg";
import { random } from "@expen/linalg";
import type { Constraint } from "../contracts/constraint.js";
import type { Evaluator } from "../contracts/evaluator.js";

/** Length of the steps of the points that are moved, in √p */
const LENGTH = 0.1;
/** Changes of a gradient below this part of it are roundoff of sums in another order. */
const ROUNDOFF = 1e-13;

/**
 * Is f a sum of functions of one point each? Half of the points, drawn at random, are moved; of a sum no gradient of the others changes. It
 * takes one evaluation. Two points that depend on each other are in different halves with probability ½: many such pairs are seen for
 * certain, and where a few are overlooked, the method for sums still descends.
 */
export function isBlockSum(
  E: Engine,
  f: Evaluator,
  { traits, point, restore, dissolver }: Constraint,
  X0: Tall,
): boolean {
  const { blocks } = traits;
  if (!blocks || blocks.k === 1 || E.ranks) return false;
  const { k, p, dots, add } = blocks;
  const { G: known } = f.start(X0);
  const [x, y, G] = [point(X0), point(), E.tall(f.n, f.p)];
  E.copy(G, known);
  dissolver.tangent(G, x);
  const [changes, sizes] = [new Float64Array(k), new Float64Array(k)];
  dots(sizes, G, G);
  const { uniform } = random(1, "points that are moved");
  const isMoved = Array.from({ length: k }, (_, i) => (i < 2 ? i === 0 : uniform() < 0.5));
  for (const [i, square] of sizes.entries())
    sizes[i] = isMoved[i] && square > 0 ? (-LENGTH * Math.sqrt(p)) / Math.sqrt(square) : 0;
  E.copy(y.X, X0);
  add(y.X, sizes, G);
  E.copy(G, y.X);
  restore(y, G);
  f.fg(G, y.X);
  dots(sizes, G, G);
  E.combine(G, 1, G, -1, known);
  dots(changes, G, G);
  return isMoved.every((moved, i) => moved || changes[i]! <= ROUNDOFF ** 2 * sizes[i]!);
}
