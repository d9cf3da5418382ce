/** Proofs for f = ½⟨X, BX⟩ + ⟨L, X⟩ + constant, by a factorization of a shifted B. */

import type { Allowance, Measured, Proof, Prover, QuadraticForm } from "@expen/core";
import { quadraticObjective } from "@expen/core";
import { gamma } from "@expen/core/certify";
import type { Engine, Small } from "@expen/linalg";
import { digits } from "@expen/linalg";
import { norm as frobenius, trace } from "@expen/linalg/dense";
import { type Counter, countingLinearProof, countingProof, inertiaCounter, sturmCounter } from "./counting.js";
import { gramCounter } from "./gram-counter.js";
import { highest, linearBound } from "./linear-bound.js";
import { type Dense, type KnownMatrix, operatorMatrix } from "./operator-matrix.js";

export const quadraticProof: Prover = (E, { quadratic: form }, point, allowance) => {
  if (!form || form.C) return undefined;
  const { rows: n, cols: p } = point.X;
  if (!form.L && n === p) return constantProof(E, form, point, allowance);
  const matrix = operatorMatrix(E, form, point.X, allowance);
  if (matrix.kind === "none") return { missing: matrix.why };
  const counter = matrix.kind === "dense" ? undefined : counterOf(E, matrix);
  const norm = matrix.kind === "dense" ? matrix.norm : counter?.norm;
  if (norm === undefined) return undefined;
  if (norm > 0 && norm < LEAST)
    return { missing: "f is so small that its rounding is not relative: no proof is tried" };
  const pointOfForm = pointInTermsOf(E, form, { norm, apply: matrix.apply }, point);
  if (!pointOfForm) return { missing: NOT_ITS_FORM };
  const proof =
    matrix.kind === "dense"
      ? (form.L ? linearProof : kyFanProof)(E, form, matrix, pointOfForm)
      : (form.L ? countingLinearProof : countingProof)(form, counter!, pointOfForm);
  if (!proof || !("gapBound" in proof)) return proof;
  // f has the matrix of `apply`: its values at X and at the minimum differ from those of B by at most ½p·difference each
  return { ...proof, gapBound: proof.gapBound + p * matrix.difference };
};

/** n = p: f = ½tr B + constant if XXᵀ = I. The error at X is ½⟨B, XXᵀ − I⟩, and ‖B‖ = ‖BX‖. */
function constantProof(E: Engine, form: QuadraticForm, point: Measured, { evaluations }: Allowance): Proof {
  if (evaluations < 1) return { missing: "a proof needs certificateBudget 1" };
  const { gradient, feasibility } = point.measures;
  if (!pointInTermsOf(E, form, { norm: gradient, apply: form.apply }, point)) return { missing: NOT_ITS_FORM };
  const { rows: n, cols: p } = point.X;
  const gapBound = 8 * gamma(n * p) * (Math.sqrt(p) * gradient + Math.abs(form.constant ?? 0)) + gradient * feasibility;
  return { gapBound, because: "f is constant on square orthogonal matrices" };
}

function counterOf(E: Engine, matrix: Exclude<KnownMatrix, Dense>): Counter | undefined {
  if (matrix.kind === "tridiagonal") return sturmCounter(matrix.T);
  return matrix.kind === "sparse" ? inertiaCounter(E, matrix) : gramCounter(E, matrix);
}

const NOT_ITS_FORM = "f is not the quadratic form that it declares: no proof is tried";
/** Least ‖B‖ for which underflow is below roundoff: 2⁻¹⁰²²/u, with a margin for sums */
const LEAST = 2 ** -900;

/**
 * The same point with a residual for the matrix B, ‖R‖ + 2‖BX + L − ∇f‖, and with the maximum of f and the value of the form;
 * undefined if the form is not f.
 */
function pointInTermsOf(
  E: Engine,
  form: QuadraticForm,
  { norm, apply }: Pick<Dense, "norm" | "apply">,
  point: Measured,
): Measured | undefined {
  const { X, R, S, measures } = point;
  const { L, constant = 0 } = form;
  const D = E.tall(X.rows, X.cols);
  const value = quadraticObjective(E, X.rows, X.cols, { ...form, apply }).fg(D, X);
  // BX and L may cancel: the roundoff is relative to each of them
  const size = frobenius(E, D) + measures.gradient + (L ? frobenius(E, L) : 0);
  E.combine(D, -1, R, 1, D);
  E.mul(D, X, S, -1, 1);
  const difference = frobenius(E, D);
  const columns = Math.sqrt(X.cols);
  // BX may be roundoff alone
  const rounding = gamma(4 * X.rows) * norm * columns;
  const allowed = columns * (1e-8 * (size + Math.abs(constant)) + rounding);
  if (!(difference <= 1e-8 * size + rounding && Math.abs(value - measures.fval) <= allowed)) return undefined;
  const fval = Math.max(measures.fval, value);
  return { ...point, measures: { ...measures, fval, stationarity: measures.stationarity + 2 * difference } };
}

