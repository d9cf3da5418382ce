import type { Tall } from "@expen/linalg";
import { type Random, random } from "@expen/linalg";
import { norm } from "@expen/linalg/dense";
import type { Domain, View } from "../contracts/manifold.js";
import { pointOf } from "../manifolds/point.js";
import { randomPoint } from "../run/start.js";
import type { Block } from "./block.js";
import { valuesOf } from "./values.js";

/** Random points beside X, directions at each, and the length of a step in that of X: an order of magnitude suffices. */
const [POINTS, DIRECTIONS, STEP] = [3, 2, 1e-4];

/** Lengths within these are taken as 1: those of xᵢⱼ², say, vary by as much along a run (npm run bench -- --suite sets). */
const [SHORT, LONG] = [0.05, 10];

/** Part of ‖∇g‖ below which the gradient along the manifold is roundoff: g is constant there. */
const CONSTANT = 1e-9;

/**
 * The size of each g, a power of two: the length of its gradient along the manifold, or |g| over a unit length where that is larger, at X
 * or at random points. ⟨∇g, D⟩² is ‖D‖²‖∇g‖²/dim in the mean over random tangent directions D, along which differences of g are taken. Of
 * a g that is constant along the manifold it is the length of the whole gradient. The method works with g over its size, so that c·g
 * takes the steps of g. undefined where all sizes are 1, as those of bounds.
 */
export function sizesOf(domain: Domain<View>, block: Block, X: Tall, seed: number): Float64Array | undefined {
  const { E, on } = domain;
  const { n, p } = on.shape;
  const { dimension } = on;
  if (block.along || E.ranks || dimension === 0) return undefined;
  const [D, Z, unused, y] = [E.tall(n, p), E.tall(n, p), E.tall(n, p), on.point()];
  const at = pointOf(E, on);
  const r = random(seed, "sizes of constraints");
  const lengths = valuesOf(block, X, unused)[0]!.map(() => 0);
  const others = Array.from({ length: POINTS }, (_, k) => randomPoint(domain, seed + 2 + k));
  for (const Y of [X, ...others]) {
    const before = valuesOf(block, Y, unused)[0]!;
    for (const [i, g] of before.entries())
      if (Number.isFinite(g)) lengths[i] = Math.max(lengths[i]!, Math.abs(g) / on.size);
    const squares = new Float64Array(lengths.length);
    for (let k = 0; k < DIRECTIONS; k++) {
      E.write(D, r.normal);
      on.dissolver.tangent(D, at(Y));
      const t = (STEP * on.size) / norm(E, D);
      E.combine(Z, 1, Y, t, D);
      on.project(y, Z);
      for (const [i, g] of valuesOf(block, y.X, unused)[0]!.entries()) {
        squares[i]! += ((g - before[i]!) / (STEP * on.size)) ** 2 * (dimension / DIRECTIONS);
      }
    }
    for (const [i, s] of squares.entries()) if (Number.isFinite(s)) lengths[i] = Math.max(lengths[i]!, Math.sqrt(s));
  }
  for (const [i, whole] of wholeLengths(domain, block, X, r).entries())
    if (lengths[i]! < CONSTANT * whole) lengths[i] = whole;
  const isUsual = (length: number): boolean => !(length > 0) || (length > SHORT && length < LONG);
  const sizes = lengths.map((length) => (isUsual(length) ? 1 : 2 ** Math.round(Math.log2(length))));
  return sizes.every((size) => size === 1) ? undefined : sizes;
}

/** The lengths of ∇g at X, of which nothing is projected, from differences as above */
function wholeLengths({ E, on }: Domain<View>, block: Block, X: Tall, { normal }: Random): Float64Array {
  const { n, p } = on.shape;
  const [D, Z, unused] = [E.tall(n, p), E.tall(n, p), E.tall(n, p)];
  const before = valuesOf(block, X, unused)[0]!;
  const squares = before.map(() => 0);
  for (let k = 0; k < DIRECTIONS; k++) {
    E.write(D, normal);
    const step = STEP * on.size;
    E.combine(Z, 1, X, step / norm(E, D), D);
    for (const [i, g] of valuesOf(block, Z, unused)[0]!.entries()) {
      const slope = (g - before[i]!) / step;
      if (Number.isFinite(slope)) squares[i]! += (slope ** 2 * n * p) / DIRECTIONS;
    }
  }
  return squares.map(Math.sqrt);
}
