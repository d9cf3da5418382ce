import { Cell } from "../scalar.js";
import type { Engine, Matrix, Precondition } from "../types.js";

/**
 * The limited-memory BFGS matrix in compact form (Byrd, Nocedal, Schnabel, Math. Prog. 63, 1994, eq. 3.13). With S, Y the last m pairs,
 * R the upper triangle of SᵀY, D its diagonal and γ = ⟨s, y⟩/⟨y, y⟩ of the newest pair,
 *
 *     H·g = γ·g + S·u − γ·Y·w,   w = R⁻¹Sᵀg,   u = R⁻ᵀ(D·w + γ·YᵀY·w − γ·Yᵀg).
 *
 * The inner products with a new pair are differences of those with two gradients, ⟨s_i, y⟩ = ⟨s_i, g₊⟩ − ⟨s_i, g⟩, and those with g₊ serve the
 * next direction: one iteration reads each stored matrix twice, for the inner products and for the combination. With a preconditioner P in place of the identity, H₀ = γP with γ = ⟨s, y⟩/⟨y, Py⟩, and because P
 * may change with X, H·g is formed by the two-loop recursion (Nocedal and Wright, Alg. 7.4). Pairs are kept oldest first in `vectors` = [s_0, y_0, s_1, y_1, …].
 */
export interface LbfgsMemory {
  readonly size: number;
  readonly preconditioned: boolean;
  /** D ← −H·G; X, the point at which G was taken, matters to a preconditioner only */
  direction(D: Matrix, G: Matrix, X?: Matrix): void;
  /** Stores s = t·D and y = Gnew − Gold if ⟨s, y⟩ > threshold; true if stored. */
  update(t: number, D: Matrix, Gnew: Matrix, Gold: Matrix, threshold: number, X?: Matrix): boolean;
  clear(): void;
  /** Forgets the inner products with the last gradient: to be called when gradients may change without `update`. */
  restart(): void;
  /** The first 2·size are s_0, y_0, s_1, …; a caller may change them in place (transport to another tangent space). */
  readonly vectors: readonly Matrix[];
  /** To be called after the stored matrices were changed. */
  refresh(): void;
}

