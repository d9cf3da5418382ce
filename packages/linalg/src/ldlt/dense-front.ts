/** The dense arithmetic of one front: k columns of a symmetric m×m matrix are eliminated. */
import type { Engine } from "../contracts/engine.js";

/** Columns that are eliminated before the trailing block is updated, and the side of a tile */
const TILE = 96;
/** Rows and columns from which products are computed by the engine, in tiles */
const LEAST_IN_ENGINE = 64;

interface DenseFront {
  /**
   * F, m×m row after row, of which the lower triangle is read and written: with F = [A₁₁ A₂₁ᵀ; A₂₁ A₂₂] and
   * A₁₁ = L₁₁D₁L₁₁ᵀ, the first k columns become L₁₁ (its diagonal 1 is not stored) and L₂₁ = A₂₁L₁₁⁻ᵀD₁⁻¹, the rest
   * A₂₂ − L₂₁D₁L₂₁ᵀ; d ← D₁. False where a pivot is 0 or not finite.
   */
  eliminate(F: Float64Array, m: number, k: number, d: Float64Array): boolean;
}

export function denseFront(E: Engine): DenseFront {
  const [C, W, L] = [E.small(TILE, TILE), E.small(TILE, TILE), E.small(TILE, TILE)];
  const [c, w, l] = [new Float64Array(TILE * TILE), new Float64Array(TILE * TILE), new Float64Array(TILE * TILE)];
  const row = new Float64Array(TILE);
  /** L·D of the last columns eliminated, TILE entries a row */
  let scaled = new Float64Array(0);

  return {
    eliminate(F, m, k, d) {
      if (scaled.length < m * TILE) scaled = new Float64Array(m * TILE);
      for (let from = 0; from < k; from += TILE) {
        const to = Math.min(k, from + TILE);
        if (!panel(F, m, from, to, d)) return false;
        if (to === m) break;
        if (m - to >= LEAST_IN_ENGINE && to - from >= LEAST_IN_ENGINE / 4) tiles(F, m, from, to);
        else plain(F, m, from, to);
      }
      return true;
    },
  };

  /** Columns from … to − 1, all rows below, left-looking: a_ij − Σ_t (L·D)_it·L_jt */
  function panel(F: Float64Array, m: number, from: number, to: number, d: Float64Array): boolean {
    for (let j = from; j < to; j++) {
      const at = j * m + from;
      const width = j - from;
      for (let t = 0; t < width; t++) row[t] = F[at + t]! / d[from + t]!;
      let i = j;
      for (; i + 3 < m; i += 4) four(F, i * m + from, m, width);
      for (; i < m; i++) {
        const r = i * m + from;
        let sum = 0;
        for (let t = 0; t < width; t++) sum += F[r + t]! * row[t]!;
        F[r + width]! -= sum;
      }
      const pivot = F[j * m + j]!;
      if (pivot === 0 || !Number.isFinite(pivot)) return false;
      d[j] = pivot;
    }
    const width = to - from;
    for (let i = from; i < m; i++) {
      const r = i * m + from;
      const last = Math.min(width, i - from);
      for (let t = 0; t < last; t++) {
        const v = F[r + t]!;
        scaled[i * TILE + t] = v;
        F[r + t] = v / d[from + t]!;
      }
    }
    return true;
  }

  /** Four rows of a column at a time, which share `row` */
  function four(F: Float64Array, a: number, m: number, width: number): void {
    const b = a + m;
    const c = b + m;
    const e = c + m;
    let s0 = 0;
    let s1 = 0;
    let s2 = 0;
    let s3 = 0;
    for (let t = 0; t < width; t++) {
      const v = row[t]!;
      s0 += F[a + t]! * v;
      s1 += F[b + t]! * v;
      s2 += F[c + t]! * v;
      s3 += F[e + t]! * v;
    }
    F[a + width]! -= s0;
    F[b + width]! -= s1;
    F[c + width]! -= s2;
    F[e + width]! -= s3;
  }

  /** F_ij −= Σ_t (L·D)_it·L_jt for i ≥ j ≥ to */
  function plain(F: Float64Array, m: number, from: number, to: number): void {
    const width = to - from;
    for (let i = to; i < m; i++) {
      const [x, y] = [i * TILE, i * m];
      let j = to;
      for (; j + 3 <= i; j += 4) {
        const a = j * m + from;
        const b = a + m;
        const e = b + m;
        const g = e + m;
        let s0 = 0;
        let s1 = 0;
        let s2 = 0;
        let s3 = 0;
        for (let t = 0; t < width; t++) {
          const v = scaled[x + t]!;
          s0 += v * F[a + t]!;
          s1 += v * F[b + t]!;
          s2 += v * F[e + t]!;
          s3 += v * F[g + t]!;
        }
        F[y + j]! -= s0;
        F[y + j + 1]! -= s1;
        F[y + j + 2]! -= s2;
        F[y + j + 3]! -= s3;
      }
      for (; j <= i; j++) {
        const a = j * m + from;
        let s = 0;
        for (let t = 0; t < width; t++) s += scaled[x + t]! * F[a + t]!;
        F[y + j]! -= s;
      }
    }
  }

  /** The same update by products of tiles in the engine, padded with zeros */
  function tiles(F: Float64Array, m: number, from: number, to: number): void {
    const width = to - from;
    for (let i = to; i < m; i += TILE) {
      const high = Math.min(TILE, m - i);
      w.fill(0);
      for (let r = 0; r < high; r++) w.set(scaled.subarray((i + r) * TILE, (i + r) * TILE + width), r * TILE);
      E.write(W, w);
      for (let j = to; j <= i; j += TILE) {
        const wide = Math.min(TILE, m - j);
        l.fill(0);
        for (let r = 0; r < wide; r++) {
          const at = (j + r) * m + from;
          l.set(F.subarray(at, at + width), r * TILE);
        }
        E.write(L, l);
        E.mulT(C, W, L);
        E.read(C, c);
        for (let r = 0; r < high; r++) {
          const y = (i + r) * m + j;
          const last = i === j ? Math.min(wide, r + 1) : wide;
          for (let t = 0; t < last; t++) F[y + t]! -= c[r * TILE + t]!;
        }
      }
    }
  }
}
