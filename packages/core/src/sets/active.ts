import type { Engine, Tall } from "@expen/linalg";
import type { Block } from "./block.js";

/** The active constraints of one block */
export interface ActiveOf {
  readonly block: Block;
  /** g next to 0, or h, for each matrix of shifts */
  readonly values: readonly Float64Array[];
  /** numbers of h, and of the active g with a multiplier above 0, for each matrix of shifts */
  readonly strong: Numbers;
}

export type Numbers = readonly (readonly number[])[];

export interface Active {
  readonly list: readonly ActiveOf[];
  /** active constraints, and those of them with a multiplier next to 0 */
  readonly count: number;
  readonly weak: number;
}

/** Θ of constraints that are to vanish from φ: max(0, Θ + g) = 0 */
const ABSENT = -1e150;

/**
 * h and the g within `tolerance` of 0 at X, for which V of the blocks holds. A multiplier up to `least` counts as 0. V is another one
 * afterwards.
 */
export function activeConstraints(
  E: Engine,
  blocks: readonly Block[],
  X: Tall,
  { rho, tolerance, least }: { rho: number; tolerance: number; least: number },
): Active {
  /** gradients that nothing reads */
  const unused = E.tall(X.rows, X.cols);
  let [count, weak] = [0, 0];
  const list = blocks.map((block) => {
    const { E: own, kind, shifts, changes } = block;
    const isEqual = kind === "equal";
    const thetas = shifts.map((theta) => own.read(theta));
    const multipliers = changes.map((V, k) => own.read(V).map((v, i) => rho * (thetas[k]![i]! + v)));
    const values = valuesNearZero(block, X, unused);
    for (const [k, theta] of shifts.entries()) own.write(theta, thetas[k]!);
    const strong = values.map((g, k) => {
      const active = [...g.keys()].filter((i) => isEqual || g[i]! >= -tolerance);
      const own = active.filter((i) => isEqual || multipliers[k]![i]! > least);
      count += active.length;
      weak += active.length - own.length;
      return own;
    });
    return { block, values, strong };
  });
  return { list, count, weak };
}

/** Z ← Z + the gradients of these g: one call of `add` with shifts for which max(0, Θ + g) is 1 for them and 0 for the others */
export function addGradients({ block, values }: ActiveOf, Z: Tall, X: Tall, numbers: Numbers): void {
  const { E, kind, shifts } = block;
  const before = shifts.map((theta) => E.read(theta));
  for (const [k, theta] of shifts.entries()) {
    const g = values[k]!;
    const next = g.map((v) => (kind === "equal" ? -v : ABSENT));
    for (const i of numbers[k]!) next[i] = 1 - g[i]!;
    E.write(theta, next);
  }
  block.add(Z, X, 1);
  for (const [k, theta] of shifts.entries()) E.write(theta, before[k]!);
}

/** max(g, −1), or h: V with the shifts 1, which stay written */
function valuesNearZero(block: Block, X: Tall, unused: Tall): Float64Array[] {
  const { E, kind, shifts, changes } = block;
  for (const theta of shifts) E.fill(theta, kind === "equal" ? 0 : 1);
  block.add(unused, X, 1);
  return changes.map((V) => E.read(V));
}
