/** T = VᵀBV of a space that grows, its lowest eigenvectors, and what a restart makes of it: small matrices in host memory. */
import { EPS } from "../../arrays/scale.js";
import type { Engine, Small } from "../../types.js";

export interface RayleighRitz {
  /** T for [V, Q]: `product` writes [V, Q]ᵀBQ (size×cols, by rows), with the new size */
  extend(product: (h: Float64Array) => void, cols: number): void;
  /** The p lowest values, ascending, and their coefficients, size×p; `rounding`: of a sum of these values */
  lowest(): { values: Float64Array; s: Float64Array; rounding: number };
  /** How far the last p vectors are from those before them: (2Σ(1 − |⟨x_j, x'_j⟩|))^½ */
  moved(): number;
  /**
   * The coefficients, size×k, of an orthonormal basis of the space that begins: the `count` lowest vectors, and those of the step before
   * off them; T is that of this basis then.
   */
  restart(count: number): { s: Float64Array; k: number };
}

/** T is solved in so many sizes, filled up above the spectrum: small matrices are kept for each. */
const SIZES = 8;
/** A vector of the step before that has less left off the others is one of them. */
const LEFT = 1e-6;

export function rayleighRitz(E: Engine, most: number, p: number): RayleighRitz {
  const t = new Float64Array(most * most);
  const step = Math.ceil(most / SIZES);
  const smalls = new Map<number, { T: Small; S: Small }>();
  let size = 0;
  /** all eigenvectors of T, columns beside each other in rows of `width`; and the p lowest before, size×p, zeros below */
  let [values, vectors, width]: [Float64Array, Float64Array, number] = [new Float64Array(0), new Float64Array(0), 0];
  let [now, before]: [Float64Array, Float64Array] = [new Float64Array(0), new Float64Array(0)];

  function solve(): void {
    width = step * Math.ceil(size / step);
    let made = smalls.get(width);
    if (!made) smalls.set(width, (made = { T: E.small(width, width), S: E.small(width, width) }));
    const numbers = new Float64Array(width * width);
    let above = 1;
    for (let i = 0; i < size; i++) {
      let row = 0;
      for (let j = 0; j < size; j++) {
        numbers[i * width + j] = t[i * most + j]!;
        row += Math.abs(t[i * most + j]!);
      }
      above = Math.max(above, 2 * row);
    }
    for (let i = size; i < width; i++) numbers[i * (width + 1)] = above;
    E.write(made.T, numbers);
    values = new Float64Array(width);
    E.factor.eigh(made.S, values, made.T);
    vectors = E.read(made.S, numbers);
  }

  /** Columns of the eigenvectors, size×count */
  function columns(count: number): Float64Array {
    const s = new Float64Array(size * count);
    for (let i = 0; i < size; i++) for (let j = 0; j < count; j++) s[i * count + j] = vectors[i * width + j]!;
    return s;
  }

  return {
    extend(product, cols) {
      size += cols;
      const h = new Float64Array(size * cols);
      product(h);
      for (let i = 0; i < size; i++) {
        for (let k = 0; k < cols; k++) {
          const j = size - cols + k;
          t[i * most + j] = h[i * cols + k]!;
          t[j * most + i] = h[i * cols + k]!;
        }
      }
    },
    lowest() {
      solve();
      before = now;
      now = columns(p);
      const largest = Math.max(Math.abs(values[0]!), Math.abs(values[size - 1]!));
      return { values: values.subarray(0, p), s: now, rounding: 4 * EPS * p * largest };
    },
    moved() {
      let sum = 0;
      for (let j = 0; j < p; j++) {
        let overlap = 0;
        for (let i = j; i < before.length; i += p) overlap += now[i]! * before[i]!;
        sum += 1 - Math.min(1, Math.abs(overlap));
      }
      return Math.sqrt(2 * sum);
    },
    restart(count) {
      // rows of the basis, each a vector of coefficients
      const basis = Array.from({ length: count }, (_, j) =>
        Float64Array.from({ length: size }, (_, i) => vectors[i * width + j]!),
      );
      for (let j = 0; j < p; j++) {
        const u = Float64Array.from({ length: size }, (_, i) => before[i * p + j] ?? 0);
        for (let pass = 0; pass < 2; pass++) for (const v of basis) off(u, v);
        const length = Math.hypot(...u);
        if (length > LEFT) basis.push(u.map((value) => value / length));
      }
      const k = basis.length;
      const s = new Float64Array(size * k);
      for (const [j, v] of basis.entries()) for (let i = 0; i < size; i++) s[i * k + j] = v[i]!;
      // eigenvectors of T are coupled neither to each other nor to what is orthogonal to them
      const added = basis.slice(count).map((v) => product(v));
      t.fill(0);
      for (let j = 0; j < count; j++) t[j * (most + 1)] = values[j]!;
      for (const [i, image] of added.entries()) {
        for (let j = 0; j < added.length; j++) t[(count + i) * most + count + j] = dot(image, basis[count + j]!);
      }
      size = k;
      // the vectors of this step are the first ones
      now = new Float64Array(size * p);
      for (let j = 0; j < p; j++) now[j * (p + 1)] = 1;
      return { s, k };
    },
  };

  /** T·v */
  function product(v: Float64Array): Float64Array {
    return Float64Array.from({ length: size }, (_, i) => dot(t.subarray(i * most, i * most + size), v));
  }
}

function dot(u: Float64Array, v: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < v.length; i++) sum += u[i]! * v[i]!;
  return sum;
}

/** u ← u − v·⟨v, u⟩ for a v of length 1 */
function off(u: Float64Array, v: Float64Array): void {
  const part = dot(v, u);
  for (let i = 0; i < u.length; i++) u[i]! -= part * v[i]!;
}
