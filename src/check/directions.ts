import type { Random } from "../random.js";

/**
 * Entries ±(1 … 2)/√n at random: every entry is seen with about the same weight, moves by about its own size, and two mistakes of the same
 * size do not cancel. `signs`: where it is given, three of four entries have the sign of its entry, so that the derivative along them
 * is far above the jitter of f.
 */
export function weights(n: number, p: number, r: Random, signs?: Float64Array): Float64Array {
  const d = new Float64Array(n * p);
  const unit = 1 / Math.sqrt(n);
  for (let i = 0; i < d.length; i++) {
    const size = unit * (1 + r.uniform());
    const draw = r.uniform();
    const positive = signs ? signs[i]! < 0 === draw < 0.25 : draw < 0.5;
    d[i] = positive ? size : -size;
  }
  return d;
}

/** The mean of d² for `weights` */
export const meanSquare = (n: number): number => 7 / 3 / n;
