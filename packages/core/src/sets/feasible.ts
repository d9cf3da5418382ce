import type { Engine, Tall } from "@expen/linalg";
import { norm } from "@expen/linalg/dense";
import type { Constraint } from "../contracts/constraint.js";
import type { Objective } from "../contracts/objective.js";
import { type Block, residuals, worst } from "./block.js";
import { innerMethod } from "./inner.js";

/** A point where the sum of squares of the violations is stationary, or small enough */
export interface Nearest {
  readonly X: Tall;
  readonly violation: number;
  readonly isFeasible: boolean;
}

/** Steps at most, and the part of the tolerance that the violations reach: f moves the point again. */
const [STEPS, PART] = [300, 0.1];
/** ‖P_X(Jᵀr)‖/‖Jᵀr‖ from which X is stationary for ½‖r‖² */
const STATIONARY = 1e-8;

/** Minimises ½‖max(g, 0)‖² + ½‖h‖² over the manifold from X0, without f; the shifts of the blocks are as before at the end. */
export function nearestFeasible(
  E: Engine,
  on: Constraint,
  blocks: readonly Block[],
  X0: Tall,
  constraintTolerance: number,
): Nearest {
  const { n, p } = on.shape;
  const before = blocks.map(({ E: own, shifts }) => shifts.map((theta) => own.read(theta)));
  for (const { E: own, shifts } of blocks) for (const theta of shifts) own.fill(theta, 0);
  const unused = E.tall(n, p);
  const fg = (G: Tall, X: Tall): number => {
    E.fill(G, 0);
    return blocks.reduce((sum, block) => sum + block.add(G, X, 1), 0);
  };
  const squares: Objective = { n, p, f: (X) => fg(unused, X), fg };
  const inner = innerMethod(E, squares, on);
  const target = PART * constraintTolerance;
  for (const { k, gnorm } of inner.run(X0)) {
    const isStationary = (): boolean => gnorm <= STATIONARY * norm(E, unused);
    fg(unused, inner.X);
    if (k >= STEPS || worst(residuals(blocks, 1)) <= target || isStationary()) break;
  }
  const X = E.tall(n, p);
  E.copy(X, inner.X);
  fg(unused, X);
  const r = residuals(blocks, 1);
  for (const [b, { E: own, shifts }] of blocks.entries())
    for (const [k, theta] of shifts.entries()) own.write(theta, before[b]![k]!);
  return { X, violation: r.violation, isFeasible: worst(r) <= constraintTolerance };
}
