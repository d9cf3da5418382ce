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
  /** 1/c with that pair, divided by `unit`, the ‖y‖² of all parts */
  learn(prior: Float64Array, unit: number): Float64Array;
  /** ⟨s, H⁻¹s⟩ of the pair for H = Diag(1/c) of the last `learn` */
  sHs(): number;
  /** ⟨y, Hy⟩ */
  yHy(): number;
  clear(): void;
}

/** `weights`: how often each part is counted in sums; left out: once */
export function curvatures(
  count: number,
  priorWeight: number,
  weights: Float64Array = new Float64Array(count).fill(1),
): Curvatures {
  const [ss, yy, s, y, inverse] = Array.from({ length: 5 }, () => new Float64Array(count)) as FiveLists;
  return {
    ss,
    yy,
    // divisions and roots are the cost; sums are local numbers, as those of a closure would be objects
    learn(prior, unit) {
      const weight = 1 / unit;
      let [total, sp, yp] = [0, 0, 0];
      for (let k = 0; k < count; k++) {
        const sk = DECAY * s[k]! + weight * ss[k]!;
        const yk = DECAY * y[k]! + weight * yy[k]!;
        s[k] = sk;
        y[k] = yk;
        total += sk;
        sp += sk * prior[k]!;
        yp += yk / prior[k]!;
      }
      const theta = sp > 0 ? Math.min(Math.max(Math.sqrt(yp / sp), FLOOR), 1 / FLOOR) : 1;
      // nothing has moved: the priors
      const kappa = total > 0 ? (priorWeight * total) / count : 1;
      let least = Number.POSITIVE_INFINITY;
      for (let k = 0; k < count; k++) {
        const expected = theta * prior[k]!;
        const r = Math.sqrt((s[k]! + kappa) / (y[k]! + kappa * expected * expected));
        inverse[k] = r;
        if (r < least) least = r;
      }
      const most = least / FLOOR;
      for (let k = 0; k < count; k++) if (inverse[k]! > most) inverse[k] = most;
      return inverse;
    },
    sHs() {
      let sum = 0;
      for (let k = 0; k < count; k++) sum += (weights[k]! * ss[k]!) / inverse[k]!;
      return sum;
    },
    yHy() {
      let sum = 0;
      for (let k = 0; k < count; k++) sum += weights[k]! * yy[k]! * inverse[k]!;
      return sum;
    },
    clear() {
      s.fill(0);
      y.fill(0);
    },
  };
}

type FiveLists = [Float64Array, Float64Array, Float64Array, Float64Array, Float64Array];
