import { fetcher, type Tall, tall } from "../linalg/tall.js";
import { Cell } from "../scalar.js";
import type { Engine, Matrix, Scalar } from "../types.js";

/** The first matrix H₀ of the updates: Q ↦ γ·Q·C for a symmetric positive definite p×p matrix C, or γ·Q, or γ times what `apply` makes of it. */
export interface FirstMatrix {
  readonly gamma: number;
  readonly C: Matrix | undefined;
  /** R ← H₀·Q at the point X; needs matrices in one block */
  apply?(R: Matrix, X: Matrix, Q: Matrix): void;
}

/**
 * Limited-memory BFGS whose pairs are kept as what they come from, s_i = t_i·D_i and y_i = g_{i+1} − g_i, so that none is ever formed. The
 * two-loop recursion (Nocedal and Wright, Alg. 7.4) runs on inner products ⟨D_i, g_j⟩, of which each iteration adds a row, and reads
 * n×p matrices three times, block by block:
 *
 *     Q = Σ κ_j·g_j,  R = H₀·Q,  ⟨g_j, R⟩;     D = −R − Σ ω_i·D_i;     ⟨D_i, g⟩ at the trial point.
 *
 * Holds 2·(capacity + 1) + 1 n×p matrices, the point and the trial point among them: the trial point stands where the oldest
 * direction stood, which is of no use once the new one is made. `scratch`: of one block, for each block; `trial`: the first trial point,
 * where there is a matrix for it.
 */
export class SecantMemory {
  /** pairs in use: D_0 … D_{size−1} and g_0 … g_size */
  size = 0;
  /** ‖D‖² and ‖gt‖² */
  readonly dd = new Cell();
  readonly gg = new Cell();
  private readonly places: number;
  /** directions, then the current point */
  private readonly Ds: Family;
  private readonly gs: Family;
  private readonly t: Float64Array;
  /** dg[i·places + j] = ⟨D_i, g_j⟩ for i ≤ j */
  private readonly dg: Float64Array;
  private readonly a: Float64Array;
  private readonly omega: Float64Array;
  private readonly kappa: Float64Array;
  private readonly column: Float64Array;
  private readonly part: Float64Array;
  private readonly list: Matrix[] = [];
  private readonly fetch: (A: Matrix) => void;
  private readonly result = new Cell();

  constructor(
    private readonly E: Engine,
    n: number,
    p: number,
    private readonly capacity: number,
    private readonly scratch: readonly Matrix[],
    trial?: Matrix,
  ) {
    const places = capacity + 1;
    this.places = places;
    this.fetch = fetcher(E, scratch);
    const matrices = (count: number): Tall[] => Array.from({ length: count }, () => tall(E, n, p));
    this.Ds = family([...matrices(capacity), tall(E, n, p, trial), tall(E, n, p)]);
    this.gs = family(matrices(places));
    this.t = new Float64Array(places);
    this.dg = new Float64Array(places * places);
    this.a = new Float64Array(places);
    this.omega = new Float64Array(places);
    this.kappa = new Float64Array(places);
    this.column = new Float64Array(places);
    this.part = new Float64Array(places);
  }

  /** the current point and its gradient g = g_size */
  get X(): Tall {
    return this.Ds.tall[this.places]!;
  }

  get g(): Tall {
    return this.gs.tall[this.size]!;
  }

  /** the direction D of the search in progress, its trial point and the gradient there */
  get D(): Tall {
    return this.Ds.tall[this.size]!;
  }

  get Y(): Tall {
    return this.Ds.tall[this.capacity]!;
  }

  get gt(): Tall {
    return this.gs.tall[this.size + 1]!;
  }