/**
 * L = 0. With θ ≥ λmax(S), W = θI − S ⪰ 0 and B' = B + XWXᵀ ⪰ σI, every feasible Z has
 *
 *     tr ZᵀBZ = tr ZᵀB'Z − tr W(XᵀZ)(XᵀZ)ᵀ ≥ pσ − (1 + η)·tr W,   η = ‖XᵀX − I‖,
 *
 * so f* ≥ ½(pσ − (1 + η)tr W) + constant. At eigenvectors B' has θ on the span of X and B off it: σ = θ − 2‖R‖ is attained if no
 * eigenvalue of B off X is below θ. The bound holds for any S.
 */
function kyFanProof(E: Engine, { constant = 0 }: QuadraticForm, { B, norm, ...of }: Dense, point: Measured): Proof {
  const { X, S, measures } = point;
  const { fval, feasibility: eta, stationarity } = measures;
  const { rows: n, cols: p } = X;
  const theta = highest(point);
  const [W, x, xW] = [E.small(p, p), E.small(n, p, E.read(X)), E.small(n, p)];
  E.combine(W, -1, S, 0, S);
  E.addDiagonal(W, theta);
  const slackOfW = trace({ rows: p, cols: p, data: E.read(W) });
  E.mul(xW, x, W);
  E.mulT(B, xW, x, 1, 1);
  const formed = gamma(2 * p + 8) * (norm + 2 * p * frobenius(E, W) + 2 * Math.abs(theta)) + gamma(n) * norm;
  const positive = shiftedPositive(E, B, of.trace + slackOfW, theta, 2 * stationarity, formed);
  if (positive === undefined) return undefined;
  const lower = 0.5 * (p * positive - (1 + eta) * slackOfW) + constant;
  const gapBound = Math.max(0, fval - lower) + 8 * gamma(n + p) * (p * norm + Math.abs(constant));
  const inequality = `B + X(θI − S)Xᵀ ⪰ θI up to ${digits(theta - positive)}, θ = λmax(S) = ${digits(theta)}`;
  return { gapBound, because: `${inequality} (Cholesky)` };
}

/** With L: B ⪰ (λmax(S) − δ)I, see `linearBound`. */
function linearProof(E: Engine, form: QuadraticForm, { B, norm, ...of }: Dense, point: Measured): Proof {
  const theta = highest(point);
  const formed = gamma(B.rows + 8) * norm + gamma(8) * Math.abs(theta);
  const allowed = point.measures.stationarity / Math.sqrt(point.X.cols);
  const positive = shiftedPositive(E, B, of.trace, theta, allowed, formed);
  if (positive === undefined) return undefined;
  return linearBound(point, theta - positive, norm, form.constant ?? 0, "Cholesky");
}

/**
 * A σ with M + formed·E ⪰ σI for every ‖E‖₂ ≤ 1, or undefined: the computed M differs from the exact one by at most `formed`. M is
 * overwritten; `sum` is an estimate of its trace. If Cholesky's factorization of A = M − (θ − δ)I does not break down, RᵀR = A + ΔA with
 * |ΔA| ≤ γ_{n+1}|Rᵀ||R| (Higham, Theorem 10.3), and ‖|Rᵀ||R|‖₂ ≤ ‖R‖_F².
 */
function shiftedPositive(
  E: Engine,
  M: Small,
  sum: number,
  theta: number,
  allowed: number,
  formed: number,
): number | undefined {
  const n = M.rows;
  const g = gamma(n + 4);
  /** bound of ‖ΔA‖ from ‖R‖_F², doubled for the roundoff of that norm */
  const factored = (square: number): number => 2 * g * square;
  const expected = Math.max(0, sum - n * (theta - allowed));
  const delta = allowed + 4 * (formed + factored(expected));
  const sigma = theta - delta;
  E.addDiagonal(M, -sigma);
  if (!E.factor.cholesky(M, M)) return undefined;
  return sigma - formed - factored(E.dot(M, M));
}
