/**
 * Sums over all entries, rows or columns; inner products row by row or column by column; and repetitions of a vector. Operations without
 * a kernel become products with vectors of ones (place.ts).
 */
import { isScalar, type Node, node, type Operation } from "../graph.js";
import { type Arg, isLiteral, lift, literal, numberOf } from "../leaves.js";
import { algebra } from "./algebra.js";
import { diag, diagOp } from "./diagonal-matrix.js";
import { apply, hadamard, hadamardOp, mapOp, times } from "./elementwise.js";
import { coefficientsOf, dense, full, fullOp, joined, lin, linOp, plus, split, transpose } from "./linear.js";
import { type Factor, factorsOf, inner, nameOfAll, productOf, rotated, traceOp, transposed } from "./product.js";

/** Σ_ij A_ij, computed in a chain (chains.ts) */
export const sumOp: Operation = {
  name: "total",
  vjp: (n, w) => [full(w, n.args[0]!.rows, n.args[0]!.cols)],
  jvp: (_n, [dA]) => total(dA!),
};

/** r_i = Σ_j A_ij */
export const rowSumsOp: Operation = {
  name: "rowSums",
  axes: "ij->i1",
  vjp: (n, w) => [repeatColumns(w, n.args[0]!.cols)],
  jvp: (_n, [dA]) => rowTotals(dA!),
};

/** c_j = Σ_i A_ij, of size 1×p */
export const columnSumsOp: Operation = {
  name: "columnSums",
  axes: "ij->1j",
  vjp: (n, w) => [repeatRows(w, n.args[0]!.rows)],
  jvp: (_n, [dA]) => columnTotals(dA!),
};

/** v·1ᵀ */
export const repeatColumnsOp: Operation = {
  name: "repeatColumns",
  repeats: "columns",
  axes: "i1->ij",
  vjp: (_n, W) => [rowTotals(W)],
  jvp: (n, [dv]) => repeatColumns(dv!, n.cols),
  transposed: (n) => repeatRows(transpose(n.args[0]!), n.cols),
};

/** 1·vᵀ for a row vᵀ */
export const repeatRowsOp: Operation = {
  name: "repeatRows",
  repeats: "rows",
  axes: "1j->ij",
  vjp: (_n, W) => [columnTotals(W)],
  jvp: (n, [dv]) => repeatRows(dv!, n.rows),
  transposed: (n) => repeatColumns(transpose(n.args[0]!), n.rows),
};

/** r_i = Σ_j A_ij·B_ij = diagonal(ABᵀ) */
export const rowDotsOp: Operation = {
  name: "rowDots",
  axes: "ij,ij->i1",
  vjp: (n, w) => [1, 0].map((other) => productOf(diag(w), n.args[other]!)),
  jvp: (n, [dA, dB]) => plus([dA && rowDots(dA, n.args[1]!), dB && rowDots(n.args[0]!, dB)]),
  kernel:
    ({ E, R }, _n, out, [x, y]) =>
    () =>
      E.rowDots(R[out]!, R[x!]!, R[y!]!),
};

/** c_j = Σ_i A_ij·B_ij, of size 1×p: the diagonal of AᵀB */
export const columnDotsOp: Operation = {
  name: "columnDots",
  axes: "ij,ij->1j",
  vjp: (n, w) => [1, 0].map((other) => productOf(n.args[other]!, diag(transpose(w)))),
  jvp: (n, [dA, dB]) => plus([dA && columnDots(dA, n.args[1]!), dB && columnDots(n.args[0]!, dB)]),
};

export function total(A: Node): Node {
  if (isScalar(A)) return A;
  const { c, s, base } = split(A);
  if (base !== A) return lin([[c, s ? times(s, total(base)) : total(base)]]);
  const [first, second] = A.args as [Node, Node];
  if (A.op === fullOp) return lin([[A.rows * A.cols, first]]);
  if (A.op === hadamardOp || A.op === rowDotsOp || A.op === columnDotsOp) return inner(first, second);
  if (isSquare(A)) return inner(first, first);
  if (A.op === rowSumsOp || A.op === columnSumsOp || A.op === diagOp) return total(first);
  if (A.op === repeatColumnsOp) return lin([[A.cols, total(first)]]);
  if (A.op === repeatRowsOp) return lin([[A.rows, total(first)]]);
  return node(sumOp, [A], 1, 1);
}

/** Nodes created as ⟨A, A⟩, in whatever form they were simplified to */
const squaredLengths = new WeakSet<Node>();

function squaredLength(name: string, A: Arg, dots: (A: Node, B: Node) => Node): Node {
  const a = one(name, A);
  const squared = dots(a, a);
  squaredLengths.add(squared);
  return squared;
}

/** Whether a node is a square, a sum of squares, or ⟨A, A⟩ of all entries, of rows or of columns */
function isSquares(A: Node): boolean {
  const [first, second] = A.args;
  if (squaredLengths.has(A)) return true;
  if (isLiteral(A)) return numberOf(A) >= 0;
  if (A.op === linOp) return A.args.every(isSquares) && coefficientsOf(A).every((c) => c >= 0);
  if (A.op === fullOp) return isSquares(first!);
  if (A.op === rowDotsOp || A.op === columnDotsOp) return first === second;
  return isSquare(A) || (A.op === traceOp && isGram(factorsOf(A)));
}

