/**
 * One judge of all answers. The singular values of A are those eigenvalues of H = [0 A; Aᵀ 0] that are not negative, and (u; v)/√2 the
 * eigenvectors, so that every answer is a matrix of eigenvectors.
 */
import type { Matrix, Sparse } from "@expen/linalg";
import { isSparse } from "@expen/linalg/arrays";
import type { EigsCase } from "./cases.js";

export interface Judged {
  /** largest ‖Ax − θBx‖/((‖A‖ + |θ|‖B‖)‖x‖) */
  readonly residual: number;
  /** the flaw in a word, undefined where the answer is right */
  readonly flaw?: string;
}

/** Residual up to which an answer is right; 1e-9 is asked of all. */
const ALLOWED = 1e-8;
/** Cosine of two vectors up to which they count as orthogonal */
const PARALLEL = 1e-3;
/** Difference of values, over ‖A‖, that is roundoff */
const ROUNDOFF = 1e-12;

type Product = (x: Float64Array) => Float64Array;

function productOf(M: Matrix | Sparse, isTransposed = false): Product {
  return (x) => {
    const y = new Float64Array(isTransposed ? M.cols : M.rows);
    const add = isTransposed
      ? (i: number, j: number, value: number) => void (y[j]! += value * x[i]!)
      : (i: number, j: number, value: number) => void (y[i]! += value * x[j]!);
    if (isSparse(M)) {
      for (let i = 0; i < M.rows; i++) {
        for (let k = M.pointers[i]!; k < M.pointers[i + 1]!; k++) add(i, M.indices[k]!, M.values[k]!);
      }
    } else M.data.forEach((value, k) => void add(Math.floor(k / M.cols), k % M.cols, value));
    return y;
  };
}

/** H·x */
function augmented(A: Matrix | Sparse): Product {
  const [forward, backward] = [productOf(A), productOf(A, true)];
  return (x) => {
    const y = new Float64Array(A.rows + A.cols);
    y.set(forward(x.subarray(A.rows)));
    y.set(backward(x.subarray(0, A.rows)), A.rows);
    return y;
  };
}

const dot = (a: Float64Array, b: Float64Array): number => a.reduce((sum, v, i) => sum + v * b[i]!, 0);
const length = (a: Float64Array): number => Math.sqrt(dot(a, a));

/** √(‖M‖₁‖M‖_∞) ≥ ‖M‖₂ */
export function normOf(M: Matrix | Sparse): number {
  const absolute: Matrix | Sparse = isSparse(M)
    ? { ...M, values: M.values.map(Math.abs) }
    : { ...M, data: M.data.map(Math.abs) };
  const largest = (isTransposed: boolean, size: number): number =>
    productOf(absolute, isTransposed)(new Float64Array(size).fill(1)).reduce((most, v) => Math.max(most, v), 0);
  return Math.sqrt(largest(false, M.cols) * largest(true, M.rows));
}

/** `wanted`: the values in the order of the answer */
export function judgeOf(one: EigsCase, wanted: ArrayLike<number>): (X: Matrix) => Judged {
  const { A, B, p, metric } = one;
  const isSingular = one.kind === "singular values";
  const timesA = isSingular ? augmented(A) : productOf(A);
  const timesB = B ? productOf(B) : (x: Float64Array) => x;
  const [normA, normB] = [normOf(A), B ? normOf(B) : 1];
  return ({ rows, cols, data }) => {
    if (cols !== p) return { residual: Number.NaN, flaw: `${cols} of ${p} vectors` };
    const columns = Array.from({ length: p }, (_, j) => {
      const x = Float64Array.from({ length: rows }, (_, i) => data[i * p + j]!);
      const size = length(x);
      return x.map((v) => v / size);
    });
    const images = columns.map(timesB);
    const pairs = columns.map((x, j) => {
      const Ax = timesA(x);
      const theta = dot(x, Ax) / dot(x, images[j]!);
      const r = length(Ax.map((v, i) => v - theta * images[j]![i]!));
      return { theta, r, relative: r / (normA + Math.abs(theta) * normB) };
    });
    const residual = Math.max(...pairs.map(({ relative }) => relative));
    if (!(residual <= ALLOWED)) return { residual, flaw: "residual" };
    const isSkew = columns.some((x, j) =>
      columns.some((_, k) => k < j && Math.abs(dot(x, images[k]!)) > PARALLEL * Math.sqrt(dot(x, images[j]!) * dot(columns[k]!, images[k]!))),
    ); // biome-ignore format: one condition
    if (isSkew) return { residual, flaw: "not orthogonal" };
    const found = pairs.toSorted((a, b) => a.theta - b.theta);
    const ascending = Array.from(wanted).sort((a, b) => a - b);
    // an eigenvalue is within ‖r‖/√λmin(B) of θ for a vector of B-norm 1
    const isMissed = found.some(
      ({ theta, r }, j) => Math.abs(theta - ascending[j]!) > (2 * r) / metric + ROUNDOFF * (normA / metric),
    );
    return isMissed ? { residual, flaw: "a value missed" } : { residual };
  };
}
