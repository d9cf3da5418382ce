/** T = VᵀBV of a growing basis, and what its eigenvectors say of those of B. */
import type { Engine, Small } from "../../types.js";

/** Ritz pairs of one space: values ascending, residuals of their vectors, coefficients of these (size×size, by rows) */
export interface Ritz {
  readonly theta: Float64Array;
  readonly residual: Float64Array;
  readonly s: Float64Array;
  /** R, b×b, with which the next block couples to the last one */
  readonly r: Float64Array;
  /** the values of the operator whose Krylov space it is, where that is not B */
  readonly own?: Float64Array;
}

/**
 * Of −(B − σI)⁻¹ to B. −(B − σI)⁻¹v = τv + w, w ⊥ V, gives λ − σ = −1/τ, and x = v + w/τ, which is one step of inverse
 * iteration on v, has the residual (B − λI)x = (λ − σ)²w (Ericsson and Ruhe 1980).
 */
export function ofInverse({ theta: own, residual, s, r }: Ritz, sigma: number): Ritz {
  return {
    theta: own.map((tau) => sigma - 1 / tau),
    residual: residual.map((rho, j) => rho / own[j]! ** 2),
    s,
    r,
    own,
  };
}

/** The extreme values, and how far the lowest may be from an eigenvalue */
export const endsOf = ({ theta, residual }: Ritz): { value: number; highest: number; residual: number } => ({
  value: theta[0]!,
  highest: theta.at(-1)!,
  residual: residual[0]!,
});

export interface Projection {
  /** the last b columns of T, and its rows with them, from h (size×b) */
  setLast(h: Float64Array, size: number): void;
  /** T ← Diag(θ) */
  setDiagonal(theta: readonly number[]): void;
  /** r: the b×b numbers of R, with which the next block couples to the last one */
  ritz(size: number, r: Float64Array): Ritz;
}

export function projection(E: Engine, most: number, b: number): Projection {
  const t = new Float64Array(most * most);
  const smalls = new Map<number, { T: Small; S: Small }>();

  return {
    setLast(h, size) {
      for (let i = 0; i < size; i++) {
        for (let k = 0; k < b; k++) {
          const j = size - b + k;
          t[i * most + j] = h[i * b + k]!;
          t[j * most + i] = h[i * b + k]!;
        }
      }
    },
    setDiagonal(theta) {
      t.fill(0);
      for (const [i, value] of theta.entries()) t[i * (most + 1)] = value;
    },
    ritz(size, r) {
      let made = smalls.get(size);
      if (!made) smalls.set(size, (made = { T: E.small(size, size), S: E.small(size, size) }));
      const numbers = new Float64Array(size * size);
      for (let i = 0; i < size; i++) numbers.set(t.subarray(i * most, i * most + size), i * size);
      E.write(made.T, numbers);
      const theta = new Float64Array(size);
      E.factor.eigh(made.S, theta, made.T);
      const s = E.read(made.S, numbers);
      return { theta, s, r: r.slice(), residual: theta.map((_, j) => coupling(s, size, j, r)) };
    },
  };

  /** ‖R·s_last‖ for column j of s */
  function coupling(s: Float64Array, size: number, j: number, r: Float64Array): number {
    let square = 0;
    for (let i = 0; i < b; i++) {
      let sum = 0;
      for (let k = i; k < b; k++) sum += r[i * b + k]! * s[(size - b + k) * size + j]!;
      square += sum * sum;
    }
    return Math.sqrt(square);
  }
}

/** The chosen columns of s (size×size), side by side */
export function columnsOf(s: Float64Array, size: number, chosen: readonly number[]): Float64Array {
  const count = chosen.length;
  const columns = new Float64Array(size * count);
  for (const [j, from] of chosen.entries()) {
    for (let i = 0; i < size; i++) columns[i * count + j] = s[i * size + from]!;
  }
  return columns;
}
