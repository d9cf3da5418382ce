/**
 * Y ← B·X for B = Σ c_k·F₁F₂…, any number of columns: words of one factor are added up beforehand, longer ones are
 * applied factor by factor.
 */
import { type Sparse, sparseFromTriplets, sparseIsSorted } from "../../arrays/sparse.js";
import { symmetricPart } from "../../arrays/symmetric.js";
import { mapDiagonals, toTridiagonal } from "../../arrays/tridiagonal.js";
import type { Engine, Matrix, Operator, QuadraticForm, Tall, Tridiagonal } from "../../types.js";
import type { Node } from "../graph.js";
import type { HeldData } from "../held.js";
import { constantOp, operatorOf, operatorOp, parameterOp } from "../leaves.js";
import { diagOp } from "../operations/diagonal-matrix.js";
import { type Factor, rowsOf } from "../operations/product.js";
import type { Constants } from "./constants.js";
import type { Word } from "./words.js";

/** An n×n matrix this large is not copied for its sum with others. */
const LARGEST_SUM = 6000;

interface Surroundings {
  readonly E: Engine;
  readonly held: Pick<HeldData, "operator">;
  readonly known: Constants;
  readonly read: (M: Matrix) => Float64Array;
}

/** One summand: Y ← a·(its matrix)·X + b·Y */
interface Summand {
  readonly flops: number;
  add(Y: Tall, X: Tall, a: number, b: number): void;
}

