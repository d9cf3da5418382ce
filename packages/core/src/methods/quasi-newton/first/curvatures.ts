/** Weight of a pair against the one after it */
const DECAY = 0.8;
/** Least curvature, against the largest one; and how far the priors together may be off */
const FLOOR = 0.01;

/** κ against the mean of the moments: of columns of Z, and of entries of Ω, over which steps are spread less evenly */
export const PRIOR = { columns: 0.3, entries: 0.1 };

/**
 * Curvatures of the parts of a tangent vector, its columns, entries or blocks. Each is a ratio of decayed moments over the pairs, ‖y‖/‖s‖
 * of its own part, with a prior where the part has seen little:
 *
 *     c = √((Σ y² + κ·(θ·prior)²)/(Σ s² + κ)),   each pair divided by its ‖y‖²,
 *
 * θ the mean ratio of the curvatures to their priors, the same for all.
 */
export interface Curvatures {
  /** ‖s‖² and ‖y‖² of each part in a pair: to be written before `learn` */
  readonly ss: Float64Array;
  readonly yy: Float64Array;
  /** The curvatures with that pair, divided by `unit`, the ‖y‖² of all parts */
  learn(prior: Float64Array, unit: number): Float64Array;
  /** ⟨s, H⁻¹s⟩ and ⟨y, Hy⟩ of the pair for H = Diag(1/c), c of the last `learn` */
  fit(): readonly [number, number];
  clear(): void;
}

/** `weights`: how often each part is counted in sums; left out: once */
export function curvatures(count: number, priorWeight: number, weights = new Float64Array(count).fill(1)): Curvatures {
  const [ss, yy, s, y, c] = Array.from({ length: 5 }, () => new Float64Array(count)) as FiveLists;
  return {
    ss,
    yy,
    // sums are local numbers, as those of a closure would be objects
    learn(prior, unit) {
      let [total, sp, yp] = [0, 0, 0];
      for (let k = 0; k < count; k++) {
        s[k] = DECAY * s[k]! + ss[k]! / unit;
        y[k] = DECAY * y[k]! + yy[k]! / unit;
        total += s[k]!;
        sp += s[k]! * prior[k]!;
        yp += y[k]! / prior[k]!;
      }
      const theta = sp > 0 ? Math.min(Math.max(Math.sqrt(yp / sp), FLOOR), 1 / FLOOR) : 1;
      const kappa = (priorWeight * total) / count;
      let top = 0;
      for (let k = 0; k < count; k++) {
        const expected = theta * prior[k]!;
        c[k] = total > 0 ? Math.sqrt((y[k]! + kappa * expected * expected) / (s[k]! + kappa)) : expected;
        if (c[k]! > top) top = c[k]!;
      }
      for (let k = 0; k < count; k++) if (c[k]! < FLOOR * top) c[k] = FLOOR * top;
      return c;
    },
    fit() {
      let [sHs, yHy] = [0, 0];
      for (let k = 0; k < count; k++) {
        sHs += weights[k]! * ss[k]! * c[k]!;
        yHy += (weights[k]! * yy[k]!) / c[k]!;
      }
      return [sHs, yHy];
    },
    clear() {
      s.fill(0);
      y.fill(0);
    },
  };
}

type FiveLists = [Float64Array, Float64Array, Float64Array, Float64Array, Float64Array];
