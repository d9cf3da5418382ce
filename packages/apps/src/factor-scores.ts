/** Factor scores: the values of the factors for samples, by regression (Thurstone 1935) or weighted least squares (Bartlett 1937). */
import { type Engine, type Matrix, ProblemError, type Table } from "@expen/linalg";
import { EPS, solveInPlace } from "@expen/linalg/arrays";
import { smallOf, tallOf } from "@expen/linalg/engine";
import { plainOf } from "./application.js";
import { columnMeans, prepared } from "./columns.js";

export const scoreMethods = ["regression", "bartlett"] as const;
export type ScoreMethod = (typeof scoreMethods)[number];

interface FactorScores {
  /** v×k: scores = ((data − centre)/scale)·coefficients */
  readonly coefficients: Matrix;
  readonly scores: Matrix;
  readonly centre: Float64Array;
  readonly scale: Float64Array;
}

/**
 * With standardised data Z, R = ZᵀZ/(m − 1) and the uniquenesses Ψ = Diag(1 − Σ_j Λ_ij²), the coefficients are R⁻¹Λ (regression) or
 * Ψ⁻¹Λ(ΛᵀΨ⁻¹Λ)⁻¹ (Bartlett).
 */
export function factorScores(E: Engine, A: Table, loadings: Matrix, method: ScoreMethod): FactorScores {
  const { data: Z, centre, scale } = prepared(A, columnMeans(A), true);
  const coefficients = method === "regression" ? byRegression(E, Z, loadings) : byBartlett(E, loadings);
  const F = E.tall(A.rows, loadings.cols);
  E.mul(F, tallOf(E, Z), smallOf(E, coefficients));
  return { coefficients, scores: plainOf(E, F), centre, scale };
}

function byRegression(E: Engine, Z: Matrix, L: Matrix): Matrix {
  const v = L.rows;
  const R = E.small(v, v);
  E.gram(R, tallOf(E, Z));
  E.combine(R, 1 / (Z.rows - 1), R, 0, R);
  const sentence = 'the correlations of the data are singular; leave variables out, or take { method: "bartlett" }.';
  return { ...L, data: solved(E.read(R), L, sentence) };
}

function byBartlett(E: Engine, L: Matrix): Matrix {
  const { rows: v, cols: k, data } = L;
  const unique = new Float64Array(v).fill(1);
  for (let i = 0; i < v; i++) for (let j = 0; j < k; j++) unique[i]! -= data[i * k + j]! ** 2;
  const bad = unique.findIndex((u) => !(u > v * EPS));
  if (bad >= 0) {
    throw new ProblemError(
      `factor-rotation: the loadings of variable ${bad + 1} explain all of it, or more; take { method: "regression" }.`,
    );
  }
  const weighted = { ...L, data: data.map((x, e) => x / unique[Math.floor(e / k)]!) };
  const [M, W] = [E.small(k, k), E.small(v, k)];
  E.tmul(M, smallOf(E, L), smallOf(E, weighted));
  // Ψ⁻¹Λ·M⁻¹ = (M⁻¹·ΛᵀΨ⁻¹)ᵀ, M symmetric
  const I = { rows: k, cols: k, data: Float64Array.from({ length: k * k }, (_, e) => (e % (k + 1) === 0 ? 1 : 0)) };
  const inverse = solved(E.read(M), I, "the loadings are linearly dependent; leave factors out.");
  E.mul(W, smallOf(E, weighted), smallOf(E, { ...I, data: inverse }));
  return plainOf(E, W);
}

/** A⁻¹B */
function solved(A: Float64Array, { rows: n, cols: q, data }: Matrix, sentence: string): Float64Array {
  const x = data.slice();
  try {
    solveInPlace(A, x, n, q, new Float64Array(n));
  } catch (error) {
    throw new ProblemError(`factor-rotation: ${sentence}`, { cause: error });
  }
  return x;
}