export function leftSide(
  { E, held, known, read }: Surroundings,
  n: number,
  words: readonly Word[],
): Pick<QuadraticForm, "apply" | "matrix" | "symmetric" | "flops"> {
  const short = words.filter((word) => word.factors.length === 0 || isPlain(word.factors));
  const long = words.filter((word) => !short.includes(word));
  const merged = short.length > 0 ? mergedWords(short) : undefined;
  const summands = [
    ...(merged ? [summand(merged.operator)] : []),
    ...long.map(({ c, factors }) => scaledSummand(c, inTurn(factors.map(ofFactor)))),
  ];
  return {
    apply(Y, X) {
      if (summands.length === 0) E.fill(Y, 0);
      for (const [i, S] of summands.entries()) S.add(Y, X, 1, i === 0 ? 0 : 1);
    },
    flops: summands.reduce((sum, S) => sum + S.flops, n),
    ...(long.length === 0 && merged && { matrix: merged.matrix, symmetric: true }),
  };

  /** A word that is added up entry by entry: one matrix of data or one diagonal */
  function isPlain(factors: readonly Factor[]): boolean {
    if (factors.length !== 1) return false;
    const [F] = factors[0]!;
    if (F.op === operatorOp) return !operatorOf(F).inverse;
    return F.op === diagOp || n <= LARGEST_SUM;
  }

  function mergedWords(words: readonly Word[]): { operator: Operator; matrix: Matrix | Sparse | Tridiagonal } {
    const leaves = words.flatMap(({ factors }) => factors.map(([F]) => F));
    const [only] = words;
    // the user's own matrix, without a copy
    const own = words.length === 1 && only!.c === 1 ? ownMatrix(leaves[0]) : undefined;
    if (own) return { operator: held.operator(leaves[0]!, false).current, matrix: own };
    if (leaves.some(({ op }) => op !== operatorOp && op !== diagOp)) {
      const data = known.sum(words, n);
      // up to rounding it is symmetric already
      symmetricPart(data, data, n);
      const matrix = { rows: n, cols: n, data };
      return { operator: E.operator(matrix), matrix };
    }
    if (leaves.every((F) => F.op === diagOp || operatorOf(F).tridiagonal)) {
      const matrix = tridiagonalSum(words);
      return { operator: E.operator(matrix), matrix };
    }
    const matrix = sparseSum(words);
    return { operator: E.operator(matrix), matrix };
  }

  function tridiagonalSum(words: readonly Word[]): Tridiagonal {
    const sum = { lower: new Float64Array(n), main: new Float64Array(n), upper: new Float64Array(n) };
    for (const { c, factors } of words) {
      const [F] = factors[0] ?? [];
      const T = F?.op === operatorOp ? mapDiagonals(operatorOf(F).tridiagonal!, read) : undefined;
      const main = T?.main ?? (F ? known.numbers(F.args[0]!) : new Float64Array(n).fill(1));
      for (let i = 0; i < n; i++) {
        sum.main[i]! += c * main[i]!;
        if (!T || i === 0) continue;
        // every word has its transpose beside it: the symmetric part is the sum
        const off = (c * (T.lower[i]! + T.upper[i - 1]!)) / 2;
        sum.lower[i]! += off;
        sum.upper[i - 1]! += off;
      }
    }
    return toTridiagonal(sum);
  }

  function sparseSum(words: readonly Word[]): Sparse {
    const [i, j, v]: [number[], number[], number[]] = [[], [], []];
    const push = (row: number, col: number, value: number): void => {
      i.push(row);
      j.push(col);
      v.push(value);
    };
    for (const { c, factors } of words) {
      const [F, turned] = factors[0] ?? [];
      if (F?.op !== operatorOp) {
        const main = F && known.numbers(F.args[0]!);
        for (let k = 0; k < n; k++) push(k, k, c * (main?.[k] ?? 1));
        continue;
      }
      const { sparse, tridiagonal } = operatorOf(F);
      const T = tridiagonal && mapDiagonals(tridiagonal, read);
      for (let row = 0; row < n; row++) {
        const at = (col: number, value: number): void =>
          turned ? push(col, row, c * value) : push(row, col, c * value);
        if (T) {
          at(row, T.main[row]!);
          if (row > 0) at(row - 1, T.lower[row]!);
          if (row < n - 1) at(row + 1, T.upper[row]!);
        } else {
          for (let k = sparse!.pointers[row]!; k < sparse!.pointers[row + 1]!; k++)
            at(sparse!.indices[k]!, sparse!.values[k]!);
        }
      }
    }
    return sparseFromTriplets(n, n, i, j, v);
  }

  function ofFactor([F, turned]: Factor): Summand & { rows: number } {
    const rows = rowsOf([F, turned]);
    if (F.op === diagOp) {
      const r = E.tall(n, 1, known.numbers(F.args[0]!));
      return { rows, flops: rows, add: (Y, X, a, b) => E.scaleRows(Y, r, X, a, b) };
    }
    if (F.op === operatorOp && operatorOf(F).inverse) {
      const T = held.operator(F, turned);
      const scratch = scratchOf(E, rows);
      const add = (Y: Tall, X: Tall, a: number, b: number): void => {
        const Z = scratch(X.cols);
        T.current.solve!(Z, X);
        if (b === 0) E.combine(Y, a, Z, 0, Z);
        else E.combine(Y, a, Z, b, Y);
      };
      return { rows, flops: 5 * rows, add };
    }
    const own = F.op === operatorOp || F.op === constantOp || F.op === parameterOp;
    const operator = own
      ? held.operator(F, false)
      : { current: E.operator({ rows: F.rows, cols: F.cols, data: known.numbers(F) }) };
    const add = (Y: Tall, X: Tall, a: number, b: number): void =>
      turned ? operator.current.applyT(Y, X, a, b) : operator.current.apply(Y, X, a, b);
    return { rows, flops: operator.current.flops, add };
  }

  /** F₁(F₂(…X)) */
  function inTurn(steps: readonly (Summand & { rows: number })[]): Summand {
    const scratch = steps.map(({ rows }) => scratchOf(E, rows));
    return {
      flops: steps.reduce((sum, { flops }) => sum + flops, 0),
      add(Y, X, a, b) {
        let Z = X;
        for (let i = steps.length - 1; i > 0; i--) {
          const next = scratch[i]!(X.cols);
          steps[i]!.add(next, Z, 1, 0);
          Z = next;
        }
        steps[0]!.add(Y, Z, a, b);
      },
    };
  }
}

/** A symmetric matrix of data that needs nothing done to it */
function ownMatrix(F: Node | undefined): Matrix | Sparse | undefined {
  if (F?.op === constantOp) return F.detail as Matrix;
  const sparse = F?.op === operatorOp ? operatorOf(F).sparse : undefined;
  return sparse && sparseIsSorted(sparse) ? sparse : undefined;
}

const summand = ({ flops, apply }: Operator): Summand => ({ flops, add: apply });
const scaledSummand = (c: number, { flops, add }: Summand): Summand => ({
  flops,
  add: (Y, X, a, b) => add(Y, X, a * c, b),
});

/** Tall matrices of so many rows, one for each number of columns that is asked for */
function scratchOf(E: Engine, rows: number): (cols: number) => Tall {
  const made = new Map<number, Tall>();
  return (cols) => {
    let Z = made.get(cols);
    if (!Z) made.set(cols, (Z = E.tall(rows, cols)));
    return Z;
  };
}
