/**
 * Curvatures of the parts of a tangent vector. Each is a ratio of decayed moments over the pairs, ‖y‖/‖s‖ of its own part, with a prior
 * for parts that were hardly met:
 *
 *     c = √((Σ y² + κ·prior²)/(Σ s² + κ)),   each pair divided by its ‖y‖².
 */

/** What a pair weighs against the one after it. */
const DECAY = 0.8;
/** κ against the mean of the moments: of columns of Z, and of entries of Ω, which are met less evenly. */
const [COLUMN_PRIOR, ENTRY_PRIOR] = [0.3, 0.1];
/** No curvature is taken to be below this part of the largest. */
const FLOOR = 0.03;
/** Less than this part of a pair says nothing. */
const NOTHING = 1e-10;

export interface ColumnCurvatures {
  /** The curvatures d with one pair more: a_j = ‖column j of s‖², b_j = that of y. */
  learn(a: Float64Array, b: Float64Array, yy: number, prior: Float64Array): Float64Array;
  clear(): void;
}

/** Of the columns of Z·U. */
export function columnCurvatures(p: number): ColumnCurvatures {
  const [s, y, d] = [new Float64Array(p), new Float64Array(p), new Float64Array(p)];
  return {
    learn(a, b, yy, prior) {
      let met = 0;
      for (let j = 0; j < p; j++) {
        s[j] = DECAY * s[j]! + a[j]! / yy;
        y[j] = DECAY * y[j]! + b[j]! / yy;
        met += s[j]!;
      }
      const kappa = (COLUMN_PRIOR * met) / p + Number.MIN_VALUE;
      let top = 0;
      for (let j = 0; j < p; j++) {
        d[j] = Math.sqrt((y[j]! + kappa * prior[j]! ** 2) / (s[j]! + kappa));
        if (d[j]! > top) top = d[j]!;
      }
      for (let j = 0; j < p; j++) if (d[j]! < FLOOR * top) d[j] = FLOOR * top;
      return d;
    },
    clear() {
      s.fill(0);
      y.fill(0);
    },
  };
}

export interface EntryCurvatures {
  /** Notes UᵀΩU of D, s = t·D, and of y; returns ‖Ω_y‖² */
  meet(D: Float64Array, t: number, y: Float64Array): number;
  /** 1/h with the pair that was met; d are the curvatures of the columns. The diagonal, where Ω is 0, stays 0. */
  learn(d: Float64Array, yy: number): Float64Array;
  /** Σ y²/h of that pair */
  quotients(): number;
  clear(): void;
}

/**
 * Of the entries of UᵀΩU, with (d_i + d_j)/2 times what all of Ω says as the prior. Ω is skew, so pairs i < j are looked at, one after the
 * other in lists.
 */
export function entryCurvatures(p: number): EntryCurvatures {
  const count = (p * (p - 1)) / 2;
  const [newS, newY, s, y, h] = Array.from({ length: 5 }, () => new Float64Array(count)) as FiveLists;
  const inverse = new Float64Array(p * p);
  let [ss, quotients] = [0, 0];
  return {
    meet(D, t, change) {
      ss = 0;
      let yy = 0;
      for (let i = 0, k = 0; i < p; i++) {
        for (let j = i + 1; j < p; j++, k++) {
          const step = t * D[i * p + j]!;
          const rise = change[i * p + j]!;
          newS[k] = step * step;
          newY[k] = rise * rise;
          ss += step * step;
          yy += rise * rise;
        }
      }
      return 2 * yy;
    },

    learn(d, yy) {
      let [met, top, sh, yh] = [0, 0, 0, 0];
      for (let i = 0, k = 0; i < p; i++) {
        for (let j = i + 1; j < p; j++, k++) {
          s[k] = DECAY * s[k]! + newS[k]! / yy;
          y[k] = DECAY * y[k]! + newY[k]! / yy;
          const mean = (d[i]! + d[j]!) / 2;
          h[k] = mean;
          met += s[k]!;
          if (mean > top) top = mean;
          sh += s[k]! * mean;
          yh += y[k]! / mean;
        }
      }
      const said = met > (NOTHING * ss) / yy && met > 0;
      const factor = said ? Math.min(Math.max(Math.sqrt(yh / sh), FLOOR), 1 / FLOOR) : 1;
      const kappa = (ENTRY_PRIOR * met) / Math.max(1, count) + Number.MIN_VALUE;
      const least = FLOOR * top;
      quotients = 0;
      for (let i = 0, k = 0; i < p; i++) {
        for (let j = i + 1; j < p; j++, k++) {
          const prior = factor * h[k]!;
          const c = Math.sqrt((y[k]! + kappa * prior * prior) / (s[k]! + kappa));
          const r = 1 / Math.max(c, least);
          inverse[i * p + j] = r;
          inverse[j * p + i] = r;
          quotients += newY[k]! * r;
        }
      }
      quotients *= 2;
      return inverse;
    },
    quotients: () => quotients,
    clear() {
      s.fill(0);
      y.fill(0);
    },
  };
}

type FiveLists = [Float64Array, Float64Array, Float64Array, Float64Array, Float64Array];
