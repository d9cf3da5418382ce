import type { Objective, Precondition } from "@expen/core";
import type { Engine, Matrix, Tall } from "@expen/linalg";
import { chain, entrywiseProduct, tallOf } from "@expen/linalg/engine";

import { pairMetric } from "./pair-metric.js";

/**
 * f(X) = ¼((γ/v) Σ_j s_j² − Σ_ij Λ_ij⁴),  Λ = LX (v×k),  s_j = Σ_i Λ_ij². With B = LᵀL, s is the diagonal of XᵀBX:
 *
 *     ∇f(X) = (γ/v)·BX·Diag(s) − Lᵀ(Λ∘Λ∘Λ)
 *     ∇²f(X)[D] = (γ/v)·(BD·Diag(s) + BX·Diag(2·diag(XᵀBD))) − 3Lᵀ(Λ∘Λ∘LD)
 *
 * The curvature along the rotation of columns i and j is, with q_ij = Σ_r Λ_ri²Λ_rj² and b = XᵀBX,
 *
 *     h_ij = ½((γ/v)(4b_ij² − (s_i − s_j)²) + q_ii + q_jj − 6q_ij).
 */
export function orthomax(E: Engine, L: Matrix, gamma: number): { f: Objective; precondition: Precondition } {
  const { rows: v, cols: k } = L;
  const weight = gamma / v;
  const { apply, applyT } = E.operator(L);
  const B = E.operator(gramOf(E, L));
  const [Y, cubes, squares] = [E.tall(v, k), E.tall(v, k), E.tall(v, k)];
  const [BX, V, fixedBX, S, W] = [E.tall(k, k), E.tall(k, k), E.tall(k, k), E.small(k, k), E.small(k, k)];
  const [s, t] = [new Float64Array(k), new Float64Array(k)];
  const [diagonal, square] = [new Float64Array(k * k), new Float64Array(k * k)];

  /** W ← Diag(factor·values) */
  function asDiagonal(values: Float64Array, factor: number): void {
    for (let j = 0; j < k; j++) diagonal[j * (k + 1)] = factor * values[j]!;
    E.write(W, diagonal);
  }

  /** out_j ← ⟨a_j, b_j⟩ of the columns of two k×k matrices; returns Σ_j out_j² */
  function innerProducts(out: Float64Array, A: Tall, B: Tall): number {
    E.tmul(S, A, B);
    E.read(S, square);
    for (let j = 0; j < k; j++) out[j] = square[j * (k + 1)]!;
    return out.reduce((sum, v) => sum + v * v, 0);
  }

  /** BX and s at X; returns Σ s_j² */
  function columnSquares(X: Tall): number {
    B.apply(BX, X);
    return innerProducts(s, X, BX);
  }

  function fg(G: Tall, X: Tall): number {
    apply(Y, X);
    const fourth = E.map([cubes], cube, [Y]);
    const second = columnSquares(X);
    asDiagonal(s, weight);
    E.mul(G, BX, W);
    applyT(G, cubes, -1, 1);
    return 0.25 * (weight * second - fourth);
  }

  function linearize(X: Tall): (H: Tall, D: Tall) => void {
    apply(Y, X);
    E.map([squares], squared, [Y]);
    columnSquares(X);
    E.copy(fixedBX, BX);
    const sums = s.slice();
    return (H, D) => {
      B.apply(BX, D);
      asDiagonal(sums, weight);
      E.mul(H, BX, W);
      innerProducts(t, fixedBX, D);
      asDiagonal(t, 2 * weight);
      E.mul(H, fixedBX, W, 1, 1);
      apply(cubes, D);
      E.map([Y], entrywiseProduct, [squares, cubes]);
      applyT(H, Y, -3, 1);
    };
  }

  const precondition = pairMetric(E, k, (h, X) => {
    apply(Y, X);
    E.map([squares], squared, [Y]);
    E.gram(S, squares);
    const q = E.read(S);
    columnSquares(X);
    const b = square;
    for (let i = 0; i < k; i++) {
      for (let j = 0; j < k; j++) {
        const at = i * k + j;
        const spread = weight * (4 * b[at]! ** 2 - (s[i]! - s[j]!) ** 2);
        h[at] = 0.5 * (spread + q[i * (k + 1)]! + q[j * (k + 1)]! - 6 * q[at]!);
      }
    }
  });
  const f: Objective = { n: k, p: k, f: (X) => fg(V, X), fg, hvp: (H, X, D) => linearize(X)(H, D), linearize };
  return { f, precondition };
}

const cube = chain(1, ({ mul }, y) => {
  const square = mul(y, y);
  return { outputs: [mul(y, square)], sum: mul(square, square) };
});
const squared = chain(1, ({ mul }, y) => ({ outputs: [mul(y, y)] }));

function gramOf(E: Engine, L: Matrix): Matrix {
  const S = E.small(L.cols, L.cols);
  E.gram(S, tallOf(E, L));
  return { rows: L.cols, cols: L.cols, data: E.read(S) };
}
