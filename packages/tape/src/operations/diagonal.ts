/** The diagonal of a square matrix. */
import { fail, isScalar, type Node, node, type Operation, shapeOf } from "../graph.js";
import { type Arg, lift } from "../leaves.js";
import { algebra } from "./algebra.js";
import { diag, diagOp } from "./diagonal-matrix.js";
import { hadamard } from "./elementwise.js";
import { dense, full, fullOp, joined, lin, linOp, split, transpose, transposeOp } from "./linear.js";
import { chain, chainOp, factorsOf, hasEntries } from "./product.js";
import { columnDots, rowDots } from "./reduce.js";

/** (A₁₁, …, A_nn)ᵀ */
export const diagonalOp: Operation = {
  name: "diagonal",
  axes: "ii->i1",
  vjp: (_n, w) => [diag(w)],
  jvp: (_n, [dA]) => diagonal(dA!),
};

/** The diagonal of a square matrix; a product is not formed for it. */
export function diagonal(A: Node): Node {
  if (isScalar(A)) return A;
  const { c, s, base } = split(A);
  if (base !== A) return joined(c, s, diagonal(base));
  if (A.op === diagOp) return A.args[0]!;
  if (A.op === transposeOp) return diagonal(A.args[0]!);
  if (A.op === fullOp) return full(A.args[0]!, A.rows, 1);
  if (A.op === linOp) {
    const k = A.detail as readonly number[];
    return lin(A.args.map((B, i) => [k[i]!, diagonal(B)]));
  }
  return A.op === chainOp ? productDiagonal(A) : node(diagonalOp, [A], A.rows, 1);
}

/** diagonal(P·Q)_i = ⟨row i of P, column i of Q⟩, for P and Q with entries, which operators do not have */
function productDiagonal(A: Node): Node {
  const factors = factorsOf(A);
  const [[F, turned], [G, last]] = [factors[0]!, factors.at(-1)!];
  if (F.op === diagOp && hasEntries(factors)) return hadamard(F.args[0]!, diagonal(chain(factors.slice(1))));
  if (G.op === diagOp && hasEntries(factors)) return hadamard(diagonal(chain(factors.slice(0, -1))), G.args[0]!);
  const cuts = factors.map((_, i) => i).filter((i) => hasEntries(factors.slice(0, i)) && hasEntries(factors.slice(i)));
  if (cuts.length === 0) return node(diagonalOp, [A], A.rows, 1);
  if (turned && cuts[0] === 1) return transpose(columnDots(F, chain(factors.slice(1))));
  if (last && cuts.at(-1) === factors.length - 1) return rowDots(chain(factors.slice(0, -1)), G);
  return rowDots(chain(factors.slice(0, cuts[0])), transpose(chain(factors.slice(cuts[0]))));
}

/** Diag(v) of a vector v; the diagonal, n×1, of a square matrix */
export function diagOf(A: Arg): Node {
  const a = dense("diag", lift("diag", A));
  if (a.cols === 1) return diag(a);
  if (a.rows === 1) return diag(transpose(a));
  if (a.rows !== a.cols) fail("diag", `the matrix is ${shapeOf(a)}; it must be a vector or square`);
  return diagonal(a);
}

algebra.diagonal = diagonal;
