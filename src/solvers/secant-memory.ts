import { type Tall, tall } from "../linalg/tall.js";
import { Cell } from "../scalar.js";
import type { Engine, Matrix, Scalar } from "../types.js";

/** The first matrix H₀ of the updates: Q ↦ γ·Q·C for a symmetric positive definite p×p matrix C, or γ·Q. */
export interface FirstMatrix {
  readonly gamma: number;
  readonly C: Matrix | undefined;
}

/**
 * Limited-memory BFGS whose pairs are kept as what they come from, s_i = t_i·D_i and y_i = g_{i+1} − g_i, so that none is ever formed. The
 * two-loop recursion (Nocedal and Wright, Alg. 7.4) runs on inner products ⟨D_i, g_j⟩, of which each iteration adds a row, and reads
 * n×p matrices three times, block by block:
 *
 *     Q = Σ κ_j·g_j,  R = H₀·Q,  ⟨g_j, R⟩;     D = −R − Σ ω_i·D_i;     ⟨D_i, g⟩ at the trial point.
 *
 * What follows a pass from top to bottom goes from bottom to top, where the last blocks are still in cache.
 *
 * Holds 2·(capacity + 1) + 1 n×p matrices, the point and the trial point among them: the trial point stands where the oldest
 * direction stood, which is of no use once the new one is made.
 */
export interface SecantMemory {
  /** pairs in use: D_0 … D_{size−1} and g_0 … g_size */
  readonly size: number;
  /** the current point and its gradient g = g_size */
  readonly X: Tall;
  readonly g: Tall;
  /** the direction D of the search in progress, its trial point and the gradient there */
  readonly D: Tall;
  readonly Y: Tall;
  readonly gt: Tall;
  /** D ← −H·g, returns ⟨g, D⟩ */
  descend(H0: FirstMatrix): Scalar;
  /** gt ← gt − Y·M, returns ⟨gt, D⟩ */
  project(M: Matrix): Scalar;
  /** The search along D ended at step t: Y is the current point, gt its gradient, and the pair is stored if ⟨s, y⟩ > 0. Returns ⟨D, y⟩. */
  accept(t: Scalar): Scalar;
  /** Y is the current point and gt its gradient, and there are no pairs. */
  restart(): void;
  /** Forgets all pairs. */
  clear(): void;
  /** ‖D‖² and ‖gt‖² */
  readonly dd: Scalar;
  readonly gg: Scalar;
}

