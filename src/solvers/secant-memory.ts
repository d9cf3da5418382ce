import { Cell } from "../scalar.js";
import type { Engine, Matrix, Scalar } from "../types.js";

/** The first matrix H₀ of the updates: Q ↦ γ·Q·C for a symmetric positive definite p×p matrix C, or γ·Q. */
export interface FirstMatrix {
  readonly gamma: number;
  readonly C: Matrix | undefined;
}

/**
 * Limited-memory BFGS whose pairs are kept as what they come from, s_i = t_i·D_i and y_i = g_{i+1} − g_i, so that none is ever formed. The
 * two-loop recursion (Nocedal and Wright, Alg. 7.4) runs on inner products ⟨D_i, g_j⟩, of which each iteration adds a row, and touches
 * n×p matrices in four passes:
 *
 *     ⟨D_i, g⟩,   Q = Σ κ_j·g_j,   R = H₀·Q,   ⟨g_j, R⟩,   D = −R − Σ ω_i·D_i.
 *
 * Holds 2·(capacity + 1) n×p matrices, the current direction, the current gradient and the gradient at the trial point among them.
 */
export interface SecantMemory {
  /** pairs in use: D_0 … D_{size−1} and g_0 … g_size */
  readonly size: number;
  /** the current gradient g = g_size */
  readonly g: Matrix;
  /** the direction D of the search in progress and where the gradient at its trial points goes */
  readonly D: Matrix;
  readonly gt: Matrix;
  /** D ← −H·g, returns ⟨g, D⟩. `scratch` is overwritten. */
  descend(H0: FirstMatrix, scratch: Matrix): Scalar;
  /** The search along D ended at step t: gt is the current gradient, and the pair is stored if ⟨s, y⟩ > 0. Returns ⟨D, y⟩. */
  accept(t: Scalar): Scalar;
  /** Forgets all pairs. */
  clear(): void;
}

export function secantMemory(E: Engine, n: number, p: number, capacity: number): SecantMemory {
  const places = capacity + 1;
  const [Ds, gs] = [0, 1].map(() => Array.from({ length: places }, () => E.matrix(n, p))) as [Matrix[], Matrix[]];
  const t = new Float64Array(places);
  // dg[i·places + j] = ⟨D_i, g_j⟩ for i ≤ j
  const dg = new Float64Array(places * places);
  const [a, omega, kappa, column] = [0, 1, 2, 3].map(() => new Float64Array(places)) as Float64Array[] as [
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  let size = 0;
  const result = new Cell();
  /** ⟨s_i, y_j⟩ for i ≤ j */
  const sy = (i: number, j: number): number => t[i]! * (dg[i * places + j + 1]! - dg[i * places + j]!);

  /** Drops the oldest pair; its matrices become those of the trial. */
  function forgetOldest(): void {
    rotate(Ds);
    rotate(gs);
    t.copyWithin(0, 1);
    dg.copyWithin(0, places + 1);
    size--;
  }

  // fields and no getters: an object with getters is a table to V8, and numbers read from it are objects
  const memory = {
    size: 0,
    g: gs[0]!,
    D: Ds[0]!,
    gt: gs[1]!,

    descend({ gamma, C }, scratch) {
      // Q = g − Σ a_i·y_i, from the newest pair to the oldest, in coefficients of the gradients
      kappa.fill(0);
      kappa[size] = 1;
      for (let i = size - 1; i >= 0; i--) {
        let sq = t[i]! * dg[i * places + size]!;
        for (let j = i + 1; j < size; j++) sq -= a[j]! * sy(i, j);
        a[i] = sq / sy(i, i);
        kappa[i + 1]! -= a[i]!;
        kappa[i]! += a[i]!;
      }
      for (let i = 0; i <= size; i++) kappa[i]! *= gamma;
      const R = Ds[size]!;
      E.combination(C ? scratch : R, kappa, gs, size + 1, 0);
      if (C) E.mul(R, scratch, C);
      // back: R + Σ (a_i − b_i)·s_i with b_i = ⟨y_i, R + Σ_{j<i} …⟩/⟨s_i, y_i⟩
      E.dots(column, gs, size + 1, R);
      let slope = -column[size]!;
      for (let i = 0; i < size; i++) {
        let yr = column[i + 1]! - column[i]!;
        for (let j = 0; j < i; j++) yr -= omega[j]! * (dg[j * places + i + 1]! - dg[j * places + i]!);
        omega[i] = -(a[i]! - yr / sy(i, i)) * t[i]!;
        slope += omega[i]! * dg[i * places + size]!;
      }
      E.combination(R, omega, Ds, size, -1);
      if (size === capacity) forgetOldest();
      dg[size * (places + 1)] = slope;
      result.value = slope;
      point();
      return result;
    },

    accept(step) {
      t[size] = step.value;
      const gNew = gs[size + 1]!;
      E.dots(column, Ds, size + 1, gNew);
      result.value = column[size]! - dg[size * (places + 1)]!;
      if (step.value * result.value > 0) {
        size++;
        for (let i = 0; i < size; i++) dg[i * places + size] = column[i]!;
      } else {
        swap(gs, 0, size + 1);
        size = 0;
      }
      point();
      return result;
    },

    clear() {
      swap(gs, 0, size);
      size = 0;
      point();
    },
  } satisfies SecantMemory;
  return memory;

  /** The fields to the places of the moment */
  function point(): void {
    memory.size = size;
    memory.g = gs[size]!;
    memory.D = Ds[size]!;
    memory.gt = gs[size + 1]!;
  }
}

/** The first comes last. */
function rotate(list: Matrix[]): void {
  const first = list[0]!;
  list.copyWithin(0, 1);
  list[list.length - 1] = first;
}

function swap(list: Matrix[], i: number, j: number): void {
  const other = list[i]!;
  list[i] = list[j]!;
  list[j] = other;
}
