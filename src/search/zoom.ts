import type { Ray, Search } from "../types.js";

export interface ZoomOptions {
  c1?: number;
  c2?: number;
  /** doublings of the step before giving up */
  expansions?: number;
  /** trials inside the bracket before giving up */
  trials?: number;
}

/**
 * Strong Wolfe search by bracketing and zoom (Nocedal and Wright, Algorithms 3.5 and 3.6), the form used by SciPy: the interpolated
 * trial is refused near an end of the bracket by tests on the signed width `hi − lo`, and a step still descending after the last
 * expansion is accepted as it is.
 */
export const zoom =
  ({ c1 = 1e-4, c2 = 0.9, expansions = 10, trials = 11 }: ZoomOptions = {}): Search =>
  (ray: Ray, first: number): number => {
    const { f0, slope0, max } = ray;
    const acceptable = (): boolean => ray.acceptable?.() ?? true;
    let [t0, v0, s0] = [0, f0, slope0];
    let t = Math.min(first, max);
    for (let i = 0; ; i++) {
      if (t === 0 || t0 > max) return 0;
      const v = ray.at(t);
      if (v > f0 + c1 * t * slope0 || (i > 0 && v >= v0) || Number.isNaN(v)) return shrink(t0, v0, s0, t, v);
      const s = ray.slope();
      if (Math.abs(s) <= -c2 * slope0 && acceptable()) return t;
      if (s >= 0) return shrink(t, v, s, t0, v0);
      [t0, v0, s0] = [t, v, s];
      t = Math.min(2 * t, max);
      if (i === expansions - 1) return Number.isFinite(ray.at(t)) ? t : 0;
    }

    function shrink(lo: number, vlo: number, slo: number, hi: number, vhi: number): number {
      let [previous, vprevious] = [0, f0];
      for (let i = 0; i < trials; i++) {
        const width = hi - lo;
        const [low, high] = lo < hi ? [lo, hi] : [hi, lo];
        let a = i === 0 ? Number.NaN : cubicMinimum(lo, vlo, slo, hi, vhi, previous, vprevious);
        if (!(a <= high - 0.2 * width && a >= low + 0.2 * width)) {
          a = quadraticMinimum(lo, vlo, slo, hi, vhi);
          if (!(a <= high - 0.1 * width && a >= low + 0.1 * width)) a = lo + 0.5 * width;
        }
        const v = ray.at(a);
        if (v > f0 + c1 * a * slope0 || v >= vlo || Number.isNaN(v)) {
          [previous, vprevious] = [hi, vhi];
          [hi, vhi] = [a, v];
        } else {
          const s = ray.slope();
          if (Math.abs(s) <= -c2 * slope0 && acceptable()) return a;
          if (s * width >= 0) {
            [previous, vprevious] = [hi, vhi];
            [hi, vhi] = [lo, vlo];
          } else {
            [previous, vprevious] = [lo, vlo];
          }
          [lo, vlo, slo] = [a, v, s];
        }
      }
      return 0;
    }
  };

/** Minimiser of the cubic through (a, fa) with slope da, (b, fb), (c, fc); NaN where there is none. */
function cubicMinimum(a: number, fa: number, da: number, b: number, fb: number, c: number, fc: number): number {
  const [db, dc] = [b - a, c - a];
  const denominator = (db * dc) ** 2 * (db - dc);
  const [rb, rc] = [fb - fa - da * db, fc - fa - da * dc];
  const A = (dc ** 2 * rb - db ** 2 * rc) / denominator;
  const B = (-(dc ** 3) * rb + db ** 3 * rc) / denominator;
  return a + (-B + Math.sqrt(B * B - 3 * A * da)) / (3 * A);
}

/** Minimiser of the parabola through (a, fa) with slope da and (b, fb); NaN where there is none. */
function quadraticMinimum(a: number, fa: number, da: number, b: number, fb: number): number {
  const db = b - a;
  const B = (fb - fa - da * db) / (db * db);
  return a - da / (2 * B);
}
