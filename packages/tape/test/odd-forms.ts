/** Forms ½⟨X, BXC⟩ + ⟨L, X⟩ + constant in odd ways of writing, and formulas that only look like one. X is n×p. */
import { A, D, type Formula, L, M, N, n, p, plain, sparse, v, w } from "@expen/bench/structure/formulas";
import * as T from "../src/index.js";

const { add, colSums, diag, div, hadamard, identity, inner, inv, mean, mul, neg, norm2, rowSums, scale } = T;
const { solve, sqrt, square, sub, sum, t, trace } = T;
const S = plain(p, p, 21);
const [u, z] = [plain(n, 1, 22), plain(p, 1, 23)];
const turn = plain(p, p, 24);
const both = (X: T.Expr): T.Expr => mul(t(X), X);
const off = (X: T.Expr): T.Expr => sub(mul(t(X), A, X), identity(p));

export const odd: [string, Formula][] = [
  ["the mean of squares", (X) => mean(square(X))],
  [
    "polarization: ¼(‖MX + D‖² − ‖MX − D‖²)",
    (X) => scale(0.25, sub(norm2(add(mul(M, X), D)), norm2(sub(mul(M, X), D)))),
  ],
  ["a fourth power that cancels", (X) => add(sum(square(square(X))), norm2(mul(M, X)), neg(sum(square(square(X)))))],
  ["the sum of all entries of XXᵀ", (X) => sum(mul(X, t(X)))],
  ["the sum of all entries of XᵀAX", (X) => sum(mul(t(X), A, X))],
  ["vᵀXXᵀv, a number", (X) => mul(t(v), X, t(X), v)],
  ["zᵀXᵀAXz, a number", (X) => mul(t(z), t(X), A, X, z)],
  ["‖Xz‖² as a square of a column", (X) => sum(square(mul(X, z)))],
  ["‖vᵀX‖² beside a linear term", (X) => add(norm2(mul(t(v), X)), mul(t(u), X, z))],
  ["(uᵀXz)², one number squared", (X) => square(mul(t(u), X, z))],
  ["(uᵀXz)(uᵀXz + 3)", (X) => hadamard(mul(t(u), X, z), add(mul(t(u), X, z), 3))],
  ["(uᵀXz)(wᵀXᵀu), one side the same", (X) => hadamard(mul(t(u), X, z), mul(t(w), t(X), u))],
  ["the trace of a sum of diagonals", (X) => sum(diag(mul(t(X), N, X)))],
  ["divided by a constant and by a constant number", (X) => div(trace(mul(t(X), A, X)), add(norm2(A), 1))],
  ["rows centred, then measured", (X) => norm2(sub(X, mul(scale(1 / p, rowSums(X)), plainOnes(1, p))))],
  ["a quotient entry by entry by equal numbers", (X) => sum(square(div(X, 4)))],
  ["a square root of a constant", (X) => hadamard(sqrt(norm2(L)), trace(mul(t(X), A, X)))],
  ["AᵀA by a sum that telescopes", (X) => add(norm2(add(mul(A, X), L)), neg(norm2(L)), scale(-2, inner(mul(A, X), L)))],
  ["three factors on both sides", (X) => trace(mul(t(turn), t(X), t(M), M, X, turn))],
  ["an inverse in the middle", (X) => inner(mul(M, X), mul(M, solve(tridiagonal(), X)))],
  ["a sparse matrix, its transpose and their product", (X) => add(norm2(mul(sparse, X)), inner(mul(sparse, X), X))],
  ["weights of rows and of columns, one of each", (X) => sum(hadamard(mul(square(v), t(square(w))), square(X)))],
  ["v²ᵀ(X∘2X)w", (X) => mul(t(square(v)), hadamard(X, scale(2, X)), w)],
  ["vᵀ(X∘AX)w", (X) => mul(t(v), hadamard(X, mul(A, X)), w)],
  ["wᵀ(X∘X)ᵀv", (X) => mul(t(w), t(square(X)), v)],
  ["(1 + 1)X − X and 0·exp(X)", (X) => add(norm2(sub(add(X, X), X)), inner(X, mul(A, X)))],
  ["XᵀX ∘ I, added up", (X) => inner(identity(p), both(X))],
  ["tr of a chain begun in the middle", (X) => trace(mul(A, X, add(S, t(S)), t(X)))],
  ["the square of a distance", (X) => square(T.norm(sub(mul(M, X), D)))],
  [
    "a distance times itself, halved twice",
    (X) => hadamard(scale(0.5, T.norm(mul(M, X))), scale(0.5, T.norm(mul(M, X)))),
  ],
  ["norms of rows, squared, with weights", (X) => inner(v, square(T.rowNorms(mul(A, X))))],
  ["norms of columns, squared, with weights", (X) => sum(hadamard(square(T.colNorms(X)), t(w)))],
  ["√(x² + ε²), squared", (X) => sum(square(T.smoothAbs(X, 1e-12)))],
  ["|x|², added up by rows", (X) => sum(rowSums(square(T.abs(mul(M, X)))))],
  ["the mean of x² + 2x", (X) => mean(add(square(X), scale(2, X)))],
  ["a dense system solved", (X) => trace(mul(t(X), solve(A, X)))],
  [
    "an inverse that is formed, named and halved",
    (X) => mul(T.parameter("s", 0.5), inner(X, mul(inv(add(mul(t(N), N), identity(n))), X))),
  ],
  ["column after column", (X) => add(...columns(X).map((x) => mul(t(x), A, x)))],
  [
    "column after column, another weight for each",
    (X) => add(...columns(X).map((x, j) => scale(j - 1.5, norm2(mul(M, x))))),
  ],
  ["transposes of transposes", (X) => inner(t(mul(t(X), t(M))), t(t(mul(M, t(t(X))))))],
  ["a dot of products, negated twice", (X) => neg(inner(mul(t(M), mul(M, X)), neg(mul(X, add(S, t(S))))))],
  [
    "parameters everywhere",
    (X) => mul(T.exp(T.parameter("s", 0.1)), norm2(sub(mul(T.parameter("P", M), X), T.parameter("Q", D)))),
  ],
  [
    "parts with signs",
    (X) => add(...[1, 2, 3, 4].map((k) => scale(k * (-1) ** k, norm2(mul(plain(k, n, 30 + k), X))))),
  ],
  ["the square of the mean", (X) => square(mean(X))],
  ["(X − L)ᵀA(X − L)", (X) => trace(mul(t(sub(X, L)), A, sub(X, L)))],
  [
    "squared distances of rows by their Gram matrix, with weights",
    (X) => inner(nearness(), sub(add(rowSums(square(X)), t(rowSums(square(X)))), scale(2, mul(X, t(X))))),
  ],
  [
    "the same by the diagonal of XXᵀ",
    (X) => {
      const G = mul(X, t(X));
      return inner(nearness(), sub(add(diag(G), t(diag(G))), scale(2, G)));
    },
  ],
  ["entries divided by weights of rows", (X) => norm2(div(sub(X, L), add(square(v), 1)))],
  ["X∘X∘v", (X) => sum(hadamard(X, X, v))],
  ["tanh(X) that cancels in a matrix", (X) => inner(X, sub(add(mul(A, X), T.tanh(X)), T.tanh(X)))],
  ["(tr LᵀX + 1)² − (tr LᵀX)²", (X) => add(square(add(inner(L, X), 1)), neg(square(inner(L, X))), norm2(mul(M, X)))],
  [
    "Sylvester without its cross term and one square",
    (X) => add(norm2(sub(mul(A, X), mul(X, S))), scale(2, inner(mul(A, X), mul(X, S))), scale(-1, norm2(mul(X, S)))),
  ],
  ["WWᵀ as data beside ‖MXW‖²", (X) => add(norm2(mul(M, X, S)), trace(mul(t(X), A, X, S2())))],
  [
    "equal data that cancel with another C",
    (X) => add(norm2(mul(M, X)), trace(mul(t(X), A, X, S)), neg(trace(mul(t(X), { ...A }, X, S)))),
  ],
  ["⟨X1, v∘X1⟩", (X) => inner(rowSums(X), hadamard(v, rowSums(X)))],
  ["uᵀ(v∘X1)·1ᵀ summed, squared", (X) => square(sum(hadamard(u, rowSums(hadamard(v, X)))))],
  ["√((tr XᵀMᵀMX)²)", (X) => sqrt(square(norm2(mul(M, X))))],
  ["‖·‖² of the lengths of columns", (X) => inner(T.colNorms(mul(A, X)), T.colNorms(mul(A, X)))],
  ["the square of a length with weights", (X) => square(T.norm(hadamard(t(w), mul(M, X))))],
  ["a mask vwᵀ that is multiplied on the tape", (X) => norm2(hadamard(mul(v, t(w)), X))],
  ["the variance of each column", (X) => sub(mean(square(X)), mean(square(scale(1 / n, colSums(X)))))],
];

