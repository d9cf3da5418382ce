/** Measured data of `npm run bench:setup`, and the preprocessing of each field. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readNpy } from "@expen/data";
import type { Matrix } from "@expen/linalg";
import { plainProduct, plainTranspose } from "@expen/linalg";
import { eigh } from "@expen/linalg/dense";
import { jsEngine } from "@expen/linalg/engine";
import { centred, entries, scaledBy, standardized } from "../any-f/draw.js";
import { ROOT } from "../peers.js";

const FOLDER = join(ROOT, ".expen/data");
const NAMES = ["digits", "digits-labelled", "breast-cancer", "wine", "bfi", "nci60"] as const;
export type DataName = (typeof NAMES)[number];

/** The names of missing sets. */
export const missingData = (): string[] => NAMES.filter((name) => !existsSync(join(FOLDER, `${name}.npy`)));
const read = (name: DataName): Matrix => readNpy(readFileSync(join(FOLDER, `${name}.npy`))).matrix;

/** Every step-th column from `from` up to `to`. */
export function columnsOf({ rows, cols, data }: Matrix, from: number, to: number, step = 1): Matrix {
  return entries(rows, Math.ceil((to - from) / step), (i, j) => data[i * cols + from + j * step]!);
}

const last = (A: Matrix): number[] => Array.from(columnsOf(A, A.cols - 1, A.cols).data);

export const digits = (): Matrix => read("digits");
export const tumours = (): Matrix => columnsOf(read("breast-cancer"), 0, 30);
export const wine = (): Matrix => columnsOf(read("wine"), 0, 13);
export const questions = (): Matrix => read("bfi");
/** 64 cancers × 6830 genes */
export const cancers = (): Matrix => read("nci60");
/** 6830 genes × 64 cancers */
export const genes = (): Matrix => plainTranspose(cancers());

/** Columns that vary. */
export function varying(A: Matrix): Matrix {
  const spread = Array.from(centred(A).data).reduce((sums, v, k) => {
    sums[k % A.cols]! += v * v;
    return sums;
  }, new Float64Array(A.cols));
  const kept = Array.from(spread.keys()).filter((j) => spread[j]! > 0);
  return entries(A.rows, kept.length, (i, j) => A.data[i * A.cols + kept[j]!]!);
}

/** The p leading eigenvectors of the covariance with their eigenvalues, through the rows where these are fewer. */
export function principal(A: Matrix, p: number): { V: Matrix; variances: number[] } {
  const wide = A.rows < A.cols;
  const S = scaledBy(1 / (A.rows - 1), wide ? plainProduct(A, plainTranspose(A)) : plainProduct(plainTranspose(A), A));
  const E = jsEngine();
  const { values, vectors } = eigh(E, E.small(S.rows, S.cols, S.data));
  const numbers = E.read(vectors);
  const U = entries(S.rows, p, (i, j) => numbers[i * S.cols + S.cols - 1 - j]!);
  const variances = Array.from({ length: p }, (_, j) => values[S.cols - 1 - j]!);
  if (!wide) return { V: U, variances };
  const V = plainProduct(plainTranspose(A), U);
  return { V: entries(V.rows, p, (i, j) => V.data[i * p + j]! / Math.sqrt(variances[j]! * (A.rows - 1))), variances };
}

/** Loadings of p principal components of standardised data: v×p */
export function loadings(A: Matrix, p: number): Matrix {
  const { V, variances } = principal(standardized(varying(A)), p);
  return entries(V.rows, p, (i, j) => V.data[i * p + j]! * Math.sqrt(variances[j]!));
}

/** m×p, uncorrelated, ZᵀZ = m·I */
export function whitened(A: Matrix, p: number): Matrix {
  const data = centred(A);
  const { V, variances } = principal(data, p);
  const Z = plainProduct(data, V);
  const factor = Math.sqrt((A.rows - 1) / A.rows);
  return entries(Z.rows, p, (i, j) => Z.data[i * p + j]! / (factor * Math.sqrt(variances[j]!)));
}

/** The covariance of each class in whitened coordinates, p×p each. */
export function classCovariances(name: "wine" | "digits-labelled", p: number): Matrix[] {
  const A = read(name);
  const labels = last(A);
  const Z = whitened(columnsOf(A, 0, A.cols - 1), p);
  return [...new Set(labels)]
    .sort((a, b) => a - b)
    .map((label) => {
      const members = labels.flatMap((other, i) => (other === label ? [i] : []));
      const own = centred(entries(members.length, p, (i, j) => Z.data[members[i]! * p + j]!));
      return scaledBy(1 / members.length, plainProduct(plainTranspose(own), own));
    });
}

/** JADE's cumulant matrices Q_ab = mean z_a z_b·zzᵀ − δ_ab·I − e_a e_bᵀ − e_b e_aᵀ of whitened data, a ≤ b, twice where a < b. */
export function cumulants(A: Matrix, p: number): Matrix[] {
  const Z = whitened(A, p);
  const pairs = Array.from({ length: p }, (_, a) =>
    Array.from({ length: p - a }, (_, k) => [a, a + k] as const),
  ).flat();
  return pairs.map(([a, b]) => {
    const weighted = entries(
      Z.rows,
      p,
      (i, j) => (Z.data[i * p + a]! * Z.data[i * p + b]! * Z.data[i * p + j]!) / Z.rows,
    );
    const Q = plainProduct(plainTranspose(weighted), Z);
    const one = (i: number, j: number): number => (i === j ? 1 : 0);
    const factor = a === b ? 1 : Math.SQRT2;
    return entries(p, p, (i, j) => {
      const gaussian = one(a, b) * one(i, j) + one(a, i) * one(b, j) + one(a, j) * one(b, i);
      return factor * ((Q.data[i * p + j]! + Q.data[j * p + i]!) / 2 - gaussian);
    });
  });
}

/** The columns in reverse order: a picture turned by half a turn. */
export const reversed = (A: Matrix): Matrix => entries(A.rows, A.cols, (i, j) => A.data[i * A.cols + A.cols - 1 - j]!);
