import { curvatures, PRIOR } from "./curvatures.js";

/** Curvatures of the entries of UᴴΩU; of complex matrices, whose numbers are those of Re and then those of Im, both have one curvature. */
export interface RotationCurvatures {
  /** 1/h, p² numbers; the diagonal of real ones, where Ω is 0, stays 0. */
  readonly inverse: Float64Array;
  /** Sets the next pair: UᴴΩU of D, s = t·D, and of y; returns ‖Ω_y‖² */
  setPair(D: Float64Array, t: number, y: Float64Array): number;
  /** With that pair; d are the curvatures of the columns. */
  learn(d: Float64Array, unit: number): void;
  /** ⟨s, H⁻¹s⟩ and ⟨y, Hy⟩ of the pair, H of the last `learn` */
  sHs(): number;
  yHy(): number;
  clear(): void;
}

export function rotationCurvatures(p: number, complex: boolean): RotationCurvatures {
  const next = complex ? 0 : 1;
  const count = (p * (p + 1)) / 2 - next * p;
  const list = (): Int32Array => new Int32Array(count);
  /** the entries ij of skew Ω that are numbers of their own, their places and those of ji, and how often each is counted in sums over Ω */
  const [rows, cols, at, mirrored, weights] = [list(), list(), list(), list(), new Float64Array(count)];
  for (let i = 0, k = 0; i < p; i++) {
    for (let j = i + next; j < p; j++, k++) {
      [rows[k], cols[k]] = [i, j];
      [at[k], mirrored[k]] = [i * p + j, j * p + i];
      weights[k] = i === j ? 1 : 2;
    }
  }
  const { ss, yy, learn, sHs, yHy, clear } = curvatures(count, PRIOR.entries, weights);
  const [prior, inverse] = [new Float64Array(count), new Float64Array(p * p)];

  /** r ← the squares of the entries, times t² */
  function square(r: Float64Array, numbers: Float64Array, t: number): void {
    for (let k = 0; k < count; k++) {
      const number = t * numbers[at[k]!]!;
      r[k] = number * number;
      if (complex) r[k]! += (t * numbers[p * p + at[k]!]!) ** 2;
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
      for (let k = 0; k < count; k++) prior[k] = (d[rows[k]!]! + d[cols[k]!]!) / 2;
      const learned = learn(prior, unit);
      for (let k = 0; k < count; k++) inverse[at[k]!] = inverse[mirrored[k]!] = learned[k]!;
    },
    sHs,
    yHy,
    clear,
  };
}