/** Whether a trace is tr(HHᵀ) from one of its factors on */
function isGram(factors: readonly Factor[]): boolean {
  const half = factors.length / 2;
  return factors.some((_, i) => {
    const cycle = rotated(factors, i);
    return Number.isInteger(half) && nameOfAll(cycle.slice(half)) === nameOfAll(transposed(cycle.slice(0, half)));
  });
}

export const isSquare = (A: Node): boolean =>
  A.op === mapOp && (A.detail as readonly unknown[])[0] === "pow" && (A.detail as readonly unknown[])[1] === 2;

function rowTotals(A: Node): Node {
  if (A.cols === 1) return A;
  if (A.rows === 1) return total(A);
  const { c, s, base } = split(A);
  if (base !== A) return joined(c, s, rowTotals(base));
  const [first, second] = A.args as [Node, Node];
  if (A.op === fullOp) return lin([[A.cols, full(first, A.rows, 1)]]);
  if (A.op === repeatColumnsOp) return lin([[A.cols, first]]);
  if (A.op === hadamardOp) return rowDots(first, second);
  if (isSquare(A)) return rowDots(first, first);
  return node(rowSumsOp, [A], A.rows, 1);
}

function columnTotals(A: Node): Node {
  if (A.rows === 1) return A;
  if (A.cols === 1) return total(A);
  const { c, s, base } = split(A);
  if (base !== A) return joined(c, s, columnTotals(base));
  const [first, second] = A.args as [Node, Node];
  if (A.op === fullOp) return lin([[A.rows, full(first, 1, A.cols)]]);
  if (A.op === repeatRowsOp) return lin([[A.rows, first]]);
  if (A.symmetric) return transpose(rowTotals(A));
  if (A.op === hadamardOp) return columnDots(first, second);
  if (isSquare(A)) return columnDots(first, first);
  return node(columnSumsOp, [A], 1, A.cols);
}

function repeatColumns(v: Node, cols: number): Node {
  if (cols === 1) return v;
  if (isScalar(v)) return full(v, 1, cols);
  const { c, s, base } = split(v);
  if (base.op === fullOp) return joined(c, s, full(base.args[0]!, v.rows, cols));
  return joined(c, s, node(repeatColumnsOp, [base], v.rows, cols));
}

function repeatRows(v: Node, rows: number): Node {
  if (rows === 1) return v;
  if (isScalar(v)) return full(v, rows, 1);
  const { c, s, base } = split(v);
  if (base.op === fullOp) return joined(c, s, full(base.args[0]!, rows, v.cols));
  return joined(c, s, node(repeatRowsOp, [base], rows, v.cols));
}

/** Extracts the scalar factors and orders the arguments, since the products are symmetric in A and B. */
function paired(A: Node, B: Node, make: (a: Node, b: Node) => Node): Node {
  const [a, b] = [split(A), split(B)];
  const s = a.s && b.s ? times(a.s, b.s) : (a.s ?? b.s);
  return joined(a.c * b.c, s, a.base.id <= b.base.id ? make(a.base, b.base) : make(b.base, a.base));
}

export function rowDots(A: Node, B: Node): Node {
  if (A.cols === 1) return hadamard(A, B);
  if (A.rows === 1) return inner(A, B);
  return paired(A, B, (a, b) => node(rowDotsOp, [a, b], A.rows, 1));
}

export function columnDots(A: Node, B: Node): Node {
  if (A.rows === 1) return hadamard(A, B);
  if (A.cols === 1) return inner(A, B);
  return paired(A, B, (a, b) => node(columnDotsOp, [a, b], 1, A.cols));
}

const one = (name: string, A: Arg): Node => dense(name, lift(name, A));

/** Σ of all entries */
export const sum = (A: Arg): Node => total(one("sum", A));
/** Sums of the rows, n×1 */
export const rowSums = (A: Arg): Node => rowTotals(one("rowSums", A));
/** Sums of the columns, 1×p */
export const colSums = (A: Arg): Node => columnTotals(one("colSums", A));
/** ‖A‖²_F */
export const norm2 = (A: Arg): Node => squaredLength("norm2", A, inner);
/** ‖A‖_F; not differentiable at A = 0, where derivatives are NaN */
export const norm = (A: Arg): Node => apply("sqrt", squaredLength("norm", A, inner));
/** Euclidean norms of the rows, n×1; not differentiable at a zero row */
export const rowNorms = (A: Arg): Node => apply("sqrt", squaredLength("rowNorms", A, rowDots));
/** Euclidean norms of the columns, 1×p; not differentiable at a zero column */
export const colNorms = (A: Arg): Node => apply("sqrt", squaredLength("colNorms", A, columnDots));
/** the mean of all entries */
export function mean(A: Arg): Node {
  const a = one("mean", A);
  return times(literal(1 / (a.rows * a.cols)), total(a));
}

algebra.total = total;
algebra.isSquares = isSquares;
algebra.repeatColumns = repeatColumns;
algebra.repeatRows = repeatRows;
