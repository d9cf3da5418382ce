/** Constraints on an engine: the terms that they add to the augmented Lagrangian, and their residuals. */

import type { Engine, Tall } from "@expen/linalg";

/**
 * The constraints g ≤ 0, or h = 0, of one entry of `subjectTo`, in the form of Powell, Hestenes and Rockafellar with shifts Θ = λ/ρ:
 *
 *     ρ·φ(X, Θ),   φ = ½Σ(max(0, Θ + g)² − Θ²)   for g ≤ 0,       φ = ⟨Θ, h⟩ + ½‖h‖²   for h = 0,
 *     V = ∂φ/∂Θ  = max(g, −Θ),  and h.
 *
 * Everything that the method needs of the constraints is in V: ρ(Θ + V) are the next multipliers, max(V, 0) or |V| the violation.
 */
export interface Block {
  readonly text: string;
  readonly kind: "atMost" | "equal";
  /** g is divided by these, one for each of its values, in Θ and V; left out: by 1 */
  readonly sizes?: Float64Array | undefined;
  /** the engine of Θ and V, which is not that of X where g is given by functions on numbers */
  readonly E: Engine;
  readonly shifts: readonly Tall[];
  /** V at the X of the last `add` */
  readonly changes: readonly Tall[];
  /** G ← G + ρ·∇φ(X), returns ρ·φ; writes V */
  add(G: Tall, X: Tall, rho: number): number;
  /** JD for bounds, whose g are ± entries of X less a constant: side by side as V; absent for others */
  along?(D: Tall): Float64Array[];
  /** the multipliers of g as it was given: one for each value; of bounds those of the upper minus those of the lower ones */
  multipliers(rho: number): Float64Array;
}

/** Residuals of all constraints at one point */
export interface Residuals {
  /** max |V| and ‖V‖: feasibility and complementarity in one, of g over its size */
  readonly largest: number;
  readonly norm: number;
  /** max(g, |h|) of g and h as they were given, 0 where feasible */
  readonly violation: number;
  /** max |min(−g, λ)| over g ≤ 0, as they were given */
  readonly complementarity: number;
}

/** The largest of all residuals: of g over its size, and of g as it was given */
export const worst = ({ largest, violation, complementarity }: Residuals): number =>
  Math.max(largest, violation, complementarity);

export function residuals(blocks: readonly Block[], rho: number): Residuals {
  let [largest, squares, violation, complementarity] = [0, 0, 0, 0];
  for (const { E, kind, shifts, changes, sizes } of blocks) {
    let [own, above, slack] = [0, 0, 0];
    for (const [k, change] of changes.entries()) {
      squares += E.dot(change, change);
      const [V, theta] = [E.read(change), E.read(shifts[k]!)];
      for (const [i, v] of V.entries()) {
        const size = sizes?.[i] ?? 1;
        own = Math.max(own, Math.abs(v));
        above = Math.max(above, size * (kind === "equal" ? Math.abs(v) : v));
        const a = theta[i]! + v;
        if (kind === "equal") slack = Math.max(slack, size * Math.abs(v));
        else if (a > 0) slack = Math.max(slack, Math.abs(Math.min(-v * size, (rho * a) / size)));
      }
    }
    [own, above, slack] = largestOfRanks(E, [own, above, slack]) as [number, number, number];
    largest = Math.max(largest, own);
    violation = Math.max(violation, above);
    complementarity = Math.max(complementarity, slack);
  }
  return { largest, norm: Math.sqrt(squares), violation, complementarity };
}

/** Numbers of all processes → the largest of each */
function largestOfRanks({ ranks }: Engine, numbers: number[]): number[] {
  if (!ranks) return numbers;
  const k = numbers.length;
  const all = new Float64Array(k * ranks.size);
  all.set(numbers, k * ranks.rank);
  ranks.sum(all);
  return numbers.map((_, j) => Math.max(...Array.from({ length: ranks.size }, (_, r) => all[r * k + j]!)));
}

/** λ ← ρ(Θ + V), with the shifts of the next ρ */
export function updateShifts(blocks: readonly Block[], rho: number, next: number): void {
  for (const { E, shifts, changes } of blocks) {
    for (const [k, theta] of shifts.entries()) E.combine(theta, rho / next, theta, rho / next, changes[k]!);
  }
}