export function lbfgsMemory(
  E: Engine,
  n: number,
  p: number,
  capacity: number,
  precondition?: Precondition,
): LbfgsMemory {
  // one place more than the capacity, where a new pair is formed before it is known to be good
  const stride = capacity + 1;
  const vectors = Array.from({ length: 2 * stride }, () => E.matrix(n, p));
  let size = 0;
  /** −γ and ⟨s, y⟩ of the newest pair, in cells: in a variable of a closure each change of a number makes an object */
  const [minusGamma, curvature] = [new Cell(), new Cell()];
  minusGamma.value = -1;
  // sy[i·stride + j] = ⟨s_i, y_j⟩, yy[i·stride + j] = ⟨y_i, y_j⟩
  const [sy, yy] = [new Float64Array(stride * stride), new Float64Array(stride * stride)];
  const [products, before] = [new Float64Array(2 * stride), new Float64Array(2 * stride)];
  /** the gradient whose inner products with the first 2·size vectors stand in `products` */
  let latest: Matrix | undefined;
  const coefficients = new Float64Array(2 * stride);
  const [u, w] = [new Float64Array(stride), new Float64Array(stride)];
  const [q, z] = precondition ? [E.matrix(n, p), E.matrix(n, p)] : [];

  /** Drops the oldest pair; its matrices go to the end to be used again. */
  function forgetOldest(): void {
    const [s, y] = [vectors[0]!, vectors[1]!];
    vectors.copyWithin(0, 2);
    vectors[2 * stride - 2] = s;
    vectors[2 * stride - 1] = y;
    products.copyWithin(0, 2);
    for (let i = 1; i < size; i++) {
      for (let j = 1; j < size; j++) {
        sy[(i - 1) * stride + j - 1] = sy[i * stride + j]!;
        yy[(i - 1) * stride + j - 1] = yy[i * stride + j]!;
      }
    }
    size--;
  }

  /** Inner products with the pair in place j, directly */
  function column(j: number): void {
    latest = undefined;
    E.dots(products, vectors, 2 * j + 2, vectors[2 * j + 1]!);
    for (let i = 0; i <= j; i++) {
      sy[i * stride + j] = products[2 * i]!;
      yy[i * stride + j] = yy[j * stride + i] = products[2 * i + 1]!;
    }
  }

  /** The same for the pair in the last place by differences, from the products with Gold, leaving those with Gnew. */
  function columnByDifferences(Gnew: Matrix): void {
    before.set(products);
    E.dots(products, vectors, 2 * size + 2, Gnew);
    for (let i = 0; i < size; i++) {
      sy[i * stride + size] = products[2 * i]! - before[2 * i]!;
      yy[i * stride + size] = yy[size * stride + i] = products[2 * i + 1]! - before[2 * i + 1]!;
    }
    const y = vectors[2 * size + 1]!;
    sy[size * (stride + 1)] = curvature.value;
    yy[size * (stride + 1)] = E.inner(y, y).value;
    latest = Gnew;
  }

  /** w_i = ⟨s_i, q⟩/⟨s_i, y_i⟩ and q ← q − w_i·y_i from the newest pair to the oldest, D ← −γPq, then back */
  function twoLoops(D: Matrix, G: Matrix, X = G): void {
    E.copy(q!, G);
    for (let i = size - 1; i >= 0; i--) {
      w[i] = E.inner(vectors[2 * i]!, q!).value / sy[i * (stride + 1)]!;
      E.axpby(q!, -w[i]!, vectors[2 * i + 1]!, 1);
    }
    precondition!(z!, X, q!);
    E.axpby(D, minusGamma, z!, 0);
    for (let i = 0; i < size; i++) {
      const b = w[i]! + E.inner(vectors[2 * i + 1]!, D).value / sy[i * (stride + 1)]!;
      E.axpby(D, -b, vectors[2 * i]!, 1);
    }
  }

  return {
    vectors,
    preconditioned: precondition !== undefined,
    get size() {
      return size;
    },
    clear() {
      size = 0;
      minusGamma.value = -1;
    },
    restart() {
      latest = undefined;
    },
    refresh() {
      latest = undefined;
      for (let j = 0; j < size; j++) column(j);
    },

    update(t, D, Gnew, Gold, threshold, X) {
      const [s, y] = [vectors[2 * size]!, vectors[2 * size + 1]!];
      E.combine(y, 1, Gnew, -1, Gold);
      curvature.value = t * E.inner(D, y).value;
      if (!(curvature.value > threshold)) return false;
      E.axpby(s, t, D, 0);
      if (latest === Gold) columnByDifferences(Gnew);
      else column(size);
      if (precondition) precondition(z!, X ?? Gnew, y);
      minusGamma.value = -sy[size * (stride + 1)]! / (z ? E.inner(y, z).value : yy[size * (stride + 1)]!);
      size++;
      if (size > capacity) forgetOldest();
      return true;
    },

    direction(D, G, X) {
      if (precondition) return twoLoops(D, G, X);
      if (latest !== G) E.dots(products, vectors, 2 * size, G);
      latest = G;
      const gamma = -minusGamma.value;
      for (let i = size - 1; i >= 0; i--) {
        let r = products[2 * i]!;
        for (let j = i + 1; j < size; j++) r -= sy[i * stride + j]! * w[j]!;
        w[i] = r / sy[i * stride + i]!;
      }
      for (let i = 0; i < size; i++) {
        let r = sy[i * stride + i]! * w[i]! - gamma * products[2 * i + 1]!;
        for (let j = 0; j < size; j++) r += gamma * yy[i * stride + j]! * w[j]!;
        for (let j = 0; j < i; j++) r -= sy[j * stride + i]! * u[j]!;
        u[i] = r / sy[i * stride + i]!;
      }
      for (let i = 0; i < size; i++) {
        coefficients[2 * i] = -u[i]!;
        coefficients[2 * i + 1] = gamma * w[i]!;
      }
      E.axpby(D, minusGamma, G, 0);
      if (size > 0) E.combination(D, coefficients, vectors, 2 * size, 1);
    },
  };
}
