import { curvatures, PRIOR } from "./curvatures.js";

/** An entry ij of a p×p matrix Ω that is skew, and how often such a number is counted in sums over Ω */
export interface Entry {
  readonly i: number;
  readonly j: number;
  /** its place in a list of p×p numbers, and that of entry ji */
  readonly at: number;
  readonly mirrored: number;
  readonly weight: number;
}

/** The entries above the diagonal; of complex matrices those on it, too, which are imaginary */
export function rotationEntries(p: number, complex: boolean): Entry[] {
  const list: Entry[] = [];
  for (let i = 0; i < p; i++) {
    for (let j = complex ? i : i + 1; j < p; j++) {
      list.push({ i, j, at: i * p + j, mirrored: j * p + i, weight: i === j ? 1 : 2 });
    }
  }
  return list;
}

/** Curvatures of the entries of UᴴΩU; of complex matrices, whose numbers are those of Re and then those of Im, both have one curvature. */
export interface RotationCurvatures {
  /** 1/h, p² numbers; the diagonal of real ones, where Ω is 0, stays 0. */
  readonly inverse: Float64Array;
  /** Sets the next pair: UᴴΩU of D, s = t·D, and of y; returns ‖Ω_y‖² */
  setPair(D: Float64Array, t: number, y: Float64Array): number;
  /** With that pair; d are the curvatures of the columns. */
  learn(d: Float64Array, unit: number): void;
  /** ⟨s, H⁻¹s⟩ and ⟨y, Hy⟩ of the pair, H of the last `learn` */
  fit(): readonly [number, number];
  clear(): void;
}

export function rotationCurvatures(p: number, complex: boolean): RotationCurvatures {
  const places = rotationEntries(p, complex);
  const count = places.length;
  const weights = Float64Array.from(places, ({ weight }) => weight);
  const { ss, yy, learn, fit, clear } = curvatures(count, PRIOR.entries, weights);
  const [prior, inverse] = [new Float64Array(count), new Float64Array(p * p)];

  /** r ← the squares of the entries, times t² */
  function square(r: Float64Array, numbers: Float64Array, t: number): void {
    for (let k = 0; k < count; k++) {
      const { at } = places[k]!;
      r[k] = (t * numbers[at]!) ** 2;
      if (complex) r[k]! += (t * numbers[p * p + at]!) ** 2;
    }
  }

  return {
    inverse,
    setPair(D, t, y) {
      square(ss, D, t);
      square(yy, y, 1);
      let total = 0;
      for (let k = 0; k < count; k++) total += weights[k]! * yy[k]!;
      return total;
    },
    learn(d, unit) {
      // the mean of the two columns
      for (let k = 0; k < count; k++) prior[k] = (d[places[k]!.i]! + d[places[k]!.j]!) / 2;
      const h = learn(prior, unit);
      for (let k = 0; k < count; k++) inverse[places[k]!.at] = inverse[places[k]!.mirrored] = 1 / h[k]!;
    },
    fit,
    clear,
  };
}
