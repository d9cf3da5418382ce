/**
 * f as a polynomial in X: a sum of traces of words, f = constant + Σ c_k·tr(F₁F₂…), in which every factor is X, Xᵀ or
 * a constant. Found on the graph by the rules of algebra alone; what is no such sum of degree 2 or less has no words.
 */
import { isScalar, type Node } from "../graph.js";
import { inputOp, literal } from "../leaves.js";
import { diagonalOp } from "../operations/diagonal.js";
import { diag, diagOp } from "../operations/diagonal-matrix.js";
import { hadamard, hadamardOp } from "../operations/elementwise.js";
import { coefficientsOf, full, fullOp, linOp, scaleOp, transpose, transposeOp } from "../operations/linear.js";
import {
  chainOp,
  colsOf,
  type Factor,
  factors,
  factorsOf,
  reversed,
  rotated,
  rowsOf,
  traceOp,
  turned,
} from "../operations/product.js";
import {
  columnDotsOp,
  columnSumsOp,
  isSquare,
  repeatColumnsOp,
  repeatRowsOp,
  rowDotsOp,
  rowSumsOp,
  sumOp,
} from "../operations/reduce.js";

/** c·F₁F₂…F_k; no factors: c·I */
export interface Word {
  readonly c: number;
  readonly factors: readonly Factor[];
}

/** No polynomial of degree 2 or less in X */
class Other extends Error {}

/** More words than anybody writes: a product of long sums */
const MOST = 400;

