/** The lowest eigenpairs of a symmetric matrix by LAPACK: A = QTQᵀ with T tridiagonal, eigenvectors Z of T, then QZ. */
import type { Native } from "../koffi.js";

type Routines = Record<"dsytrd" | "dsterf" | "dstein" | "dstemr" | "dormtr", Native>;
/** Of the symmetric n×n matrix a, which is overwritten: values ← all or the k lowest eigenvalues, z ← k eigenvectors; returns `info`. */
export type Lowest = (a: Float64Array, n: number, values: Float64Array, z: Float64Array, k: number) => number;

/** Columns of a panel of dsytrd, whose time is that of products with the matrix; a wider panel, as LAPACK chooses, reads more besides. */
const PANEL = 16;
/** Numbers between this and its inverse have squares without underflow and overflow. */
const SAFE_MINIMUM = 1e-150;
/** Fraction of ‖T‖: dstein orthogonalizes eigenvectors whose eigenvalues are closer. */
const CLOSE = 1e-3;
/**
 * Costs in dependent operations: MRRR takes 23n for an eigenpair, by bisection; QL takes n² for all eigenvalues and inverse iteration 6.5n
 * for a vector and n/22 for each pair of close ones. Hence inverse iteration is faster if n + pairs/22 < 16.5k.
 */
const [SAVINGS, PAIRS] = [16.5, 22];

export function lowestByLapack({ dsytrd, dsterf, dstein, dstemr, dormtr }: Routines): Lowest {
  const letter = (c: string): Uint8Array => Uint8Array.of(c.charCodeAt(0));
  const [V, L, byIndex, noTranspose] = ["V", "L", "I", "N"].map(letter);
  const [lwork, info] = [new Int32Array(1), new Int32Array(1)];

  return (a, size, values, z, k) => {
    const [n, m] = [Int32Array.of(size), Int32Array.of(k)];
    const [d, e, tau] = Array.from({ length: 3 }, () => new Float64Array(size));
    let work = new Float64Array(1);
    const multiplyByQ = () => dormtr(L, L, noTranspose, n, m, a, n, tau, z, n, work, lwork, info, 1, 1, 1);
    lwork[0] = -1;
    multiplyByQ();
    work = new Float64Array(Math.max(work[0]!, (PANEL + 2) * size));
    const integers = new Int32Array(10 * size);
    lwork[0] = PANEL * size;
    dsytrd(L, n, a, n, d!, e!, tau!, work, lwork, info, 1);
    lwork[0] = work.length;
    const norm = normOf(d!, e!);
    if (norm !== 0 && !(norm > SAFE_MINIMUM && norm < 1 / SAFE_MINIMUM)) return 1;
    if (!byInverseIteration()) {
      const failed = byMrrr();
      if (failed !== 0) return failed;
    }
    multiplyByQ();
    return info[0]!;

    /** False if it fails, would take longer than MRRR, or if T is reducible, as dstein needs the blocks of T. */
    function byInverseIteration(): boolean {
      if (size >= SAVINGS * k || !e!.subarray(0, size - 1).every((v) => Math.abs(v) > 2 ** -52 * norm)) return false;
      values.set(d!);
      dsterf(n, values, e!.slice(), info);
      if (info[0] !== 0 || size + closePairs(values, k, CLOSE * norm) / PAIRS >= SAVINGS * k) return false;
      const [one, whole, failed] = [new Int32Array(k).fill(1), Int32Array.of(size), new Int32Array(k)];
      dstein(n, d!, e!, m, values, one, whole, z, n, work, integers, failed, info);
      return info[0] === 0;
    }

    function byMrrr(): number {
      const [first, count, accurate, support] = [
        Int32Array.of(1),
        Int32Array.of(0),
        Int32Array.of(1),
        new Int32Array(2 * k),
      ];
      const unused = new Float64Array(1);
      const range = [unused, unused, first, m, count];
      const eigenpairs = [values, z, n, m, support, accurate];
      const liwork = Int32Array.of(integers.length);
      dstemr(V, byIndex, n, d!, e!, ...range, ...eigenpairs, work, lwork, integers, liwork, info, 1, 1);
      return count[0] === k ? info[0]! : info[0]! || 1;
    }
  };
}

/** ‖T‖₁; not finite if A is not finite, as T is not finite then */
function normOf(d: Float64Array, e: Float64Array): number {
  let most = 0;
  for (let i = 0; i < d.length; i++) {
    const [above, below] = [i > 0 ? e[i - 1]! : 0, i + 1 < d.length ? e[i]! : 0];
    most = Math.max(most, Math.abs(above) + Math.abs(d[i]!) + Math.abs(below));
  }
  return most;
}

/** Σ g² over the clusters among the k lowest values: g values with distances of at most `close` between neighbours */
function closePairs(values: Float64Array, k: number, close: number): number {
  let [sum, group] = [0, 0];
  for (let j = 0; j < k; j++) {
    group = j > 0 && values[j]! - values[j - 1]! <= close ? group + 1 : 1;
    sum += 2 * group - 1;
  }
  return sum;
}
