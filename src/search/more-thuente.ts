import type { Ray, Search } from "../types.js";

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

/**
 * Strong Wolfe search of Moré and Thuente (ACM TOMS 20, 1994), with the constants and the bookkeeping of MINPACK-2's DCSRCH.
 * (tx, fx, dx) is the best step so far with its value and slope, (ty, fy, dy) the other end of the bracket.
 */
export const moreThuente =
  ({ c1 = 1e-4, c2 = 0.9, xtol = 1e-14, min = 1e-100, limit = 100 }: MoreThuenteOptions = {}): Search =>
  (ray: Ray, first: number): number => {
    const { f0, slope0, max } = ray;
    if (!(slope0 < 0) || !(first >= min)) return 0;
    const test = c1 * slope0;
    let bracketed = false;
    let stage = 1;
    let width = max - min;
    let width1 = 2 * width;
    let [tx, fx, dx, ty, fy, dy] = [0, f0, slope0, 0, f0, slope0];
    let lo = 0;
    let t = Math.min(first, max);
    let hi = 5 * t;

    for (let i = 0; i < limit; i++) {
      const f = ray.at(t);
      if (!Number.isFinite(f)) return 0;
      const d = ray.slope();
      const ftest = f0 + t * test;
      if (f <= ftest && Math.abs(d) <= c2 * -slope0) return t;
      if (stage === 1 && f <= ftest && d >= 0) stage = 2;
      if (bracketed && (t <= lo || t >= hi || hi - lo <= xtol * hi)) return 0;
      if ((t === max && f <= ftest && d <= test) || (t === min && (f > ftest || d >= test))) return 0;

      // While no step with sufficient decrease is known, work on ψ(t) = φ(t) − φ(0) − c1·φ'(0)·t.
      const tilt = stage === 1 && f <= fx && f > ftest ? test : 0;
      step(f - t * tilt, d - tilt, tilt);

      if (bracketed) {
        if (Math.abs(ty - tx) >= 0.66 * width1) t = tx + 0.5 * (ty - tx);
        width1 = width;
        width = Math.abs(ty - tx);
        lo = Math.min(tx, ty);
        hi = Math.max(tx, ty);
      } else {
        lo = t + 1.1 * (t - tx);
        hi = t + 4 * (t - tx);
      }
      t = Math.min(Math.max(t, min), max);
      if (bracketed && (t <= lo || t >= hi || hi - lo <= xtol * hi)) t = tx;
    }
    return 0;

    /** Updates the bracket with the trial (t, f, d) and moves t to the next trial (DCSTEP); values are tilted by `tilt`·t. */
    function step(f: number, d: number, tilt: number): void {
      const [gx, hx] = [fx - tx * tilt, dx - tilt];
      const [gy, hy] = [fy - ty * tilt, dy - tilt];
      const opposite = d * Math.sign(hx) < 0;
      let next: number;
      if (f > gx) {
        const theta = (3 * (gx - f)) / (t - tx) + hx + d;
        let gamma = root(theta, hx, d);
        if (t < tx) gamma = -gamma;
        const r = (gamma - hx + theta) / (gamma - hx + gamma + d);
        const cubic = tx + r * (t - tx);
        const quadratic = tx + (hx / ((gx - f) / (t - tx) + hx) / 2) * (t - tx);
        next = Math.abs(cubic - tx) <= Math.abs(quadratic - tx) ? cubic : cubic + (quadratic - cubic) / 2;
        bracketed = true;
      } else if (opposite) {
        const theta = (3 * (gx - f)) / (t - tx) + hx + d;
        let gamma = root(theta, hx, d);
        if (t > tx) gamma = -gamma;
        const r = (gamma - d + theta) / (gamma - d + gamma + hx);
        const cubic = t + r * (tx - t);
        const secant = t + (d / (d - hx)) * (tx - t);
        next = Math.abs(cubic - t) > Math.abs(secant - t) ? cubic : secant;
        bracketed = true;
      } else if (Math.abs(d) < Math.abs(hx)) {
        const theta = (3 * (gx - f)) / (t - tx) + hx + d;
        let gamma = root(theta, hx, d);
        if (t > tx) gamma = -gamma;
        const r = (gamma - d + theta) / (gamma + (hx - d) + gamma);
        const cubic = r < 0 && gamma !== 0 ? t + r * (tx - t) : t > tx ? hi : lo;
        const secant = t + (d / (d - hx)) * (tx - t);
        if (bracketed) {
          next = Math.abs(cubic - t) < Math.abs(secant - t) ? cubic : secant;
          const limit = t + 0.66 * (ty - t);
          next = t > tx ? Math.min(limit, next) : Math.max(limit, next);
        } else {
          next = Math.abs(cubic - t) > Math.abs(secant - t) ? cubic : secant;
          next = Math.min(Math.max(next, lo), hi);
        }
      } else if (bracketed) {
        const theta = (3 * (f - gy)) / (ty - t) + hy + d;
        let gamma = root(theta, hy, d);
        if (t > ty) gamma = -gamma;
        const r = (gamma - d + theta) / (gamma - d + gamma + hy);
        next = t + r * (ty - t);
      } else {
        next = t > tx ? hi : lo;
      }

      if (f > gx) {
        [ty, fy, dy] = [t, f + t * tilt, d + tilt];
      } else {
        if (opposite) [ty, fy, dy] = [tx, fx, dx];
        [tx, fx, dx] = [t, f + t * tilt, d + tilt];
      }
      t = next;
    }
  };

/** √(θ² − ab), scaled against overflow; 0 where the radicand is negative */
function root(theta: number, a: number, b: number): number {
  const s = Math.max(Math.abs(theta), Math.abs(a), Math.abs(b));
  return s === 0 ? 0 : s * Math.sqrt(Math.max(0, (theta / s) ** 2 - (a / s) * (b / s)));
}
