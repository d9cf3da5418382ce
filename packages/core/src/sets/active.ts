import type { Engine, Tall } from "@expen/linalg";
import { norm } from "@expen/linalg/dense";
import type { Block } from "./block.js";

/** The active constraints of all blocks at a point, by the gradients of their values */
export interface Active {
  /** orthonormal matrices that span the tangent parts of the gradients of h and of the active g with a multiplier above 0 */
  readonly basis: readonly Tall[];
  /** active constraints, and those of them with a multiplier next to 0 */
  readonly count: number;
  readonly weak: number;
}

/** A gradient whose part outside of the span of those before it is below this is dependent on them. */
const DEPENDENT = 1e-8;
/** Θ of constraints that are to vanish from φ: max(0, Θ + g) = 0 */
const ABSENT = -1e150;

/**
 * Jᵀe for the unit vectors e of the active constraints, each by one call of `add` with shifts for which max(0, Θ + g) = e; then modified
 * Gram–Schmidt, twice, on their tangent parts. A multiplier up to `least` counts as 0. undefined where more than `most` constraints are
 * active.
 */
export function activeConstraints(
  E: Engine,
  blocks: readonly Block[],
  X: Tall,
  tangent: (Z: Tall) => void,
  { rho, tolerance, least, most }: { rho: number; tolerance: number; least: number; most: number },
): Active | undefined {
  const basis: Tall[] = [];
  /** gradients that nothing reads */
  const unused = E.tall(X.rows, X.cols);
  let [count, weak] = [0, 0];
  for (const block of blocks) {
    const { E: own, kind, shifts, changes } = block;
    const isEqual = kind === "equal";
    const thetas = shifts.map((theta) => own.read(theta));
    const multipliers = changes.map((V, k) => own.read(V).map((v, i) => rho * (thetas[k]![i]! + v)));
    const values = valuesNearZero(block, X, unused);
    /** shifts for which no constraint counts */
    const none = thetas.map((theta, k) => theta.map((_, i) => (isEqual ? -values[k]![i]! : ABSENT)));
    const active = thetas.map((theta, k) => [...theta.keys()].filter((i) => isEqual || values[k]![i]! >= -tolerance));
    count += active.reduce((sum, list) => sum + list.length, 0);
    if (count > most) return undefined;
    for (const [k, list] of active.entries()) {
      for (const i of list) {
        if (!isEqual && multipliers[k]![i]! <= least) {
          weak++;
          continue;
        }
        for (const [j, theta] of shifts.entries()) own.write(theta, none[j]!);
        const unit = none[k]!.slice();
        unit[i] = 1 - values[k]![i]!;
        own.write(shifts[k]!, unit);
        const Z = E.tall(X.rows, X.cols);
        block.add(Z, X, 1);
        if (extend(Z)) basis.push(Z);
      }
    }
    for (const [k, theta] of shifts.entries()) own.write(theta, thetas[k]!);
  }
  return { basis, count, weak };

  function extend(Z: Tall): boolean {
    tangent(Z);
    const before = norm(E, Z);
    if (!(before > 0)) return false;
    for (let pass = 0; pass < 2; pass++) for (const Q of basis) E.combine(Z, 1, Z, -E.dot(Q, Z), Q);
    const after = norm(E, Z);
    if (!(after > DEPENDENT * before)) return false;
    E.combine(Z, 1 / after, Z, 0, Z);
    return true;
  }
}

/** max(g, −1), or h: V with the shifts 1; the shifts stay written */
function valuesNearZero(block: Block, X: Tall, unused: Tall): Float64Array[] {
  const { E, kind, shifts, changes } = block;
  if (kind !== "equal") for (const theta of shifts) E.fill(theta, 1);
  block.add(unused, X, 1);
  return changes.map((V) => E.read(V));
}