  /** D ← −H·g, returns ⟨g, D⟩ */
  descend(H0: FirstMatrix): Scalar {
    const { gamma, C } = H0;
    const { E, size, places, t, dg, a, omega, kappa, column, Ds, gs, scratch, dd, fetch } = this;
    // Q = g − Σ a_i·y_i, from the newest pair to the oldest, in coefficients of the gradients
    kappa.fill(0);
    kappa[size] = 1;
    for (let i = size - 1; i >= 0; i--) {
      let sq = t[i]! * dg[i * places + size]!;
      for (let j = i + 1; j < size; j++) sq -= a[j]! * this.sy(i, j);
      a[i] = sq / this.sy(i, i);
      kappa[i + 1]! -= a[i]!;
      kappa[i]! += a[i]!;
    }
    for (let i = 0; i <= size; i++) kappa[i]! *= gamma;
    column.fill(0);
    for (let b = 0; b < scratch.length; b++) {
      const g = gs.blocks[b]!;
      const R = Ds.blocks[b]![size]!;
      const Q = scratch[b]!;
      E.combination(C || H0.apply ? Q : R, kappa, g, size + 1, 0);
      if (C) {
        fetch(R);
        E.mul(R, Q, C);
      } else H0.apply?.(R, this.X.whole, Q);
      this.addDots(g, size + 1, R);
    }
    // back: R + Σ (a_i − b_i)·s_i with b_i = ⟨y_i, R + Σ_{j<i} …⟩/⟨s_i, y_i⟩
    let slope = -column[size]!;
    for (let i = 0; i < size; i++) {
      let yr = column[i + 1]! - column[i]!;
      for (let j = 0; j < i; j++) yr -= omega[j]! * (dg[j * places + i + 1]! - dg[j * places + i]!);
      omega[i] = -(a[i]! - yr / this.sy(i, i)) * t[i]!;
      slope += omega[i]! * dg[i * places + size]!;
    }
    dd.value = 0;
    for (let b = scratch.length - 1; b >= 0; b--) {
      const R = Ds.blocks[b]![size]!;
      E.combination(R, omega, Ds.blocks[b]!, size, -1);
      dd.value += E.inner(R, R).value;
    }
    if (size === this.capacity) this.forgetOldest();
    dg[this.size * (places + 1)] = slope;
    this.result.value = slope;
    return this.result;
  }

  /** gt ← gt − Y·M, returns ⟨gt, D⟩ */
  project(M: Matrix): Scalar {
    const { E, size, column, list, Ds, gs, fetch } = this;
    column.fill(0);
    for (let b = 0; b < this.scratch.length; b++) {
      const G = gs.blocks[b]![size + 1]!;
      const D = Ds.blocks[b]!;
      const Y = D[this.capacity]!;
      fetch(Y);
      fetch(G);
      E.mul(G, Y, M, -1, 1);
      for (let i = 0; i <= size; i++) list[i] = D[i]!;
      list[size + 1] = G;
      this.addDots(list, size + 2, G);
    }
    this.gg.value = column[size + 1]!;
    this.result.value = column[size]!;
    return this.result;
  }

  /** The search along D ended at step t: Y is the current point, gt its gradient, and the pair is stored if ⟨s, y⟩ > 0. Returns ⟨D, y⟩. */
  accept(step: Scalar): Scalar {
    const { size, places, dg, column, result } = this;
    this.t[size] = step.value;
    result.value = column[size]! - dg[size * (places + 1)]!;
    if (step.value * result.value > 0) {
      this.size = size + 1;
      for (let i = 0; i <= size; i++) dg[i * places + size + 1] = column[i]!;
    } else {
      swap(this.gs, 0, size + 1);
      this.size = 0;
    }
    this.arrive();
    return result;
  }

  /** Y is the current point and gt its gradient, and there are no pairs. */
  restart(): void {
    swap(this.gs, 0, this.size + 1);
    this.size = 0;
    this.arrive();
  }

  /** Forgets all pairs. */
  clear(): void {
    swap(this.gs, 0, this.size);
    this.size = 0;
  }

  /** ⟨s_i, y_j⟩ for i ≤ j */
  private sy(i: number, j: number): number {
    const { t, dg, places } = this;
    return t[i]! * (dg[i * places + j + 1]! - dg[i * places + j]!);
  }

  /** column ← column + ⟨X_i, Y⟩, i < count */
  private addDots(Xs: readonly Matrix[], count: number, Y: Matrix): void {
    const { part, column } = this;
    this.E.dots(part, Xs, count, Y);
    for (let i = 0; i < count; i++) column[i]! += part[i]!;
  }

  /** Drops the oldest pair; its matrices become those of the trial. */
  private forgetOldest(): void {
    const { places } = this;
    rotate(this.Ds, places);
    rotate(this.gs, places);
    this.t.copyWithin(0, 1);
    this.dg.copyWithin(0, places + 1);
    this.size--;
  }

  /** The trial point is the current one. */
  private arrive(): void {
    swap(this.Ds, this.capacity, this.places);
  }
}

/** Matrices whose places change: blocks[b][i] is block b of tall[i]. */
interface Family {
  readonly tall: Tall[];
  readonly blocks: Matrix[][];
}

const family = (members: Tall[]): Family => ({
  tall: members,
  blocks: members[0]!.blocks.map((_, b) => members.map(({ blocks }) => blocks[b]!)),
});

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
