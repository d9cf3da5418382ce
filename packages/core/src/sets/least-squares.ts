import type { Engine, Tall } from "@expen/linalg";
import { norm } from "@expen/linalg/dense";
import type { Constraint } from "../contracts/constraint.js";
import type { Point } from "../contracts/point.js";
import type { ActiveOf } from "./active.js";
import type { Block } from "./block.js";
import type { Face, Gradients } from "./face.js";
import type { Lagrangian } from "./lagrangian.js";

/** Part of ‖grad L‖ that other multipliers must not exceed: those of the run stay where these are no better in effect. */
const ENOUGH = 0.5;

/**
 * λ ← λ + δ for the active constraints, with the δ of least ‖grad L‖ at X, whose remaining part is the one along the face: the multipliers
 * of the run are as exact as its last inner run was. Returns ‖grad L‖; undefined, with λ as before, where that is not half of it, or a
 * multiplier of an inequality would be negative. V of the blocks holds at the end.
 */
export function leastSquaresMultipliers(
  E: Engine,
  on: Constraint,
  L: Lagrangian,
  blocks: readonly Block[],
  x: Point,
  { gradients, fixed }: Face,
): number | undefined {
  const R = E.tall(on.shape.n, on.shape.p);
  const before = blocks.map(({ E: own, shifts }) => shifts.map((theta) => own.read(theta)));
  const size = gradientNorm();
  for (const [j, delta] of solve(E, gradients, R).entries()) {
    const { active, k, i } = gradients.of[j]!;
    add(active, k, [i], () => -delta);
  }
  if (fixed) {
    gradientNorm();
    const w = fixed.entries.multipliersOf(R);
    for (const active of fixed.of) {
      const deltas = active.block.along!(w);
      for (const [k, numbers] of active.strong.entries()) add(active, k, numbers, (i) => -deltas[k]![i]!);
    }
  }
  const after = gradientNorm();
  const isBetter =
    after < ENOUGH * size && [...gradients.of.map(({ active }) => active), ...(fixed?.of ?? [])].every(isDual);
  if (isBetter) return after;
  for (const [b, { E: own, shifts }] of blocks.entries())
    for (const [k, theta] of shifts.entries()) own.write(theta, before[b]![k]!);
  L.f(x.X);
  return undefined;

  /** R ← grad L(X) */
  function gradientNorm(): number {
    L.fg(R, x.X);
    on.dissolver.tangent(R, x);
    return norm(E, R);
  }

  /** λ = ρ(Θ + g) of these constraints changes by `change`. */
  function add({ block }: ActiveOf, k: number, numbers: readonly number[], change: (i: number) => number): void {
    const { E: own, shifts } = block;
    const theta = own.read(shifts[k]!);
    for (const i of numbers) theta[i]! += change(i) / L.rho;
    own.write(shifts[k]!, theta);
  }
}

/** R⁻¹QᵀZ */
function solve(E: Engine, { Q, R }: Gradients, Z: Tall): number[] {
  const c = Q.map((q) => E.dot(q, Z));
  for (let j = c.length - 1; j >= 0; j--) {
    c[j]! /= R[j]![j]!;
    for (let i = 0; i < j; i++) c[i]! -= R[j]![i]! * c[j]!;
  }
  return c;
}

/** Whether all multipliers of inequalities are 0 or more */
const isDual = ({ block, values, strong }: ActiveOf): boolean =>
  block.kind === "equal" ||
  strong.every((numbers, k) => {
    const theta = block.E.read(block.shifts[k]!);
    return numbers.every((i) => theta[i]! + values[k]![i]! >= 0);
  });
