import { chosenNumbers } from "@expen/linalg";
import type { Search } from "../contracts/method.js";

export interface MoreThuenteOptions {
  /** sufficient decrease: φ(t) ≤ φ(0) + c1·t·φ'(0) */
  c1?: number;
  /** curvature: |φ'(t)| ≤ c2·|φ'(0)| */
  c2?: number;
  /** smallest relative width of the bracket */
  xtol?: number;
  min?: number;
  limit?: number;
}

/** Wolfe constants, and the tolerance and bounds of a step in DCSRCH as SciPy calls it */
const USUAL = { c1: 1e-4, c2: 0.9, xtol: 1e-14, min: 1e-100, limit: 100 };

/**
 * Strong Wolfe search of Moré and Thuente (ACM TOMS 20, 1994), with the constants and the bookkeeping of MINPACK-2's DCSRCH.
 */
export function moreThuente(options: MoreThuenteOptions = {}): Search {
  const { c1, c2, xtol, min, limit } = chosenNumbers("moreThuente", USUAL, options);
  return (ray) => {
    const { f0, slope0, max, t: first } = ray;
    if (!(slope0 < 0) || !(first >= min)) return false;
    const test = c1 * slope0;
    let stage = 1;
    let width = max - min;
    let width1 = 2 * width;
    // the best step so far with its value and slope, the other end of the bracket, and the trial
    let [tx, fx, dx] = [0, f0, slope0];
    let [ty, fy, dy] = [0, f0, slope0];
    let t = Math.min(first, max);
    let [lo, hi] = [0, 5 * t];
    let accepted = false;

    for (let i = 0; i < limit; i++) {
      ray.t = t;
      ray.move();
      const f = ray.ft;
      if (!Number.isFinite(f)) return false;
      ray.differentiate();
      const d = ray.slopeT;
      const ftest = f0 + t * test;
      if (f <= ftest && Math.abs(d) <= c2 * -slope0) return true;
      if (stage === 1 && f <= ftest && d >= 0) stage = 2;
      if (accepted && (t <= lo || t >= hi || hi - lo <= xtol * hi)) return false;
      if ((t === max && f <= ftest && d <= test) || (t === min && (f > ftest || d >= test))) return false;

      // While no step with sufficient decrease is known, work on ψ(t) = φ(t) − φ(0) − c1·φ'(0)·t.
      const tilt = stage === 1 && f <= fx && f > ftest ? test : 0;
      t = improved(f - t * tilt, d - tilt, tilt);

      if (accepted) {
        const now = Math.abs(ty - tx);
        if (now >= 0.66 * width1) t = tx + 0.5 * (ty - tx);
        width1 = width;
        width = now;
        [lo, hi] = [Math.min(tx, ty), Math.max(tx, ty)];
      } else [lo, hi] = [t + 1.1 * (t - tx), t + 4 * (t - tx)];
      t = Math.min(Math.max(t, min), max);
      if (accepted && (t <= lo || t >= hi || hi - lo <= xtol * hi)) t = tx;
    }
    return false;

    /** Updates the bracket with the trial (t, f, d), values tilted by tilt·t; returns the next trial (DCSTEP). */
    function improved(f: number, d: number, tilt: number): number {
      const [fx1, dx1, dy1] = [fx - tx * tilt, dx - tilt, dy - tilt];
      const opposite = d * Math.sign(dx1) < 0;
      const theta = (3 * (fx1 - f)) / (t - tx) + dx1 + d;
      let next: number;
      if (f > fx1) {
        // higher value: the minimum is bracketed; cubic step if it is nearer to tx, else between cubic and quadratic
        const gamma = t < tx ? -root(theta, dx1, d) : root(theta, dx1, d);
        const r = (gamma - dx1 + theta) / (gamma - dx1 + gamma + d);
        const cubic = tx + r * (t - tx);
        const quadratic = tx + (dx1 / ((fx1 - f) / (t - tx) + dx1) / 2) * (t - tx);
        next = Math.abs(cubic - tx) <= Math.abs(quadratic - tx) ? cubic : cubic + (quadratic - cubic) / 2;
        accepted = true;
      } else if (opposite) {
        // slopes of opposite sign: bracketed; the farther of cubic and secant
        const gamma = t > tx ? -root(theta, dx1, d) : root(theta, dx1, d);
        const r = (gamma - d + theta) / (gamma - d + gamma + dx1);
        const cubic = t + r * (tx - t);
        const secant = t + (d / (d - dx1)) * (tx - t);
        next = Math.abs(cubic - t) > Math.abs(secant - t) ? cubic : secant;
        accepted = true;
      } else if (Math.abs(d) < Math.abs(dx1)) {
        // the slope decreases: cubic if it tends to infinity that way, or lies beyond t
        const gamma = t > tx ? -root(theta, dx1, d) : root(theta, dx1, d);
        const r = (gamma - d + theta) / (gamma + (dx1 - d) + gamma);
        const cubic = r < 0 && gamma !== 0 ? t + r * (tx - t) : t > tx ? hi : lo;
        const secant = t + (d / (d - dx1)) * (tx - t);
        if (accepted) {
          next = Math.abs(cubic - t) < Math.abs(secant - t) ? cubic : secant;
          const bound = t + 0.66 * (ty - t);
          next = t > tx ? Math.min(bound, next) : Math.max(bound, next);
        } else {
          next = Math.abs(cubic - t) > Math.abs(secant - t) ? cubic : secant;
          next = Math.min(Math.max(next, lo), hi);
        }
      } else if (accepted) {
        const phi = (3 * (f - (fy - ty * tilt))) / (ty - t) + dy1 + d;
        const gamma = t > ty ? -root(phi, dy1, d) : root(phi, dy1, d);
        const r = (gamma - d + phi) / (gamma - d + gamma + dy1);
        next = t + r * (ty - t);
      } else next = t > tx ? hi : lo;

      if (f > fx1) [ty, fy, dy] = [t, f + t * tilt, d + tilt];
      else {
        if (opposite) [ty, fy, dy] = [tx, fx, dx];
        [tx, fx, dx] = [t, f + t * tilt, d + tilt];
      }
      return next;
    }
  };
}

/** √(θ² − ab), scaled against overflow; 0 where the radicand is negative */
function root(theta: number, a: number, b: number): number {
  const s = Math.max(Math.abs(theta), Math.abs(a), Math.abs(b));
  return s === 0 ? 0 : s * Math.sqrt(Math.max(0, (theta / s) ** 2 - (a / s) * (b / s)));
}
