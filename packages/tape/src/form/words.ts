/**
 * ∇f as a polynomial in X: a sum of words c·tr(…)·tr(…)·F₁F₂…, in which every factor is X, Xᵀ, a constant, or an opaque node that
 * depends on X in another way. Computed on the graph by the rules of algebra.
 */
import { reachable } from "../differentiate.js";
import { isScalar, type Node } from "../graph.js";
import { isLiteral, literal, numberOf } from "../leaves.js";
import { diag, diagOp } from "../operations/diagonal-matrix.js";
import { hadamard, hadamardOp } from "../operations/elementwise.js";
import { coefficientsOf, full, fullOp, linOp, scaleOp, transpose, transposeOp } from "../operations/linear.js";
import {
  chain,
  chainOp,
  colsOf,
  type Factor,
  factors,
  factorsOf,
  rowsOf,
  traceOp,
  transposed,
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
import type { Constants } from "./constants.js";
import { splitter } from "./rank-one.js";
import { arithmetic, isConstant, isNonzero, scaled, TooMany, type Word, word } from "./word.js";

/** The words whose sum is G; undefined if there are too many */
export function wordsOf(G: Node, known: Constants): Word[] | undefined {
  const split = splitter(known);
  const { product, merged, tidy, closed } = arithmetic(known, opened);
  const memo = new Map<Node, Word[]>();
  try {
    // in this order recursion stays shallow
    for (const n of reachable([G])) if (n.level > 0) matrix([n, false]);
    return matrix([G, false]).filter(isNonzero);
  } catch (error) {
    if (error instanceof TooMany) return undefined;
    throw error;
  }

  function matrix([n, turned]: Factor): Word[] {
    let words = memo.get(n);
    if (!words) memo.set(n, (words = merged(isScalar(n) ? number(n) : expanded(n))));
    return turned ? words.map((word) => ({ ...word, factors: transposed(word.factors) })) : words;
  }

  function expanded(n: Node): Word[] {
    const [A, B] = n.args as [Node, Node];
    if (n.op === linOp) return sum(n);
    if (n.op === transposeOp) return matrix([A, true]);
    if (n.op === scaleOp) return product(factors(A, B).map(matrix));
    if (n.op === chainOp) return product(factorsOf(n).map(matrix));
    if (n.op === fullOp && !(n.cols === 1 && isLiteral(A) && numberOf(A) === 1)) {
      return product(factors(A, ones(n.rows), turned(ones(n.cols))).map(matrix));
    }
    if (n.op === diagOp && A.op === fullOp) return matrix([A.args[0]!, false]);
    const sides = sumsAndCopies(n);
    if (sides) return product(sides.map(matrix));
    const entries = ENTRYWISE.has(n.op) && n.level > 0 ? entrywise(A, B) : undefined;
    if (!entries) return [word(1, factors(n))];
    if (n.op === rowDotsOp) return product([entries, matrix([ones(A.cols), false])]);
    return n.op === columnDotsOp ? product([matrix([ones(A.rows), true]), entries]) : entries;
  }

  /** A 1×1 node: words without factors */
  function number(n: Node): Word[] {
    if (n.level === 0) return [word(known.number(n), [])];
    const [A, B] = n.args as [Node, Node];
    if (n.op === linOp) return sum(n);
    if (n.op === hadamardOp) return product(factors(A, B).map(matrix));
    if (isSquare(n)) return product(factors(A, A).map(matrix));
    if (n.op === sumOp) return product(factors(turned(ones(A.rows)), A, ones(A.cols)).map(matrix));
    if (n.op === traceOp) {
      const cycle = movedOver(factorsOf(n));
      return product(cycle.map(matrix)).map((word) => closed(word, rowsOf(cycle[0]!)));
    }
    return [tidy(word(1, factors(n)))];
  }

  function sum(n: Node): Word[] {
    return n.args.flatMap((A, i) => scaled(coefficientsOf(n)[i]!, matrix([A, false])));
  }

  /** ⟨V, A∘B⟩ = ⟨V∘A, B⟩ for constants V and A, and the same where rows or columns of A∘B are added up */
  function movedOver(cycle: readonly Factor[]): readonly Factor[] {
    const [V, F] = cycle[0]![0].level === 0 ? cycle : [cycle[1]!, cycle[0]!];
    const { op, args } = F![0];
    const at = args.findIndex(({ level }) => level > 0);
    if (cycle.length > 2 || V![0].level > 0 || !ENTRYWISE.has(op) || args[1 - at]!.level > 0) return cycle;
    // tr(VF) = ⟨Vᵀ, F⟩, and tr(VFᵀ) = ⟨V, F⟩
    const adjoint = op.vjp!(F![0], V![1] === F![1] ? transpose(V![0]) : V![0])[at]!;
    return [turned(adjoint), [args[at]!, false]];
  }

  /** A∘B for a constant A or B that is a sum of products uvᵀ: (uvᵀ)∘B = Diag(u)·B·Diag(v) */
  function entrywise(A: Node, B: Node): Word[] | undefined {
    if (A.level > 0) return B.level > 0 ? undefined : entrywise(B, A);
    const scaledBy = (c: number, [u, vT]: readonly [Factor[], Factor[]]): Word[] =>
      scaled(c, product(factors(diag(chain(u)), B, diag(chain(transposed(vT)))).map(matrix)));
    const parts = matrix([A, false]).map(({ c, factors }) => ({ c, sides: split(factors, A.rows) }));
    if (parts.every(({ sides }) => sides)) return parts.flatMap(({ c, sides }) => scaledBy(c, sides!));
    const sides = split(factors(A), A.rows);
    return sides && scaledBy(1, sides);
  }

  function opened(one: Word): Word[] {
    const { factors } = one;
    const match = besideDiagonal(factors);
    if (!match) return [tidy(one)];
    const { from, to, inside } = match;
    const before = { ...one, factors: factors.slice(0, from) };
    return product([[before], ...inside.map(matrix), [word(1, factors.slice(to))]]);
  }
}

/**
 * Diag(a)·Diag(b) = Diag(a∘b), and Diag(a)·b = Diag(b)·a for a constant column b beside a diagonal that depends on X, and the
 * same for rows: the replacement `inside` of factors from … to − 1
 */
function besideDiagonal(row: readonly Factor[]): { from: number; to: number; inside: Factor[] } | undefined {
  const isDiagonal = (F: Factor | undefined): boolean => F?.[0].op === diagOp;
  const vector = (i: number): Node => row[i]![0].args[0]!;
  const pair = row.findIndex((F, i) => isDiagonal(F) && isDiagonal(row[i + 1]));
  if (pair >= 0) return { from: pair, to: pair + 2, inside: factors(diag(hadamard(vector(pair), vector(pair + 1)))) };
  const at = row.findIndex((F) => isDiagonal(F) && F[0].level > 0);
  if (at < 0) return undefined;
  const end = row.findIndex((F, i) => i > at && colsOf(F) === 1) + 1;
  if (end > 0 && isConstant(row.slice(at + 1, end))) {
    return { from: at, to: end, inside: factors(diag(chain(row.slice(at + 1, end))), vector(at)) };
  }
  const from = row.findLastIndex((F, i) => i < at && rowsOf(F) === 1);
  if (from < 0 || !isConstant(row.slice(from, at))) return undefined;
  return { from, to: at + 1, inside: factors(turned(vector(at)), diag(chain(transposed(row.slice(from, at))))) };
}

const ENTRYWISE = new Set([hadamardOp, rowDotsOp, columnDotsOp]);

/** The vector 1 of so many entries */
const ones = (size: number): Node => full(literal(1), size, 1);

/** Sums of rows or columns, and copies of one: products with a vector of ones */
function sumsAndCopies(n: Node): Factor[] | undefined {
  const A = n.args[0]!;
  if (n.op === rowSumsOp) return factors(A, ones(A.cols));
  if (n.op === columnSumsOp) return factors(turned(ones(A.rows)), A);
  if (n.op === repeatColumnsOp) return factors(A, turned(ones(n.cols)));
  return n.op === repeatRowsOp ? factors(ones(n.rows), A) : undefined;
}
