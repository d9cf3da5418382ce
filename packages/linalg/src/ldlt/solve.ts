import type { Engine } from "../contracts/engine.js";
import type { Small } from "../contracts/matrix.js";
import type { Block, Factors } from "./factor.js";

/** Entries of L₂₁ from which it is a matrix of the engine, whose products are faster from there on */
const LEAST_IN_ENGINE = 2048;

/** L₂₁ of a large block in the engine, with room for two columns on both sides */
interface Inside {
  readonly L: Small;
  readonly X: Small;
  readonly Y: Small;
  readonly x: Float64Array;
  readonly y: Float64Array;
}

/** x ← (A − σI)⁻¹·x = Lᵀ⁻¹·D⁻¹·L⁻¹·x for x size×cols, row-major, two columns at a time */
export function solver(E: Engine, { d, blocks, symbolic }: Factors): (x: Float64Array, cols: number) => void {
  const { size, order } = symbolic;
  const count = blocks.length;
  const inside = blocks.map(into);
  const z = new Float64Array(2 * size);

  return (x, cols) => {
    for (let c = 0; c < cols; c += 2) {
      const other = c + 1 < cols ? 1 : 0;
      for (let k = 0; k < size; k++) {
        const from = order[k]! * cols + c;
        z[2 * k] = x[from]!;
        z[2 * k + 1] = other * x[from + other]!;
      }
      for (let s = 0; s < count; s++) forward(s);
      for (let k = 0; k < size; k++) {
        z[2 * k]! /= d[k]!;
        z[2 * k + 1]! /= d[k]!;
      }
      for (let s = count - 1; s >= 0; s--) backward(s);
      for (let k = 0; k < size; k++) {
        const to = order[k]! * cols + c;
        x[to] = z[2 * k]!;
        if (other) x[to + 1] = z[2 * k + 1]!;
      }
    }
  };

  function into({ k, rows, panel }: Block): Inside | undefined {
    const r = rows.length;
    if (k * r < LEAST_IN_ENGINE) return undefined;
    const [X, Y] = [E.small(k, 2), E.small(r, 2)];
    const L = E.small(r, k, panel.subarray(k * k));
    return { L, X, Y, x: new Float64Array(2 * k), y: new Float64Array(2 * r) };
  }

  /** Forward substitution of block s: z₁ ← L₁₁⁻¹·z₁, z₂ ← z₂ − L₂₁·z₁ */
  function forward(s: number): void {
    const { panel, rows: below, k } = blocks[s]!;
    const at = 2 * blocks[s]!.at;
    for (let i = 1; i < k; i++) subtractRow(panel, i * k, i, at, at + 2 * i);
    const count = below.length;
    const large = inside[s];
    if (large) {
      const { L, X, Y, y } = large;
      E.write(X, z.subarray(at, at + 2 * k));
      E.mul(Y, L, X);
      E.read(Y, y);
      for (let i = 0; i < count; i++) {
        z[2 * below[i]!]! -= y[2 * i]!;
        z[2 * below[i]! + 1]! -= y[2 * i + 1]!;
      }
      return;
    }
    let i = 0;
    // four rows at a time share one reading of z
    for (; i + 3 < count; i += 4) {
      const r = (k + i) * k;
      let a0 = 0;
      let a1 = 0;
      let b0 = 0;
      let b1 = 0;
      let c0 = 0;
      let c1 = 0;
      let d0 = 0;
      let d1 = 0;
      for (let t = 0; t < k; t++) {
        const z0 = z[at + 2 * t]!;
        const z1 = z[at + 2 * t + 1]!;
        const a = panel[r + t]!;
        const b = panel[r + k + t]!;
        const c = panel[r + 2 * k + t]!;
        const d = panel[r + 3 * k + t]!;
        a0 += a * z0;
        a1 += a * z1;
        b0 += b * z0;
        b1 += b * z1;
        c0 += c * z0;
        c1 += c * z1;
        d0 += d * z0;
        d1 += d * z1;
      }
      const [ya, yb, yc, yd] = [2 * below[i]!, 2 * below[i + 1]!, 2 * below[i + 2]!, 2 * below[i + 3]!];
      z[ya]! -= a0;
      z[ya + 1]! -= a1;
      z[yb]! -= b0;
      z[yb + 1]! -= b1;
      z[yc]! -= c0;
      z[yc + 1]! -= c1;
      z[yd]! -= d0;
      z[yd + 1]! -= d1;
    }
    for (; i < count; i++) subtractRow(panel, (k + i) * k, k, at, 2 * below[i]!);
  }

  /** z_y −= Σ_t panel_rt·z_t */
  function subtractRow(panel: Float64Array, r: number, length: number, at: number, y: number): void {
    let s0 = 0;
    let s1 = 0;
    for (let t = 0; t < length; t++) {
      const v = panel[r + t]!;
      s0 += v * z[at + 2 * t]!;
      s1 += v * z[at + 2 * t + 1]!;
    }
    z[y]! -= s0;
    z[y + 1]! -= s1;
  }

  /** Backward substitution of block s: z₁ ← L₁₁ᵀ⁻¹·(z₁ − L₂₁ᵀ·z₂) */
  function backward(s: number): void {
    const { panel, rows: below, k } = blocks[s]!;
    const at = 2 * blocks[s]!.at;
    const count = below.length;
    const large = inside[s];
    let i = 0;
    if (large) {
      const { L, X, Y, x, y } = large;
      for (; i < count; i++) {
        y[2 * i] = z[2 * below[i]!]!;
        y[2 * i + 1] = z[2 * below[i]! + 1]!;
      }
      E.write(Y, y);
      E.tmul(X, L, Y);
      E.read(X, x);
      for (let t = 0; t < 2 * k; t++) z[at + t]! -= x[t]!;
    }
    for (; i + 3 < count; i += 4) {
      const r = (k + i) * k;
      const [ya, yb, yc, yd] = [2 * below[i]!, 2 * below[i + 1]!, 2 * below[i + 2]!, 2 * below[i + 3]!];
      const [a0, a1, b0, b1] = [z[ya]!, z[ya + 1]!, z[yb]!, z[yb + 1]!];
      const [c0, c1, d0, d1] = [z[yc]!, z[yc + 1]!, z[yd]!, z[yd + 1]!];
      for (let t = 0; t < k; t++) {
        const a = panel[r + t]!;
        const b = panel[r + k + t]!;
        const c = panel[r + 2 * k + t]!;
        const d = panel[r + 3 * k + t]!;
        z[at + 2 * t]! -= a * a0 + b * b0 + (c * c0 + d * d0);
        z[at + 2 * t + 1]! -= a * a1 + b * b1 + (c * c1 + d * d1);
      }
    }
    for (; i < count; i++) subtractColumn(panel, (k + i) * k, k, at, 2 * below[i]!);
    for (i = k - 1; i > 0; i--) subtractColumn(panel, i * k, i, at, at + 2 * i);
  }

  /** z_t −= panel_rt·z_y for all t */
  function subtractColumn(panel: Float64Array, r: number, length: number, at: number, y: number): void {
    const [z0, z1] = [z[y]!, z[y + 1]!];
    for (let t = 0; t < length; t++) {
      const v = panel[r + t]!;
      z[at + 2 * t]! -= v * z0;
      z[at + 2 * t + 1]! -= v * z1;
    }
  }
}
