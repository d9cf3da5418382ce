import type { Engine, Small } from "@expen/linalg";
import { random } from "@expen/linalg";
import { eigh } from "@expen/linalg/dense";
import { entrywiseProduct } from "@expen/linalg/engine";
import type { QuadraticForm } from "../../../contracts/objective.js";
import type { FirstMatrix } from "./first-matrix.js";

/** Least curvature that is used, against the largest one: the metric is not exact enough for smaller ones. */
const FLOOR = 0.03;

/**
 * The inverse of the Hessian of f(X) = ½⟨X, BXC⟩ with as much of B as is known. At X with multiplier S = sym(XᵀBXC) it is
 * D ↦ P(BDC − D·S), and tangent vectors are D = XΩ + Z, Ω skew, XᵀZ = 0. Across the span of X a number σ = tr(B)/n stands for B;
 * inside it A = XᵀBX is known. In the basis of eigenvectors of C, C = V·Diag(c)·Vᵀ, at a solution A and S are diagonal too,
 * s_j = a_j·c_j, and then
 *
 *     Z_j ↦ (σc_j − s_j)·Z_j,     Ω_ij ↦ ½(a_i − a_j)(c_j − c_i)·Ω_ij.
 *
 * The metric divides by these numbers, their absolute values away from a solution. Without the second part, Ω divided as Z is, columns
 * with a small c_j get steps in Ω that are too long by far: runs then take more iterations than with no metric at all.
 * Adding c·I to B, which does not change the problem, does not change the metric. S is read when it learns.
 */
export function formMetric(
  E: Engine,
  n: number,
  { apply, C }: QuadraticForm & { C: Small },
  S: Small,
): FirstMatrix & { learn(): void } {
  const p = C.rows;
  const { values: c, vectors: V } = eigh(E, C);
  const sigma = meanEigenvalue(E, n, p, apply);
  const [across, inside] = [E.small(p, p), E.small(p, p)];
  const [N, T, U] = [E.small(p, p), E.small(p, p), E.small(p, p)];
  const [a, s] = [new Float64Array(p), new Float64Array(p)];
  const [v, sv, w] = [E.read(V), new Float64Array(p * p), new Float64Array(p * p)];
  let isFitted = false;

  return {
    get scaled() {
      return isFitted;
    },

    learn() {
      E.mul(T, S, V);
      E.read(T, sv);
      let largest = 0;
      for (let j = 0; j < p; j++) {
        let sj = 0;
        for (let i = 0; i < p; i++) sj += v[i * p + j]! * sv[i * p + j]!;
        s[j] = sj;
        // where c_j is zero a_j does not matter
        a[j] = c[j] === 0 ? sigma : sj / c[j]!;
        largest = Math.max(largest, Math.abs(sigma * c[j]! - sj));
      }
      if (!(largest > 0 && largest < Number.POSITIVE_INFINITY)) return;
      const least = FLOOR * largest;
      for (let i = 0; i < p; i++) {
        for (let j = 0; j < p; j++) {
          w[i * p + j] = 1 / Math.max(0.5 * Math.abs((a[i]! - a[j]!) * (c[i]! - c[j]!)), least);
          sv[i * p + j] = v[i * p + j]! / Math.max(Math.abs(sigma * c[j]! - s[j]!), least);
        }
      }
      E.write(inside, w);
      E.write(T, sv);
      E.mulT(across, T, V);
      isFitted = true;
    },

    /** Z = (G − X·N)·across + X·(skew(N) divided in the basis V), N = XᵀG */
    apply(Z, X, G) {
      if (!isFitted) return E.copy(Z, G);
      E.tmul(N, X, G);
      E.mul(Z, G, across);
      E.mul(T, N, across);
      E.mul(Z, X, T, -1, 1);
      E.copy(T, N);
      E.symmetrize(T);
      E.combine(N, -1, T, 1, N);
      E.mul(T, N, V);
      E.tmul(U, V, T);
      E.map([N], entrywiseProduct, [inside, U]);
      E.mul(T, V, N);
      E.mulT(N, T, V);
      E.mul(Z, X, N, 1, 1);
    },

    forget() {
      const before = isFitted;
      isFitted = false;
      return before;
    },
  };
}

/** tr(B)/n, by ⟨R, BR⟩/⟨R, R⟩ with random signs R (Hutchinson); exact for multiples of I */
function meanEigenvalue(E: Engine, n: number, p: number, apply: QuadraticForm["apply"]): number {
  const [R, BR] = [E.tall(n, p), E.tall(n, p)];
  const r = random(1, "trace");
  E.write(R, () => (r.uniform() < 0.5 ? -1 : 1));
  apply(BR, R);
  return E.dot(R, BR) / (n * p);
}
