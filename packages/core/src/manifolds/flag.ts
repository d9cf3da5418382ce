/** Flags: subspaces inside of each other, by an orthonormal basis. */
import type { Engine, Small } from "@expen/linalg";
import { requireNoMore, shown } from "@expen/linalg";
import { entrywiseProduct } from "@expen/linalg/engine";
import type { Constraint } from "../contracts/constraint.js";
import type { Manifold } from "../contracts/manifold.js";
import { randomRotation } from "./grassmann.js";
import { real } from "./real.js";
import { requireColumns, requireSizes } from "./requirements.js";
import { stiefelConstraint } from "./stiefel.js";

/**
 * Subspaces V₁ ⊂ V₂ ⊂ … of ℝⁿ, where each has so many dimensions more than the one before: the first dims[0] columns of X span V₁, and so
 * on. f must not change where the columns of one group are turned among themselves:
 *
 *     minimize(f, { on: flag(100, [1, 2]) }) // a line in a space of three dimensions
 *
 * With one group it is `grassmann`, with groups of one column orthonormal columns up to their signs [Ye, Wong, Lim, Math. Program. 194,
 * 2022].
 */
export function flag(n: number, dims: readonly number[], ...more: never[]): Manifold {
  requireNoMore("flag(n, dims)", more);
  if (!Array.isArray(dims) || dims.length === 0) {
    throw new TypeError(`flag: dims is ${shown(dims)}; give the dimensions of the groups, as in flag(100, [1, 2]).`);
  }
  requireSizes("flag", { n, ...Object.fromEntries(dims.map((size, i) => [`dims[${i}]`, size])) });
  const groups = [...dims];
  const p = groups.reduce((sum, size) => sum + size, 0);
  requireColumns("flag", n, p);
  return real(`flag(${n}, [${groups.join(", ")}])`, { n, p }, (E) => flagConstraint(E, n, groups));
}

function flagConstraint(E: Engine, n: number, groups: readonly number[]): Constraint {
  const p = groups.reduce((sum, size) => sum + size, 0);
  const stiefel = stiefelConstraint(E, n, p);
  const [M, W, isOwn] = [E.small(p, p), E.small(p, p), E.small(p, p)];
  E.write(
    isOwn,
    blockDiagonal(groups, () => 1),
  );
  // a column with the other sign is the same point
  const { reflections: _, ...traits } = stiefel.traits;
  return {
    ...stiefel,
    name: "flag",
    dimension: stiefel.dimension - groups.reduce((sum, size) => sum + (size * (size - 1)) / 2, 0),
    traits: {
      ...traits,
      quotient: {
        text: "under turns of the columns of a group",
        turn: (Y, X) => E.mul(Y, X, turns(E, groups)),
        across(Z, x) {
          stiefel.dissolver.tangent(Z, x);
          E.tmul(M, x.X, Z);
          E.map([W], entrywiseProduct, [M, isOwn]);
          E.mul(Z, x.X, W, -1, 1);
        },
        without: stiefel,
      },
    },
  };
}

/** A seeded random rotation of each group */
function turns(E: Engine, groups: readonly number[]): Small {
  const rotations = groups.map((size) => E.read(randomRotation(E, size)));
  const p = groups.reduce((sum, size) => sum + size, 0);
  return E.small(
    p,
    p,
    blockDiagonal(groups, (k, at) => rotations[k]![at]!),
  );
}

/** The numbers of a matrix with a block for each group; `entry`: of block k, by its place row after row */
function blockDiagonal(groups: readonly number[], entry: (k: number, at: number) => number): Float64Array {
  const p = groups.reduce((sum, size) => sum + size, 0);
  const numbers = new Float64Array(p * p);
  let first = 0;
  for (const [k, size] of groups.entries()) {
    for (let i = 0; i < size; i++)
      for (let j = 0; j < size; j++) numbers[(first + i) * p + first + j] = entry(k, i * size + j);
    first += size;
  }
  return numbers;
}
