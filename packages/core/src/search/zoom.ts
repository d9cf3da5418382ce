import { chosenNumbers } from "@expen/linalg";
import type { Ray, Search } from "../contracts/method.js";

export interface ZoomOptions {
  c1?: number;
  c2?: number;
  /** doublings of the step before giving up */
  expansions?: number;
  /** trials inside the bracket before giving up */
  trials?: number;
}

/** Wolfe constants, and the most expansions and zooms, as in SciPy */
const USUAL = { c1: 1e-4, c2: 0.9, expansions: 10, trials: 11 };

/**
 * Strong Wolfe search by bracketing and zoom (Nocedal and Wright, Algorithms 3.5 and 3.6), the form used by SciPy: the interpolated
 * trial is refused near an end of the bracket by tests on the signed width `hi − lo`, and a step still descending after the last
 * expansion is accepted as it is.
 */
export function zoom(options: ZoomOptions = {}): Search {
  const { c1, c2, expansions, trials } = chosenNumbers("zoom", USUAL, options);
  return (ray) => {
    const { f0, slope0, max } = ray;
    let [t0, v0, s0] = [0, f0, slope0];
    ray.t = Math.min(ray.t, max);
    for (let i = 0; ; i++) {
      const { t } = ray;
      if (t === 0 || t0 > max) return false;
      ray.move();
      const v = ray.ft;
      if (v > f0 + c1 * t * slope0 || (i > 0 && v >= v0) || Number.isNaN(v)) return shrink(ray, t0, v0, s0, t, v);
      ray.differentiate();
      const s = ray.slopeT;
      if (Math.abs(s) <= -c2 * slope0 && acceptable(ray)) return true;
      if (s >= 0) return shrink(ray, t, v, s, t0, v0);
      [t0, v0, s0] = [t, v, s];
      ray.t = Math.min(2 * t, max);
      if (i === expansions - 1) {
        ray.move();
        return Number.isFinite(ray.ft);
      }
    }
  };

  function shrink(ray: Ray, lo: number, vlo: number, slo: number, hi: number, vhi: number): boolean {
    const { f0, slope0 } = ray;
    let [previous, vprevious] = [0, f0];
    for (let i = 0; i < trials; i++) {
      const width = hi - lo;
      const [low, high] = lo < hi ? [lo, hi] : [hi, lo];
      let a = i === 0 ? Number.NaN : cubicMinimum(lo, vlo, slo, hi, vhi, previous, vprevious);
      if (!(a <= high - 0.2 * width && a >= low + 0.2 * width)) {
        a = quadraticMinimum(lo, vlo, slo, hi, vhi);
        if (!(a <= high - 0.1 * width && a >= low + 0.1 * width)) a = lo + 0.5 * width;
      }
      ray.t = a;
      ray.move();
      const v = ray.ft;
      if (v > f0 + c1 * a * slope0 || v >= vlo || Number.isNaN(v)) {
        [previous, vprevious] = [hi, vhi];
        [hi, vhi] = [a, v];
      } else {
        ray.differentiate();
        const s = ray.slopeT;
        if (Math.abs(s) <= -c2 * slope0 && acceptable(ray)) return true;
        if (s * width >= 0) {
          [previous, vprevious] = [hi, vhi];
          [hi, vhi] = [lo, vlo];
        } else {
          [previous, vprevious] = [lo, vlo];
        }
        [lo, vlo, slo] = [a, v, s];
      }
    }
    return false;
  }
}

const acceptable = (ray: Ray): boolean => ray.acceptable?.() ?? true;

/** Minimiser of the cubic through (a, fa) with slope da, (b, fb), (c, fc); NaN where there is none. */
function cubicMinimum(a: number, fa: number, da: number, b: number, fb: number, c: number, fc: number): number {
  const [db, dc] = [b - a, c - a];
  const denominator = (db * dc) ** 2 * (db - dc);
  const [rb, rc] = [fb - fa - da * db, fc - fa - da * dc];
  const A = (dc ** 2 * rb - db ** 2 * rc) / denominator;
  const B = (-dc * dc ** 2 * rb + db * db ** 2 * rc) / denominator;
  return a + (-B + Math.sqrt(B * B - 3 * A * da)) / (3 * A);
}

/** Minimiser of the parabola through (a, fa) with slope da and (b, fb); NaN where there is none. */
function quadraticMinimum(a: number, fa: number, da: number, b: number, fb: number): number {
  const db = b - a;
  const B = (fb - fa - da * db) / (db * db);
  return a - da / (2 * B);
}