export const lookAlikes: [string, Formula][] = [
  ["XᵀX is not the identity to the formula", (X) => trace(mul(both(X), both(X)))],
  ["‖XᵀAX − I‖²", (X) => norm2(off(X))],
  ["tr XᵀAX times tr XᵀX", (X) => hadamard(trace(mul(t(X), A, X)), norm2(X))],
  ["the square of a sum of two columns' products", (X) => square(mul(t(z), t(X), A, X, z))],
  ["(uᵀXz)² + ‖X‖²: two tensors", (X) => add(square(mul(t(u), X, z)), norm2(X))],
  ["(uᵀXz)(vᵀXw): two vectors on each side", (X) => hadamard(mul(t(u), X, z), mul(t(v), X, w))],
  ["(Σ X)² of rows, another weight for each column", (X) => add(norm2(colSums(X)), inner(X, mul(X, diagonalOf(w))))],
  ["masked by 0 and 1", (X) => norm2(hadamard(checkerboard(), X))],
  ["vᵀ(X∘AXS)w, neither side symmetric", (X) => mul(t(v), hadamard(X, mul(A, X, S)), w)],
  ["a weight of rank two", (X) => sum(hadamard(add(mul(square(v), t(square(w))), 1), square(X)))],
  ["tr XLᵀX Lᵀ and a form", (X) => add(trace(mul(X, t(L), X, t(L))), inner(X, mul(A, X)))],
  ["tr(X S Xᵀ N), neither symmetric", (X) => trace(mul(X, S, t(X), N))],
  ["(1 + uᵀXz)(uᵀXz)²", (X) => hadamard(add(1, mul(t(u), X, z)), square(mul(t(u), X, z)))],
  ["(uᵀXz)² − (vᵀXw)²", (X) => sub(square(mul(t(u), X, z)), square(mul(t(v), X, w)))],
  ["x·|x| by a smooth |·| of width 10⁻¹²", (X) => sum(hadamard(X, T.smoothAbs(X, 1e-12)))],
  ["√(1 + tr XᵀAX)², which is not always a number", (X) => square(sqrt(add(1, trace(mul(t(X), A, X)))))],
  ["the product of two distances", (X) => hadamard(T.norm(X), T.norm(mul(M, X)))],
  ["|tr XᵀAX|", (X) => T.abs(trace(mul(t(X), A, X)))],
  ["Σ x·|x|", (X) => sum(hadamard(X, T.abs(X)))],
  ["rows divided by their norms", (X) => norm2(mul(M, div(X, mul(T.rowNorms(X), plainOnes(1, p)))))],
  ["the sums of columns in C", (X) => trace(mul(t(X), A, X, diag(t(colSums(X)))))],
  ["weights of rows that depend on X", (X) => inner(rowSums(X), rowSums(square(X)))],
  [
    "column after column, another matrix for each",
    (X) => add(...columns(X).map((x, j) => mul(t(x), j === 0 ? A : N, x))),
  ],
  ["the variance of all entries", (X) => sub(mean(square(X)), square(mean(X)))],
  ["Σ_i (l_iᵀx_i)², rows", (X) => sum(square(rowSums(hadamard(L, X))))],
  ["(1 + 10⁻¹²)q² − q²", (X) => sub(hadamard(scale(1 + 1e-12, norm2(X)), norm2(X)), square(norm2(X)))],
  ["two antisymmetric sides", (X) => trace(mul(t(X), sub(N, t(N)), X, sub(S, t(S))))],
  ["a length beside a squared one", (X) => add(norm2(X), scale(0.1, T.norm(X)))],
  ["√((tr XᵀAX)²), which is |·|", (X) => sqrt(square(trace(mul(t(X), A, X))))],
  ["‖A − XXᵀA‖²", (X) => norm2(sub(A, mul(X, t(X), A)))],
  ["A + XXᵀ, solved", (X) => inner(X, solve(add(A, mul(X, t(X))), X))],
  ["tr LᵀXXᵀX", (X) => trace(mul(t(L), X, t(X), X))],
  ["a cube with a weight that is 0 now", (X) => add(norm2(X), mul(T.parameter("s", 0), sum(T.pow(X, 3))))],
  ["x^2.000001", (X) => sum(T.pow(square(X), 1.0000005))],
  ["log det(I + XᵀX)", (X) => T.logdet(add(identity(p), both(X)))],
  ["tr (XᵀX)⁻¹XᵀAX", (X) => trace(mul(inv(both(X)), t(X), A, X))],
  ["entries of AX times those of X, squared", (X) => sum(square(hadamard(X, mul(A, X))))],
  ["column norms added, not their squares", (X) => sum(T.colNorms(mul(A, X)))],
  ["a softmax of a form", (X) => T.logSumExp(diag(mul(t(X), A, X)))],
  ["a cube that is nearly 0", (X) => add(norm2(mul(M, X)), scale(1e-200, sum(hadamard(X, square(X)))))],
  ["x·tanh(10⁻⁸x)", (X) => add(norm2(X), sum(hadamard(X, T.tanh(scale(1e-8, X)))))],
  [
    "columns coupled to their neighbours by two matrices",
    (X) => add(trace(mul(t(X), A, X)), trace(mul(t(X), t(M), M, X, add(S, t(S))))),
  ],
];

