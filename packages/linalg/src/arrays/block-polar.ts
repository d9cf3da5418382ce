import { EPS } from "../rounding.js";
import { determinantSign } from "./lu.js";
import { unitScale } from "./scale.js";
import { jacobiSvd } from "./svd.js";

/** y ← the polar factor of the n×p block of z that begins at number `at`, there too; returns the rank of the block */
export type BlockPolar = (y: Float64Array, z: Float64Array, at: number) => number;

/** ‖ZᵀZ − I‖ from which singular values are computed */
const FAR = 0.5;
/** ‖K‖ that one more step squares to roundoff */
const LAST = 1e-8;

/**
 * UVᵀ of Z = U·Diag(s)·Vᵀ for small blocks, in plain code: near an orthonormal Z the map X ↦ X(I − ½K), K = XᵀX − I, iterated (it squares
 * ‖K‖ and keeps U and V), else by one-sided Jacobi. Where singular values are zero the columns of U and V are completed. `rotations`: for
 * n = p the nearest matrix with det > 0, whose last singular value counts with the other sign where det Z < 0.
 */
export function blockPolar(n: number, p: number, rotations = false): BlockPolar {
  const size = n * p;
  const [x, w, u] = [new Float64Array(size), new Float64Array(size), new Float64Array(size)];
  const [k, v, s] = [new Float64Array(p * p), new Float64Array(p * p), new Float64Array(p)];
  let svd: ReturnType<typeof jacobiSvd> | undefined;

  /** k ← xᵀx − I, returns its norm */
  function violation(): number {
    let sum = 0;
    for (let i = 0; i < p; i++) {
      for (let j = i; j < p; j++) {
        let kij = i === j ? -1 : 0;
        for (let l = 0; l < size; l += p) kij += x[l + i]! * x[l + j]!;
        k[i * p + j] = kij;
        k[j * p + i] = kij;
        sum += (i === j ? 1 : 2) * kij * kij;
      }
    }
    return Math.sqrt(sum);
  }

  function isReflection(): boolean {
    w.set(x);
    return determinantSign(w, p) < 0;
  }

  /** x ← x(I − ½k) */
  function step(): void {
    for (let l = 0; l < size; l += p) {
      for (let j = 0; j < p; j++) {
        let sum = 0;
        for (let i = 0; i < p; i++) sum += x[l + i]! * k[i * p + j]!;
        w[l + j] = x[l + j]! - 0.5 * sum;
      }
    }
    x.set(w);
  }

  /** x ← its limit under the steps; ‖k‖ < FAR is that of x */
  function iterate(norm: number): void {
    for (let left = norm; ; left = violation()) {
      step();
      if (!(left > LAST)) return;
    }
  }

  function decomposed(): number {
    let largest = 0;
    for (let l = 0; l < size; l++) largest = Math.max(largest, Math.abs(x[l]!));
    const scale = unitScale(largest);
    for (let l = 0; l < size; l++) w[l] = scale * x[l]!;
    svd ??= jacobiSvd(n, p);
    svd(u, s, v, w);
    multiply();
    if (rotations && isReflection()) {
      for (let l = p - 1; l < size; l += p) u[l] = -u[l]!;
      multiply();
    }
    let rank = 0;
    while (rank < p && s[rank]! > EPS * n * s[0]!) rank++;
    violation();
    step();
    return rank;
  }

  /** x ← u·vᵀ */
  function multiply(): void {
    for (let l = 0; l < size; l += p) {
      for (let j = 0; j < p; j++) {
        let sum = 0;
        for (let i = 0; i < p; i++) sum += u[l + i]! * v[j * p + i]!;
        x[l + j] = sum;
      }
    }
  }

  return (y, z, at) => {
    for (let l = 0; l < size; l++) x[l] = z[at + l]!;
    let rank = p;
    const norm = violation();
    if (norm < FAR && !(rotations && isReflection())) iterate(norm);
    else if (x.every(Number.isFinite)) rank = decomposed();
    for (let l = 0; l < size; l++) y[at + l] = x[l]!;
    return rank;
  };
}
