import type { Engine, Tall } from "@expen/linalg";
import type { Constraint } from "../../contracts/constraint.js";
import type { Solver } from "../../contracts/method.js";
import type { Objective } from "../../contracts/objective.js";
import { rayIn } from "../ray.js";
import { blockPairs } from "./block-pairs.js";
import type { FirstMatrix } from "./first/first-matrix.js";
import { frame } from "./frame.js";
import type { FrameOptions } from "./frame-expen.js";
import { usualMemory } from "./memory.js";
import { quasiNewtonWith } from "./quasi-newton.js";

/**
 * Quasi-Newton in the moving frame for an f that is a sum over the points of a power: pairs of each point (block-pairs.ts), and one line
 * search.
 */
export function* blockwiseFrame(
  E: Engine,
  f: Objective,
  X0: Tall,
  { on, memory = usualMemory(f.n * f.p), search, evaluations, start }: FrameOptions & { on: Constraint },
): Solver {
  const coordinates = frame(E, on);
  const pairs = blockPairs(coordinates, on.traits.blocks!, Math.max(1, memory));
  const ray = rayIn(E, f, coordinates, { evaluations, start });
  ray.restartAt(X0, start);
  return yield* quasiNewtonWith(coordinates, LENGTHS_ARE_KNOWN, pairs, { search })(ray);
}

/** The pairs have a first matrix for each block: 1 is a good step from the start. */
const LENGTHS_ARE_KNOWN: FirstMatrix<never> = {
  scaled: true,
  apply() {},
  learn() {},
  forget: () => false,
};
