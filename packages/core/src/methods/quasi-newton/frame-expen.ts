import type { Engine, Tall } from "@expen/linalg";
import type { Constraint } from "../../contracts/constraint.js";
import type { Search, Solver, Start } from "../../contracts/method.js";
import type { Evaluations, Objective } from "../../contracts/objective.js";
import type { RayIn } from "../../contracts/ray.js";
import { stiefelConstraint } from "../../manifolds/stiefel.js";
import { rayIn } from "../ray.js";
import { memoryInPairs } from "./frame-metric.js";
import { frameOn } from "./frame-of.js";
import { BLOCK, usualMemory } from "./memory.js";
import { quasiNewton } from "./quasi-newton.js";
import type { Tangent } from "./tangent.js";

export interface FrameOptions {
  /** where X lives; left out: XᵀX = I */
  on?: Constraint;
  memory?: number;
  search?: Search;
  /** ‖t·D‖ ≤ stepCap */
  stepCap?: number;
  evaluations?: Evaluations;
  /** f and ∇f at X0, where they are known */
  start?: Start | undefined;
}

/**
 * Limited-memory BFGS in the moving frame, for any f: ExPen with a new shift at every step, as in expen/dissolved.ts, with vectors
 * kept as pairs (Z, Ω) and a first matrix that is learned for both parts (first/in-frame.ts). The slope at a trial point Y is
 * ⟨g(Y), D⟩ of the pairs, right to first order.
 */
export function* frameExpen(
  E: Engine,
  f: Objective,
  X0: Tall,
  { on = stiefelConstraint(E, f.n, f.p), evaluations, start, ...options }: FrameOptions = {},
): Solver {
  const { method, ray } = frameMethod(E, f, { ...options, on, evaluations, start });
  ray.restartAt(X0, start);
  return yield* method(ray);
}

/** A metric without a factor has a frame of pairs (X, BX). */
function usualPairs({ shape: { n, p }, traits: { metric } }: Constraint): number {
  return metric && !metric.factor ? memoryInPairs(n, p) : usualMemory(n * p);
}

/** The method with its ray, for runs from several points, which keep the pairs */
export function frameMethod(
  E: Engine,
  f: Objective,
  { on, memory = usualPairs(on), search, stepCap, evaluations, start }: FrameOptions & { on: Constraint },
): { method: (ray: RayIn<Tangent>) => Solver; ray: RayIn<Tangent> } {
  const { frame, first } = frameOn(E, on);
  const method = quasiNewton(frame, first, {
    memory: Math.max(1, memory),
    block: BLOCK,
    search,
    longestStep: stepCap ?? frame.longestStep,
    radius: frame.longestStep,
  });
  return { method, ray: rayIn(E, f, frame, { evaluations, start }) };
}
