import { euclidean, minimize } from "expen";
import { jsEngine } from "expen/engines";
import { add, type Expr, formula, mul, operation, scale, t } from "expen/tape";
import { definite } from "./data.js";

/** f of the eigenvalues of a symmetric matrix, entry by entry: V·Diag(f(w))·Vᵀ, and Σf */
const E = jsEngine();
function spectral(A: { rows: number; data: ArrayLike<number> }, f: (w: number) => number) {
  const n = A.rows;
  const [V, w, T, Y] = [E.small(n, n), new Float64Array(n), E.small(n, n), E.small(n, n)];
  E.factor.eigh(V, w, E.small(n, n, A.data));
  const values = w.map(f);
  E.write(T, E.read(V).map((v, k) => v * values[k % n]!)); // biome-ignore format: short
  E.mulT(Y, T, V);
  return { sum: values.reduce((s, x) => s + x, 0), matrix: { rows: n, cols: n, data: E.read(Y) } };
}
// ½‖log M‖², whose derivative is log(M)·M⁻¹
const gradient = operation({ name: "log(M)/M", value: (M) => spectral(M, (w) => Math.log(w) / w).matrix });
const halfSquaredLog = operation({
  name: "½‖log M‖²",
  shape: () => [1, 1],
  value: (M) => spectral(M, (w) => Math.log(w) ** 2 / 2).sum,
  adjoint: (w, _f, M) => scale(w, gradient(M)),
});

// the mean P = LᵀL of definite matrices A_i: each Cholesky factor R_i of A_i⁻¹ gives M = R_i·P·R_iᵀ with the eigenvalues of A_i⁻¹P
const roots = [1, 2, 3].map((seed) => {
  const A = { rows: 4, cols: 4, data: definite(4, seed).flat() };
  const R = spectral(A, (w) => 1 / Math.sqrt(w)).matrix;
  return Array.from({ length: 4 }, (_, i) => Array.from(R.data.slice(4 * i, 4 * i + 4)));
});
const start = { rows: 4, cols: 4, data: Float64Array.from({ length: 16 }, (_, k) => (k % 5 === 0 ? 1 : 0)) };
const { status, X } = await minimize(
  formula((L: Expr) => add(...roots.map((R) => halfSquaredLog(mul(R, t(L), L, t(R)))))),
  { on: euclidean(4, 4), start },
);
console.log(status, X.rows === 4);
