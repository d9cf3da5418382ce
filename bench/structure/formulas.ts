/** Formulas that are ½⟨X, BXC⟩ + ⟨L, X⟩ + constant, and formulas that only look like it. X is n×p. */
import * as T from "../../src/autodiff/index.js";
import { random } from "../../src/random.js";
import type { Matrix, Sparse } from "../../src/types.js";

const { add, colSums, diag, exp, hadamard, identity, inner, inv, mul, norm2, rowSums, scale } = T;
const { solve, square, sub, sum, t, trace } = T;
export const [n, m, p] = [14, 9, 3];
const q = 4;

export const plain = (rows: number, cols: number, seed: number): Matrix => {
  const { normal } = random(seed, "form");
  return { rows, cols, data: Float64Array.from({ length: rows * cols }, normal) };
};
const symmetric = (size: number, seed: number): Matrix => {
  const { data } = plain(size, size, seed);
  const s = data.map((v, k) => v + data[(k % size) * size + Math.floor(k / size)]!);
  return { rows: size, cols: size, data: s };
};
export const A = symmetric(n, 1);
const B = symmetric(n, 2);
const C = symmetric(p, 3);
export const [N, M, W, D, F] = [plain(n, n, 4), plain(m, n, 5), plain(p, q, 6), plain(m, p, 7), plain(m, q, 8)];
export const [L, v, w] = [plain(n, p, 9), plain(n, 1, 10), plain(p, 1, 11)];
const tri = { lower: column(-1), main: column(2), upper: column(-1) };
function column(value: number): Matrix {
  return { rows: n, cols: 1, data: new Float64Array(n).fill(value) };
}
/** entries at (i, i) and (i, i + 2), so not symmetric */
export const sparse: Sparse = {
  rows: n,
  cols: n,
  pointers: Int32Array.from({ length: n + 1 }, (_, i) => Math.min(2 * i, 2 * n - 2)),
  indices: Int32Array.from({ length: 2 * n - 2 }, (_, k) => Math.min((k >> 1) + 2 * (k & 1), n - 1)),
  values: Float64Array.from({ length: 2 * n - 2 }, (_, k) => 1 + k / 7),
};

export type Formula = (X: T.Expr) => T.Arg;
export interface Expected {
  C?: boolean;
  L?: boolean;
  matrix?: "dense" | "tridiagonal";
}

/** With what is to be found */
export const found: [string, Formula, Expected][] = [
  ["½ tr XᵀAX", (X) => scale(0.5, trace(mul(t(X), A, X))), { matrix: "dense" }],
  [
    "⟨X, AX⟩ + ⟨X, BX⟩ − 3‖X‖² + 2",
    (X) => add(inner(X, mul(A, X)), inner(mul(B, X), X), scale(-3, norm2(X)), 2),
    { matrix: "dense" },
  ],
  ["‖MX − D‖²", (X) => norm2(sub(mul(M, X), D)), { L: true }],
  ["‖MXW − F‖² / 2", (X) => scale(0.5, norm2(sub(mul(M, X, W), F))), { C: true, L: true }],
  [
    "tr(XCXᵀA) − 2⟨L, X⟩",
    (X) => sub(trace(mul(X, C, t(X), A)), scale(2, inner(L, X))),
    { C: true, L: true, matrix: "dense" },
  ],
  ["Σ_j w_j x_jᵀAx_j", (X) => sum(hadamard(t(w), colSums(hadamard(X, mul(A, X))))), { C: true, matrix: "dense" }],
  [
    "Σ_i v_i‖row i‖² + tr XᵀTX",
    (X) => add(inner(v, rowSums(square(X))), trace(mul(t(X), tri, X))),
    { matrix: "tridiagonal" },
  ],
  [
    "a matrix that is not symmetric, dense or sparse",
    (X) => sub(trace(mul(t(X), N, X)), inner(X, mul(sparse, X))),
    { matrix: "dense" },
  ],
  [
    "sparse alone, its transpose, a shift",
    (X) => add(inner(X, mul(sparse, X)), scale(2, norm2(mul(t(sparse), X))), norm2(X)),
    {},
  ],
  [
    "(A + B)X(C + 2I) multiplied out",
    (X) => add(inner(add(mul(A, X), mul(B, X)), mul(X, add(C, scale(2, identity(p))))), sum(X)),
    { C: true, L: true, matrix: "dense" },
  ],
  [
    "T⁻¹ and products of constants",
    (X) => inner(X, add(solve(tri, X), mul(t(M), M, X), mul(inv(tri), inv(tri), X))),
    {},
  ],
  ["‖X − 1·means‖² (centred)", (X) => norm2(sub(X, mul(plain1, scale(1 / n, colSums(X))))), {}],
  ["−⟨L, X⟩", (X) => scale(-1, inner(L, X)), { L: true }],
  ["a named number", (X) => mul(T.parameter("s", 2), trace(mul(t(X), A, X))), { matrix: "dense" }],
];
const plain1 = column(1);

export const other: [string, Formula][] = [
  ["a hidden fourth power", (X) => add(trace(mul(t(X), A, X)), scale(1e-9, sum(square(square(X)))))],
  ["a hidden exponential", (X) => add(norm2(mul(M, X)), scale(1e-300, sum(exp(X))))],
  ["a constant that depends on X", (X) => hadamard(add(1, scale(1e-12, norm2(X))), trace(mul(t(X), A, X)))],
  ["two operators, two orders", (X) => add(trace(mul(t(X), A, X, C)), trace(mul(t(X), B, X)))],
  ["Sylvester ‖AX − XC‖²", (X) => norm2(sub(mul(A, X), mul(X, C)))],
  ["‖XᵀAX‖²", (X) => norm2(mul(t(X), A, X))],
  ["(tr XᵀL)²", (X) => square(trace(mul(t(X), L)))],
  ["masked ‖L∘X‖²", (X) => norm2(hadamard(L, X))],
  ["X twice, not turned", (X) => trace(mul(X, t(L), X, t(L)))],
  ["not symmetric at both sides", (X) => trace(mul(t(X), N, X, plain(p, p, 12)))],
  ["distance, not squared", (X) => T.norm(sub(mul(M, X), D))],
  ["Rayleigh quotient", (X) => T.div(trace(mul(t(X), A, X)), norm2(X))],
  ["joint diagonalisation", (X) => scale(-1, sum(square(diag(mul(t(X), A, X)))))],
  [
    "nearly one tensor",
    (X) => add(trace(mul(t(X), add(A, B), X)), trace(mul(t(X), A, X, C)), scale(1 + 1e-9, trace(mul(t(X), B, X, C)))),
  ],
];