/** The columns of X, each n×1 */
function columns(X: T.Expr): T.Expr[] {
  const unit = (j: number) => ({ rows: p, cols: 1, data: Float64Array.from({ length: p }, (_, k) => Number(k === j)) });
  return Array.from({ length: p }, (_, j) => mul(X, unit(j)));
}

/** Symmetric, without signs */
function nearness() {
  const at = (i: number, j: number): number => 1 / (1 + (i - j) ** 2);
  return { rows: n, cols: n, data: Float64Array.from({ length: n * n }, (_, k) => at(Math.floor(k / n), k % n)) };
}

/** SSᵀ */
function S2() {
  const at = (i: number, j: number): number =>
    Array.from({ length: p }, (_, k) => S.data[i * p + k]! * S.data[j * p + k]!).reduce((a, b) => a + b);
  return { rows: p, cols: p, data: Float64Array.from({ length: p * p }, (_, k) => at(Math.floor(k / p), k % p)) };
}

function plainOnes(rows: number, cols: number) {
  return { rows, cols, data: new Float64Array(rows * cols).fill(1) };
}

function tridiagonal() {
  const column = (value: number) => ({ rows: n, cols: 1, data: new Float64Array(n).fill(value) });
  return { lower: column(-1), main: column(3), upper: column(-1) };
}

function diagonalOf(values: { rows: number; data: Float64Array }) {
  const size = values.rows;
  const data = new Float64Array(size * size);
  for (let j = 0; j < size; j++) data[j * (size + 1)] = values.data[j]! ** 2 + 1;
  return { rows: size, cols: size, data };
}

function checkerboard() {
  return { rows: n, cols: p, data: Float64Array.from({ length: n * p }, (_, k) => (Math.floor(k / p) + (k % p)) % 2) };
}
