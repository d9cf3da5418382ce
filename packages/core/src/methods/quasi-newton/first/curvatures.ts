/**
 * Curvatures of the parts of a tangent vector. Each is a ratio of decayed moments over the pairs, ‖y‖/‖s‖ of its own part, with a prior
 * where a part has seen little:
 *
 *     c = √((Σ y² + κ·prior²)/(Σ s² + κ)),   each pair divided by its ‖y‖².
 */

/** Weight of a pair against the one after it */
const DECAY = 0.8;
/** κ against the mean of the moments: of columns of Z, and of entries of Ω, over which steps are spread less evenly */
const [COLUMN_PRIOR, ENTRY_PRIOR] = [0.3, 0.1];
/** Least curvature, against the largest one */
const FLOOR = 0.01;
/** Part of ‖Ω_s‖² of a pair below which the sums over Ω are roundoff */
const ROUNDOFF = 1e-10;

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
      let total = 0;
      for (let j = 0; j < p; j++) {
        s[j] = DECAY * s[j]! + a[j]! / yy;
        y[j] = DECAY * y[j]! + b[j]! / yy;
        total += s[j]!;
      }
      const kappa = (COLUMN_PRIOR * total) / p + Number.MIN_VALUE;
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
  /** Sets the next pair: UᴴΩU of D, s = t·D, and of y; returns ‖Ω_y‖² */
  setPair(D: Float64Array, t: number, y: Float64Array): number;
  /** 1/h with that pair; d are the curvatures of the columns. The diagonal of real ones, where Ω is 0, stays 0. */
  learn(d: Float64Array, yy: number): Float64Array;
  /** Σ |y|²/h of that pair, with h of the last `learn` */
  quotients(): number;
  /** Adds Σ |s|²·h and Σ |y|²/h of that pair, with h before it was learned from, to the two numbers. */
  addFit(sums: Float64Array): void;
  clear(): void;
}

/**
 * Of the entries of UᴴΩU, whose prior is (d_i + d_j)/2 times the mean ratio over all of Ω. Ω is skew: lists hold the entries i < j, and
 * of complex matrices, whose numbers are those of Re and then those of Im, the diagonal too.
 */
export function entryCurvatures(p: number, complex = false): EntryCurvatures {
  const next = complex ? 0 : 1;
  const count = (p * (p + 1)) / 2 - next * p;
  const [newS, newY, s, y, h] = Array.from({ length: 5 }, () => new Float64Array(count)) as FiveLists;
  const inverse = new Float64Array(p * p);
  let [ss, quotients] = [0, 0];
  return {
    setPair(D, t, change) {
      let [steps, rises, diagonal] = [0, 0, 0];
      for (let i = 0, k = 0; i < p; i++) {
        for (let j = i + next; j < p; j++, k++) {
          const at = i * p + j;
          let step = (t * D[at]!) ** 2;
          let rise = change[at]! ** 2;
          if (complex) {
            step += (t * D[p * p + at]!) ** 2;
            rise += change[p * p + at]! ** 2;
            if (i === j) diagonal += rise;
          }
          newS[k] = step;
          newY[k] = rise;
          steps += step;
          rises += rise;
        }
      }
      ss = steps;
      return 2 * rises - diagonal;
    },

    // divisions and roots are the cost of the two loops; sums are local numbers, as those of a closure would be objects
    learn(d, yy) {
      const weight = 1 / yy;
      let [total, top, sh, yh] = [0, 0, 0, 0];
      for (let i = 0, k = 0; i < p; i++) {
        for (let j = i + next; j < p; j++, k++) {
          const sk = DECAY * s[k]! + weight * newS[k]!;
          const yk = DECAY * y[k]! + weight * newY[k]!;
          const mean = (d[i]! + d[j]!) / 2;
          s[k] = sk;
          y[k] = yk;
          h[k] = mean;
          total += sk;
          if (mean > top) top = mean;
          sh += sk * mean;
          yh += yk / mean;
        }
      }
      const hasMoved = total > (ROUNDOFF * ss) / yy && total > 0;
      const factor = hasMoved ? Math.min(Math.max(Math.sqrt(yh / sh), FLOOR), 1 / FLOOR) : 1;
      const kappa = (ENTRY_PRIOR * total) / Math.max(1, count) + Number.MIN_VALUE;
      const most = 1 / (FLOOR * top);
      let [sum, diagonal] = [0, 0];
      for (let i = 0, k = 0; i < p; i++) {
        for (let j = i + next; j < p; j++, k++) {
          const prior = factor * h[k]!;
          const own = hasMoved ? Math.sqrt((s[k]! + kappa) / (y[k]! + kappa * prior * prior)) : 1 / prior;
          const r = Math.min(own, most);
          inverse[i * p + j] = r;
          inverse[j * p + i] = r;
          sum += newY[k]! * r;
          if (i === j) diagonal += newY[k]! * r;
        }
      }
      quotients = 2 * sum - diagonal;
      return inverse;
    },
    quotients: () => quotients,
    addFit(sums) {
      for (let i = 0, k = 0; i < p; i++) {
        for (let j = i + next; j < p; j++, k++) {
          const r = inverse[i * p + j]!;
          const weight = i === j ? 1 : 2;
          sums[0]! += (weight * newS[k]!) / r;
          sums[1]! += weight * newY[k]! * r;
        }
      }
    },
    clear() {
      s.fill(0);
      y.fill(0);
    },
  };
}

type FiveLists = [Float64Array, Float64Array, Float64Array, Float64Array, Float64Array];