/** `scratch`: of one block, for each block */
export function secantMemory(
  E: Engine,
  n: number,
  p: number,
  capacity: number,
  scratch: readonly Matrix[],
): SecantMemory {
  const places = capacity + 1;
  // directions, then the current point
  const [Ds, gs] = [family(E, n, p, places + 1), family(E, n, p, places)];
  const blocks = scratch.length;
  const t = new Float64Array(places);
  // dg[i·places + j] = ⟨D_i, g_j⟩ for i ≤ j
  const dg = new Float64Array(places * places);
  const [a, omega, kappa, column, part] = Array.from({ length: 5 }, () => new Float64Array(places)) as [
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  const list: Matrix[] = [];
  let size = 0;
  const [result, dd, gg] = [new Cell(), new Cell(), new Cell()];
  /** ⟨s_i, y_j⟩ for i ≤ j */
  const sy = (i: number, j: number): number => t[i]! * (dg[i * places + j + 1]! - dg[i * places + j]!);

  /** column ← column + ⟨X_i, Y⟩, i < count */
  function addDots(Xs: readonly Matrix[], count: number, Y: Matrix): void {
    E.dots(part, Xs, count, Y);
    for (let i = 0; i < count; i++) column[i]! += part[i]!;
  }

  /** Drops the oldest pair; its matrices become those of the trial. */
  function forgetOldest(): void {
    rotate(Ds, places);
    rotate(gs, places);
    t.copyWithin(0, 1);
    dg.copyWithin(0, places + 1);
    size--;
  }

  /** The trial point is the current one. */
  function arrive(): void {
    swap(Ds, capacity, places);
    point();
  }

  // fields and no getters: an object with getters is a table to V8, and numbers read from it are objects
  const memory = {
    size: 0,
    X: Ds.tall[places]!,
    g: gs.tall[0]!,
    D: Ds.tall[0]!,
    Y: Ds.tall[capacity]!,
    gt: gs.tall[1]!,
    dd,
    gg,

    descend({ gamma, C }) {
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
      column.fill(0);
      for (let b = 0; b < blocks; b++) {
        const g = gs.blocks[b]!;
        const R = Ds.blocks[b]![size]!;
        const Q = scratch[b]!;
        E.combination(C ? Q : R, kappa, g, size + 1, 0);
        if (C) E.mul(R, Q, C);
        addDots(g, size + 1, R);
      }
      // back: R + Σ (a_i − b_i)·s_i with b_i = ⟨y_i, R + Σ_{j<i} …⟩/⟨s_i, y_i⟩
      let slope = -column[size]!;
      for (let i = 0; i < size; i++) {
        let yr = column[i + 1]! - column[i]!;
        for (let j = 0; j < i; j++) yr -= omega[j]! * (dg[j * places + i + 1]! - dg[j * places + i]!);
        omega[i] = -(a[i]! - yr / sy(i, i)) * t[i]!;
        slope += omega[i]! * dg[i * places + size]!;
      }
      dd.value = 0;
      for (let b = blocks - 1; b >= 0; b--) {
        const R = Ds.blocks[b]![size]!;
        E.combination(R, omega, Ds.blocks[b]!, size, -1);
        dd.value += E.inner(R, R).value;
      }
      if (size === capacity) forgetOldest();
      dg[size * (places + 1)] = slope;
      result.value = slope;
      point();
      return result;
    },

    project(M) {
      column.fill(0);
      for (let b = blocks - 1; b >= 0; b--) {
        const G = gs.blocks[b]![size + 1]!;
        const D = Ds.blocks[b]!;
        E.mul(G, D[capacity]!, M, -1, 1);
        for (let i = 0; i <= size; i++) list[i] = D[i]!;
        list[size + 1] = G;
        addDots(list, size + 2, G);
      }
      gg.value = column[size + 1]!;
      result.value = column[size]!;
      return result;
    },

    accept(step) {
      t[size] = step.value;
      result.value = column[size]! - dg[size * (places + 1)]!;
      if (step.value * result.value > 0) {
        size++;
        for (let i = 0; i < size; i++) dg[i * places + size] = column[i]!;
      } else {
        swap(gs, 0, size + 1);
        size = 0;
      }
      arrive();
      return result;
    },

    restart() {
      swap(gs, 0, size + 1);
      size = 0;
      arrive();
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
    memory.X = Ds.tall[places]!;
    memory.g = gs.tall[size]!;
    memory.D = Ds.tall[size]!;
    memory.Y = Ds.tall[capacity]!;
    memory.gt = gs.tall[size + 1]!;
  }
}

/** Matrices whose places change: blocks[b][i] is block b of tall[i]. */
interface Family {
  readonly tall: Tall[];
  readonly blocks: Matrix[][];
}

function family(E: Engine, n: number, p: number, count: number): Family {
  const members = Array.from({ length: count }, () => tall(E, n, p));
  return { tall: members, blocks: members[0]!.blocks.map((_, b) => members.map(({ blocks }) => blocks[b]!)) };
}

/** Of the first `count` the first comes last. */
function rotate(family: Family, count: number): void {
  for (let i = 1; i < count; i++) swap(family, i - 1, i);
}

function swap({ tall, blocks }: Family, i: number, j: number): void {
  const other = tall[i]!;
  tall[i] = tall[j]!;
  tall[j] = other;
  for (let b = 0; b < blocks.length; b++) {
    const list = blocks[b]!;
    const block = list[i]!;
    list[i] = list[j]!;
    list[j] = block;
  }
}
