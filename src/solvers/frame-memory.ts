import type { Frame, Tangent } from "./frame.js";
import { leastPivot, solveDefinite } from "./small-definite.js";

/** R ← H₀·Q */
export type ApplyFirst = (R: Tangent, Q: Tangent) => void;

export interface Pair {
  /** s = t·D and y = g₊ − g */
  readonly s: Tangent;
  readonly y: Tangent;
  /** ⟨s, y⟩ */
  sy: number;
}

export interface FrameMemory {
  size(): number;
  /** The step t along D led from the gradient g to gNew. The pair is kept where ⟨s, y⟩ > 0; all are forgotten where not. */
  push(t: number, D: Tangent, g: Tangent, gNew: Tangent): Pair;
  /** D ← −H·g */
  descend(D: Tangent, g: Tangent, H0: ApplyFirst): void;
  clear(): void;
}

/** ⟨s_i, y_j⟩ of the pairs of a block, scaled to 1 on its diagonal, may differ so much from ⟨s_j, y_i⟩. */
const ASYMMETRY = 0.1;
/** The least pivot of that matrix: with less, its pairs say nearly the same. */
const PIVOT = 0.1;

/**
 * The pairs of limited-memory BFGS and its two loops (Nocedal and Wright, Alg. 7.4), the newest pairs taken together: where M = SᵀY of the
 * newest is nearly symmetric, as it is where f is nearly quadratic, one block update with M in the place of ⟨s, y⟩,
 *
 *     H = (I − S·M⁻¹Yᵀ)·H'·(I − Y·M⁻¹Sᵀ) + S·M⁻¹Sᵀ,
 *
 * meets the secant equations of all of them, not of the newest alone. [Schnabel, Quasi-Newton methods using multiple secant equations,
 * 1983.] Of M the upper triangle is taken: what the newer gradients say. Holds 2·capacity + 1 tangent vectors.
 */
export function frameMemory(fr: Frame, capacity: number): FrameMemory {
  const places: Pair[] = Array.from({ length: capacity }, () => ({
    s: fr.tangent(),
    y: fr.tangent(),
    sy: Number.NaN,
  }));
  const Q = fr.tangent();
  const a = new Float64Array(capacity);
  const b = new Float64Array(capacity);
  /** pairs in use, the oldest first */
  let size = 0;
  /** ⟨s_i, y_j⟩ of the block, the pairs `first` … size − 1 */
  let M: number[][] = [];
  let first = 0;

  return {
    size: () => size,
    clear() {
      size = 0;
      join();
    },
    push(t, D, g, gNew) {
      if (size === capacity) {
        places.push(places.shift()!);
        size--;
      }
      const pair = places[size]!;
      fr.add(pair.s, 0, D, t);
      fr.add(pair.y, 0, gNew, 1);
      fr.add(pair.y, 1, g, -1);
      pair.sy = fr.inner(pair.s, pair.y);
      size = pair.sy > 0 ? size + 1 : 0;
      join();
      return pair;
    },
    descend(D, g, H0) {
      fr.add(Q, 0, g, 1);
      for (let i = first; i < size; i++) a[i] = fr.inner(places[i]!.s, Q);
      solveDefinite(a.subarray(first, size), M);
      for (let i = first; i < size; i++) fr.add(Q, 1, places[i]!.y, -a[i]!);
      for (let i = first - 1; i >= 0; i--) {
        const { s, y, sy } = places[i]!;
        a[i] = fr.inner(s, Q) / sy;
        fr.add(Q, 1, y, -a[i]!);
      }
      H0(D, Q);
      for (let i = 0; i < first; i++) {
        const { s, y, sy } = places[i]!;
        fr.add(D, 1, s, a[i]! - fr.inner(y, D) / sy);
      }
      for (let i = first; i < size; i++) b[i] = fr.inner(places[i]!.y, D);
      solveDefinite(b.subarray(first, size), M);
      for (let i = first; i < size; i++) fr.add(D, 1, places[i]!.s, a[i]! - b[i]!);
      fr.add(D, -1, Q, 0);
    },
  };

  /** Makes the block as large as it may be: the newest pair, then one older at a time. */
  function join(): void {
    M = [];
    for (first = size; first > 0 && admits(first - 1); ) first--;
  }

  /** May pair i join the block of the pairs after it? Then M has a first row and column more. */
  function admits(i: number): boolean {
    const scale = (j: number): number => Math.sqrt(places[i]!.sy * places[j]!.sy);
    const row = [places[i]!.sy];
    for (let j = i + 1; j < size; j++) {
      row.push(fr.inner(places[i]!.s, places[j]!.y));
      const mirrored = fr.inner(places[j]!.s, places[i]!.y);
      if (!(Math.abs(row.at(-1)! - mirrored) <= ASYMMETRY * scale(j))) return false;
    }
    const larger = [row, ...M.map((other, k) => [row[k + 1]!, ...other])];
    if (!(leastPivot(larger) >= PIVOT)) return false;
    M = larger;
    return true;
  }
}
