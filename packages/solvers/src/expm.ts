import type { Engine, Matrix, Small } from "@expen/linalg";
import { EngineError, requireShape } from "@expen/linalg";
import { maxAbs } from "@expen/linalg/arrays";

/** Coefficients of the [13/13] Padé approximant of exp, b_j = (26 − j)!/(j!·(13 − j)!). */
const B = [
  64764752532480000, 32382376266240000, 7771770303897600, 1187353796428800, 129060195264000, 10559470521600, 670442572800,
  33522128640, 1323241920, 40840800, 960960, 16380, 182, 1,
] as const; // biome-ignore format: the fourteen numbers as in the paper

/** θ₁₃ of Higham's Table 2.3: for ‖A‖₁ ≤ θ₁₃ the backward error of the approximant is below the unit roundoff of doubles. */
const THETA = 5.371920351148152;

/**
 * Y ← exp(A) for A p×p: scaling and squaring with the [13/13] Padé approximant [Higham, SIAM J. Matrix Anal. Appl. 26, 2005]. Two parts
 * of Higham's Algorithm 2.3 are left out: approximants of lower degree, which would only save products for small ‖A‖₁, and balancing.
 *
 *   exp(A) = ((V − U)⁻¹(V + U))^(2^s),   U = A·(A⁶(b₁₃A⁶ + b₁₁A⁴ + b₉A²) + b₇A⁶ + b₅A⁴ + b₃A² + b₁I),
 *                                        V =    A⁶(b₁₂A⁶ + b₁₀A⁴ + b₈A²) + b₆A⁶ + b₄A⁴ + b₂A² + b₀I,   A/2^s in place of A
 */
export function expm(E: Engine, p: number): (Y: Small, A: Small) => void {
  const make = (): Small => E.small(p, p);
  const [A1, A2, A4, A6, U, V, W] = [make(), make(), make(), make(), make(), make(), make()];
  const numbers = new Float64Array(p * p);

  /** S ← V for odd = 0, A⁻¹U for odd = 1: the same polynomial in A² with the even or the odd coefficients */
  function polynomial(S: Small, odd: 0 | 1): void {
    E.combine(W, B[12 + odd]!, A6, B[10 + odd]!, A4);
    E.combine(W, B[8 + odd]!, A2, 1, W);
    E.mul(S, A6, W);
    E.combine(S, B[6 + odd]!, A6, 1, S);
    E.combine(S, B[4 + odd]!, A4, 1, S);
    E.combine(S, B[2 + odd]!, A2, 1, S);
    E.addDiagonal(S, B[odd]!);
  }

  return (Y, A) => {
    requireShape(A, p, p, "expm", "A");
    requireShape(Y, p, p, "expm", "Y");
    maxAbs(E.read(A, numbers), p, "expm");
    if (p === 0) return;
    const norm = oneNorm(numbers, p);
    if (norm === Number.POSITIVE_INFINITY) throw overflow(A);
    if (norm === 0) {
      E.fill(Y, 0);
      return E.addDiagonal(Y, 1);
    }
    const s = norm > THETA ? Math.ceil(Math.log2(norm / THETA)) : 0;
    E.combine(A1, 2 ** -s, A, 0, A1);
    E.mul(A2, A1, A1);
    E.mul(A4, A2, A2);
    E.mul(A6, A4, A2);
    polynomial(V, 1);
    E.mul(U, A1, V);
    polynomial(V, 0);
    E.combine(W, 1, V, -1, U);
    E.combine(U, 1, V, 1, U);
    E.factor.solve(V, W, U);
    let [from, to] = [V, U];
    for (let i = 0; i < s; i++) {
      E.mul(to, from, from);
      [from, to] = [to, from];
    }
    if (!Number.isFinite(E.dot(from, from)) && !E.read(from, numbers).every(Number.isFinite)) throw overflow(A);
    E.copy(Y, from);
  };
}

const overflow = (A: Matrix): EngineError =>
  new EngineError(`expm: the exponential of the ${A.rows}×${A.cols} matrix overflows; scale it down.`);

/** ‖A‖₁, the largest column sum */
function oneNorm(a: Float64Array, p: number): number {
  let norm = 0;
  for (let j = 0; j < p; j++) {
    let sum = 0;
    for (let i = 0; i < p; i++) sum += Math.abs(a[i * p + j]!);
    norm = Math.max(norm, sum);
  }
  return norm;
}