/** The traces that f is made of, or nothing; `value` is the number of a constant scalar. */
export function wordsOf(f: Node, value: (constant: Node) => number): Word[] | undefined {
  try {
    return scalar(f);
  } catch (error) {
    if (error instanceof Other) return undefined;
    throw error;
  }

  /** A number as a sum of traces; one that is constant is only said to be there, as a word without factors */
  function scalar(n: Node): Word[] {
    if (n.level === 0) return [{ c: 1, factors: [] }];
    const [A, B] = n.args as [Node, Node];
    if (n.op === linOp) return n.args.flatMap((A, i) => scaled(coefficientsOf(n)[i]!, scalar(A)));
    if (n.op === hadamardOp && A.level === 0) return scaled(value(A), scalar(B));
    if (n.op === hadamardOp && B.level === 0) return scaled(value(B), scalar(A));
    if (n.op === traceOp) return ofTrace(factorsOf(n));
    if (n.op === sumOp) return inner(full(literal(1), A.rows, A.cols), A);
    if (n.op === hadamardOp) return product([single(A, true), single(B, false)]);
    if (isSquare(n)) return product([single(A, true), single(A, false)]);
    throw new Other();
  }

  /** The same as a sum of 1×1 products, uᵀXz or, turned, zᵀXᵀu: these may be multiplied, and traces may not */
  function single(n: Node, turned: boolean): Word[] {
    if (n.level === 0) return [{ c: value(n), factors: [] }];
    if (n.op === linOp) return n.args.flatMap((A, i) => scaled(coefficientsOf(n)[i]!, single(A, turned)));
    return scalar(n).map(({ c, factors }) => {
      const at = factors.findIndex((F) => rowsOf(F) === 1);
      if (at < 0) throw new Other();
      const cut = rotated(factors, at);
      const [, is] = cut.find(([F]) => F.op === inputOp)!;
      return { c, factors: is === turned ? cut : reversed(cut) };
    });
  }

  function ofTrace(factors: readonly Factor[]): Word[] {
    const [[A, first], [B, second]] = factors as [Factor, Factor];
    if (factors.length === 2 && A.level === 0) return inner(first ? A : transpose(A), second ? transpose(B) : B);
    if (factors.length === 2 && B.level === 0) return inner(second ? B : transpose(B), first ? transpose(A) : A);
    return weighted(factors) ?? product(factors.map(matrix));
  }

  /** aᵀ(B∘C)b = tr(Diag(a)·B·Diag(b)·Cᵀ) for constant vectors a and b */
  function weighted(factors: readonly Factor[]): Word[] | undefined {
    if (factors.length !== 3) return undefined;
    const [[A, turned], b, a] = rotated(
      factors,
      factors.findIndex(([F]) => F.level > 0),
    ) as [Factor, Factor, Factor];
    if (a[0].level + b[0].level > 0 || colsOf(b) > 1 || !(A.op === hadamardOp || isSquare(A))) return undefined;
    const [B, C = B] = A.args as [Node, Node?];
    const diagonal = ([F, is]: Factor, column: boolean): Word[] =>
      matrix([diag(is === column ? transpose(F) : F), false]);
    return product([diagonal(a, false), matrix([B!, turned]), diagonal(b, true), matrix([C!, !turned])]);
  }

  /** ⟨V, A⟩ for a constant V: what products entry by entry are good for */
  function inner(V: Node, A: Node): Word[] {
    const [B, C] = A.args as [Node, Node];
    if (A.op === linOp) return A.args.flatMap((B, i) => scaled(coefficientsOf(A)[i]!, inner(V, B)));
    if (A.op === scaleOp && B.level === 0) return scaled(value(B), inner(V, C));
    if (A.op === transposeOp) return inner(transpose(V), B);
    if (A.op === hadamardOp && B.level === 0) return inner(hadamard(V, B), C);
    if (A.op === hadamardOp && C.level === 0) return inner(hadamard(V, C), B);
    const column = A.cols === 1;
    if (!column && A.rows > 1) return entrywise(V, A) ?? product([matrix([V, true]), matrix([A, false])]);
    const D = matrix([diag(column ? V : transpose(V)), false]);
    if (A.op === rowDotsOp) return product([D, matrix([B, false]), matrix([C, true])]);
    if (A.op === columnDotsOp) return product([D, matrix([B, true]), matrix([C, false])]);
    if (A.op === diagonalOp) return product([D, matrix([B, false])]);
    if (A.op === hadamardOp) return product([D, matrix([B, !column]), matrix([C, column])]);
    if (isSquare(A)) return product([D, matrix([B, !column]), matrix([B, column])]);
    return product([matrix([V, true]), matrix([A, false])]);
  }

  /** ⟨c·11ᵀ, B∘C⟩ = c·tr(BᵀC) */
  function entrywise(V: Node, A: Node): Word[] | undefined {
    if (V.op !== fullOp || !(A.op === hadamardOp || isSquare(A))) return undefined;
    const [B, C = B] = A.args as [Node, Node?];
    return scaled(value(V.args[0]!), product([matrix([B!, true]), matrix([C!, false])]));
  }

  /** A matrix as a sum of words */
  function matrix([n, turned]: Factor): Word[] {
    const [A, B] = n.args as [Node, Node];
    if (n.op === inputOp) return [{ c: 1, factors: [[n, turned]] }];
    if (n.op === linOp) return n.args.flatMap((A, i) => scaled(coefficientsOf(n)[i]!, matrix([A, turned])));
    if (n.op === transposeOp) return matrix([A, !turned]);
    if (n.op === scaleOp && A.level === 0) return scaled(value(A), matrix([B, turned]));
    if (n.op === chainOp) return product((turned ? reversed(factorsOf(n)) : factorsOf(n)).map(matrix));
    if (n.op === fullOp && A.level === 0 && n.rows > 1 && n.cols > 1) {
      const [rows, cols] = turned ? [n.cols, n.rows] : [n.rows, n.cols];
      return scaled(value(A), product([ones(rows, false), ones(cols, true)]));
    }
    const sides = sumsAndCopies(n);
    if (sides) return product((turned ? reversed(sides) : sides).map(matrix));
    if (n.level > 0) throw new Other();
    if (n.op === diagOp && A.op === fullOp) return [{ c: value(A.args[0]!), factors: [] }];
    if (isScalar(n)) return [{ c: value(n), factors: [] }];
    return [{ c: 1, factors: [[n, turned && !n.symmetric]] }];
  }

  /** The vector 1 of so many entries */
  function ones(size: number, turned: boolean): Word[] {
    return matrix([full(literal(1), size, 1), turned]);
  }
}

/** Sums of rows or columns, and copies of one: products with a vector of ones */
function sumsAndCopies(n: Node): Factor[] | undefined {
  const A = n.args[0]!;
  const one = (size: number): Node => full(literal(1), size, 1);
  if (n.op === rowSumsOp) return factors(A, one(A.cols));
  if (n.op === columnSumsOp) return factors(turned(one(A.rows)), A);
  if (n.op === repeatColumnsOp) return factors(A, turned(one(n.cols)));
  return n.op === repeatRowsOp ? factors(one(n.rows), A) : undefined;
}

const scaled = (c: number, words: readonly Word[]): Word[] => words.map((word) => ({ ...word, c: c * word.c }));

/** Every word of the first sum times every word of the second, … */
function product(sums: readonly Word[][]): Word[] {
  return sums.reduce((left, right) => {
    if (left.length * right.length > MOST) throw new Other();
    return left.flatMap((u) => right.map((v) => times(u, v)));
  });
}

function times(u: Word, v: Word): Word {
  const factors = [...u.factors, ...v.factors];
  if (degree(factors) > 2) throw new Other();
  return { c: u.c * v.c, factors };
}

/** How often X stands in it */
export const degree = (factors: readonly Factor[]): number => factors.filter(([F]) => F.op === inputOp).length;
