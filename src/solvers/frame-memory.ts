import type { Engine } from "../types.js";
import type { Frame, Tangent } from "./frame.js";

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

/** The pairs of limited-memory BFGS and its two loops (Nocedal and Wright, Alg. 7.4). Holds 2·capacity + 1 tangent vectors. */
export function frameMemory(_E: Engine, fr: Frame, capacity: number): FrameMemory {
  const places: Pair[] = Array.from({ length: Math.max(1, capacity) }, () => ({
    s: fr.tangent(),
    y: fr.tangent(),
    sy: Number.NaN,
  }));
  const Q = fr.tangent();
  const a = new Float64Array(capacity);
  /** pairs in use, the oldest first */
  let size = 0;

  return {
    size: () => size,
    clear: () => void (size = 0),
    push(t, D, g, gNew) {
      if (size === places.length) {
        places.push(places.shift()!);
        size--;
      }
      const pair = places[size]!;
      fr.add(pair.s, 0, D, t);
      fr.add(pair.y, 0, gNew, 1);
      fr.add(pair.y, 1, g, -1);
      pair.sy = fr.inner(pair.s, pair.y);
      size = pair.sy > 0 ? Math.min(size + 1, capacity) : 0;
      return pair;
    },
    descend(D, g, H0) {
      fr.add(Q, 0, g, 1);
      for (let i = size - 1; i >= 0; i--) {
        const { s, y, sy } = places[i]!;
        a[i] = fr.inner(s, Q) / sy;
        fr.add(Q, 1, y, -a[i]!);
      }
      H0(D, Q);
      for (let i = 0; i < size; i++) {
        const { s, y, sy } = places[i]!;
        fr.add(D, 1, s, a[i]! - fr.inner(y, D) / sy);
      }
      fr.add(D, -1, Q, 0);
    },
  };
}
