/** Formulas that are ½⟨X, BXC⟩ + ⟨L, X⟩ + constant, and formulas that only look like it. X is n×p. */

import type { Matrix, Sparse } from "@expen/linalg";
import { random } from "@expen/linalg";
import * as T from "@expen/tape";

const { add, colSums, diag, exp, hadamard, identity, inner, inv, mean, mul, norm2, rowSums, scale } = T;
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
  matrix?: "dense" | "sparse" | "tridiagonal";
}

/** Quadratic forms, each with the form to be found */
export const forms: [string, Formula, Expected][] = [
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
    { matrix: "sparse" },
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
  [
    "Σ_i v_i‖row i of X − L‖², weights repeated beside X",
    (X) => sum(hadamard(v, square(sub(X, L)))),
    { L: true, matrix: "tridiagonal" },
  ],
  ["weights that are data of rank one", (X) => sum(hadamard(rankOne, square(X))), { C: true, matrix: "tridiagonal" }],
  [
    "‖XᵀX − C‖² − ‖XᵀX‖²: fourth powers cancel",
    (X) => sub(norm2(sub(mul(t(X), X), C)), norm2(mul(t(X), X))),
    { C: true, matrix: "tridiagonal" },
  ],
  [
    "(1 + ‖X‖²)² − ‖X‖⁴ + ⟨X, AX⟩",
    (X) => add(square(add(1, norm2(X))), scale(-1, square(norm2(X))), inner(X, mul(A, X))),
    { matrix: "dense" },
  ],
  ["the variances of the columns of MX", (X) => norm2(sub(mul(M, X), scale(1 / m, colSums(mul(M, X))))), {}],
  [
    "Σ ‖x_i − x_j‖² over the edges of a ring",
    (X) => add(...Array.from({ length: n }, (_, i) => norm2(sub(rowOf(X, i), rowOf(X, (i + 1) % n))))),
    { matrix: "sparse" },
  ],
  [
    "−Σ_k (a_kᵀXw)², data after data",
    (X) => scale(-1, add(...Array.from({ length: n }, (_, k) => square(mul(t(plain(n, 1, 40 + k)), X, w))))),
    { C: true, matrix: "dense" },
  ],
  [
    "the same data twice, and 2I as data",
    (X) => add(trace(mul(t(X), A, X, scaledIdentity)), trace(mul(t(X), { ...A, data: A.data.slice() }, X))),
    { matrix: "dense" },
  ],
  [
    "log det, softmax and norms of data",
    (X) =>
      add(
        hadamard(T.logdet(mul(t(L), L)), inner(T.softmax(v), rowSums(square(X)))),
        norm2(mul(diag(T.rowNorms(N)), X)),
      ),
    { matrix: "tridiagonal" },
  ],
  ["the squares of the lengths of the rows of MX", (X) => norm2(T.rowNorms(mul(M, X))), {}],
  ["the variance of MXw", (X) => mean(square(sub(mul(M, X, w), mean(mul(M, X, w))))), { C: true }],
  ["vᵀ(X ∘ X11ᵀ)w", (X) => mul(t(v), hadamard(X, rowSums(X)), w), { C: true, matrix: "tridiagonal" }],
];
const plain1 = column(1);
const rankOne = outer((i, j) => (1 + v.data[i]! ** 2) * (1 + w.data[j]! ** 2));
const scaledIdentity = {
  rows: p,
  cols: p,
  data: Float64Array.from({ length: p * p }, (_, k) => (k % (p + 1) ? 0 : 2)),
};
function outer(entry: (i: number, j: number) => number): Matrix {
  return { rows: n, cols: p, data: Float64Array.from({ length: n * p }, (_, k) => entry(Math.floor(k / p), k % p)) };
}
function rowOf(X: T.Expr, i: number): T.Expr {
  return mul({ rows: 1, cols: n, data: Float64Array.from({ length: n }, (_, k) => Number(k === i)) }, X);
}

export const lookAlikes: [string, Formula][] = [
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
  ["‖XᵀX − C‖² − ‖XᵀX‖², nearly", (X) => sub(scale(1 + 1e-13, norm2(sub(mul(t(X), X), C))), norm2(mul(t(X), X)))],
  ["‖M − MXXᵀ‖², quadratic where XᵀX = I", (X) => norm2(sub(M, mul(M, X, t(X))))],
  [
    "a cubic term that is 0 where XᵀX = I",
    (X) => add(norm2(mul(M, X)), inner(L, mul(X, sub(mul(t(X), X), identity(p))))),
  ],
  ["weights nearly of rank one", (X) => sum(hadamard(nearly, square(X)))],
  ["one missing entry ‖Ω∘(X − L)‖²", (X) => norm2(hadamard(without, sub(X, L)))],
  ["weights that depend on X", (X) => sum(hadamard(rowSums(X), square(X)))],
  ["a second tensor of 10⁻¹⁴", (X) => add(trace(mul(t(X), A, X)), scale(1e-14, trace(mul(t(X), B, X, C))))],
  ["log det(I + 10⁻¹⁰XᵀX)", (X) => add(norm2(mul(M, X)), T.logdet(add(identity(p), scale(1e-10, mul(t(X), X)))))],
  ["10¹⁶Σ log cosh 10⁻⁸x", (X) => scale(1e16, sum(T.logcosh(scale(1e-8, X))))],
  ["‖MX‖ to the power 1.9999999", (X) => T.pow(T.norm(mul(M, X)), 1.9999999)],
  [
    "the larger of two forms",
    (X) => add(trace(mul(t(X), A, X)), norm2(X), T.abs(sub(trace(mul(t(X), A, X)), norm2(X)))),
  ],
  ["another matrix for each column of data, Σ_j (l_jᵀx_j)²", (X) => sum(square(diag(mul(t(L), X))))],
];
const nearly = outer((i, j) => rankOne.data[i * p + j]! + 1e-11 * L.data[i * p + j]!);
const without = outer((i, j) => Number(i !== 2 || j !== 1));
