/** The lowest eigenpairs of a symmetric matrix by LAPACK: its tridiagonal form T, eigenvectors of that, and the way back. */
import type { Native } from "../koffi.js";

type Routines = Record<"dsytrd" | "dsterf" | "dstein" | "dstemr" | "dormtr", Native>;
/** The numbers of a symmetric n×n matrix, room for n values and for k vectors, one after the other; returns LAPACK's `info` */
export type Lowest = (a: Float64Array, n: number, values: Float64Array, z: Float64Array, k: number) => number;

/** Columns of a panel of dsytrd: products with the matrix bound its time, and a narrower one than LAPACK's own reads less beside them. */
const PANEL = 16;
/** Numbers between this and its inverse have ordinary squares. */
const SQUARE_ROOT_OF_LEAST = 1e-150;
/** dstein makes vectors orthogonal to each other whose eigenvalues are closer than this part of ‖T‖. */
const CLOSE = 1e-3;
/**
 * MRRR finds each eigenvalue by bisection: it takes 23n operations that wait for each other for a vector, however many there are.
 * QL takes n² for all eigenvalues, inverse iteration 6.5n for a vector and n/22 for each pair of close ones.
 */
const [SAVED, PAIRS] = [16.5, 22];

export function lowestByLapack({ dsytrd, dsterf, dstein, dstemr, dormtr }: Routines): Lowest {
  const letter = (c: string): Uint8Array => Uint8Array.of(c.charCodeAt(0));
  const [V, L, byIndex, asItIs] = ["V", "L", "I", "N"].map(letter);
  const [lwork, info] = [new Int32Array(1), new Int32Array(1)];

  return (a, size, values, z, k) => {
    const [n, m] = [Int32Array.of(size), Int32Array.of(k)];
    const [d, e, tau] = Array.from({ length: 3 }, () => new Float64Array(size));
    let work = new Float64Array(1);
    const turnBack = () => dormtr(L, L, asItIs, n, m, a, n, tau, z, n, work, lwork, info, 1, 1, 1);
    lwork[0] = -1;
    turnBack();
    work = new Float64Array(Math.max(work[0]!, (PANEL + 2) * size));
    const integers = new Int32Array(10 * size);
    lwork[0] = PANEL * size;
    dsytrd(L, n, a, n, d!, e!, tau!, work, lwork, info, 1);
    lwork[0] = work.length;
    const norm = normOf(d!, e!);
    if (norm !== 0 && !(norm > SQUARE_ROOT_OF_LEAST && norm < 1 / SQUARE_ROOT_OF_LEAST)) return 1;
    if (!byInverseIteration()) {
      const failed = byMrrr();
      if (failed !== 0) return failed;
    }
    turnBack();
    return info[0]!;

    /** False where it fails, or would take longer than MRRR. Of a T that falls into parts dstein has to be told them. */
    function byInverseIteration(): boolean {
      if (size >= SAVED * k || !e!.subarray(0, size - 1).every((v) => Math.abs(v) > 2 ** -52 * norm)) return false;
      values.set(d!);
      dsterf(n, values, e!.slice(), info);
      if (info[0] !== 0 || size + closePairs(values, k, CLOSE * norm) / PAIRS >= SAVED * k) return false;
      const [one, whole, failed] = [new Int32Array(k).fill(1), Int32Array.of(size), new Int32Array(k)];
      dstein(n, d!, e!, m, values, one, whole, z, n, work, integers, failed, info);
      return info[0] === 0;
    }

    function byMrrr(): number {
      const [first, found, accurate, support] = [
        Int32Array.of(1),
        Int32Array.of(0),
        Int32Array.of(1),
        new Int32Array(2 * k),
      ];
      const unused = new Float64Array(1);
      const range = [unused, unused, first, m, found];
      const eigenpairs = [values, z, n, m, support, accurate];
      const liwork = Int32Array.of(integers.length);
      dstemr(V, byIndex, n, d!, e!, ...range, ...eigenpairs, work, lwork, integers, liwork, info, 1, 1);
      return found[0] === k ? info[0]! : info[0]! || 1;
    }
  };
}

/** ‖T‖₁; NaN where one is: one that is not finite anywhere in a matrix is in its tridiagonal form */
function normOf(d: Float64Array, e: Float64Array): number {
  let most = 0;
  for (let i = 0; i < d.length; i++) {
    const [above, below] = [i > 0 ? e[i - 1]! : 0, i + 1 < d.length ? e[i]! : 0];
    most = Math.max(most, Math.abs(above) + Math.abs(d[i]!) + Math.abs(below));
  }
  return most;
}

/** Σ g² over the groups of g among the k lowest values in which each is closer than this to the next */
function closePairs(values: Float64Array, k: number, close: number): number {
  let [sum, group] = [0, 0];
  for (let j = 0; j < k; j++) {
    group = j > 0 && values[j]! - values[j - 1]! <= close ? group + 1 : 1;
    sum += 2 * group - 1;
  }
  return sum;
}
