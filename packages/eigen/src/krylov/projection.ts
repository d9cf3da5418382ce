/** Rayleigh–Ritz projection: T = VᵀBV for a growing orthonormal basis V, and its eigenpairs, T = SΘSᵀ; Ritz vectors are V·s. */
import type { Engine, Small } from "@expen/linalg";

export interface RitzPairs {
  /** Ritz values, ascending */
  readonly theta: Float64Array;
  /** the entries of S, by rows */
  readonly s: Float64Array;
}

/** Ritz pairs of a Krylov space, BV = VT + QR·[0, I] */
export interface KrylovPairs extends RitzPairs {
  /** ‖BVs − θVs‖ for each */
  readonly residual: Float64Array;
  /** the entries of R, b×b */
  readonly r: Float64Array;
  /** the Ritz values of −(B − σI)⁻¹, if the space is one of that operator */
  readonly own?: Float64Array;
}

/** Holds T in host memory, and small matrices of the engine for each size in which it was solved. */
export interface Projection {
  /** columns of V */
  readonly size: number;
  /** T of [V, W] from h = [V, W]ᵀBW, by rows with `cols` columns */
  extend(h: Float64Array, cols: number): void;
  /** T of [VS₁, VA]: Diag(θ) for the kept columns S₁ of S, and AᵀTA for columns A orthonormal and orthogonal to them */
  restart(theta: ArrayLike<number>, added?: readonly Float64Array[]): void;
  ritzPairs(): RitzPairs;
}

/** T has up to `most` columns and is solved in sizes that are multiples of `step`, padded by a diagonal above its spectrum. */
export function projection(E: Engine, most: number, step: number): Projection {
  const t = new Float64Array(most * most);
  const smalls = new Map<number, { T: Small; S: Small }>();
  let size = 0;
  const row = (i: number): Float64Array => t.subarray(i * most, i * most + size);

  function matricesOf(width: number): { T: Small; S: Small } {
    let matrices = smalls.get(width);
    if (!matrices) smalls.set(width, (matrices = { T: E.small(width, width), S: E.small(width, width) }));
    return matrices;
  }

  /** Diag(T, cI) with `width` columns, c above the spectrum of T by Gershgorin's theorem */
  function padded(width: number): Float64Array {
    const numbers = new Float64Array(width * width);
    let above = 1;
    for (let i = 0; i < size; i++) {
      numbers.set(row(i), i * width);
      if (width > size) above = Math.max(above, 2 * row(i).reduce((sum, v) => sum + Math.abs(v), 0));
    }
    for (let i = size; i < width; i++) numbers[i * (width + 1)] = above;
    return numbers;
  }

  return {
    get size() {
      return size;
    },
    extend(h, cols) {
      size += cols;
      for (let i = 0; i < size; i++) {
        for (let k = 0; k < cols; k++) {
          const j = size - cols + k;
          t[i * most + j] = h[i * cols + k]!;
          t[j * most + i] = h[i * cols + k]!;
        }
      }
    },
    restart(theta, added = []) {
      const images = added.map((a) => Float64Array.from({ length: size }, (_, i) => inner(row(i), a)));
      const count = theta.length;
      t.fill(0);
      for (let j = 0; j < count; j++) t[j * (most + 1)] = theta[j]!;
      for (const [i, image] of images.entries()) {
        for (const [j, a] of added.entries()) t[(count + i) * most + count + j] = inner(image, a);
      }
      size = count + added.length;
    },
    ritzPairs() {
      const width = step * Math.ceil(size / step);
      const { T, S } = matricesOf(width);
      const numbers = padded(width);
      const theta = new Float64Array(width);
      E.write(T, numbers);
      E.factor.eigh(S, theta, T);
      E.read(S, numbers);
      if (width === size) return { theta, s: numbers };
      const s = new Float64Array(size * size);
      for (let i = 0; i < size; i++) s.set(numbers.subarray(i * width, i * width + size), i * size);
      return { theta: theta.subarray(0, size), s };
    },
  };
}

/** ‖R·s_last‖ for each column of S, s_last its last b entries, R upper triangular */
export function residualNorms({ theta, s }: RitzPairs, r: Float64Array, b: number): Float64Array {
  const size = theta.length;
  return theta.map((_, j) => {
    let square = 0;
    for (let i = 0; i < b; i++) {
      let sum = 0;
      for (let k = i; k < b; k++) sum += r[i * b + k]! * s[(size - b + k) * size + j]!;
      square += sum * sum;
    }
    return Math.sqrt(square);
  });
}

/** The columns of s (size×size) with the indices `chosen` */
export function columnsOf(s: Float64Array, size: number, indices: readonly number[]): Float64Array {
  const count = indices.length;
  const columns = new Float64Array(size * count);
  for (let i = 0; i < size; i++) for (let j = 0; j < count; j++) columns[i * count + j] = s[i * size + indices[j]!]!;
  return columns;
}

/** ⟨u, v⟩ */
export function inner(u: Float64Array, v: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < v.length; i++) sum += u[i]! * v[i]!;
  return sum;
}
