/** The numbers of what does not depend on X, row after row in host memory: worked out once, when a form is made. */
import { luFactor, luIsSingular, luSolve } from "../../arrays/lu.js";
import { sparseToDense } from "../../arrays/sparse.js";
import { transposed } from "../../arrays/transpose.js";
import { denseInverse, mapDiagonals, toDense } from "../../arrays/tridiagonal.js";
import type { Matrix } from "../../types.js";
import type { Node } from "../graph.js";
import { constantOp, literalOp, numberOf, operatorOf, operatorOp, parameterOp } from "../leaves.js";
import { diagonalOp } from "../operations/diagonal.js";
import { diagOp } from "../operations/diagonal-matrix.js";
import { elementary } from "../operations/elementary.js";
import { type FunctionData, hadamardOp, mapOp } from "../operations/elementwise.js";
import { coefficientsOf, fullOp, linOp, scaleOp, transposeOp } from "../operations/linear.js";
import { chainOp, colsOf, type Factor, factorsOf, rowsOf, traceOp } from "../operations/product.js";
import { rowSumsOp, sumOp } from "../operations/reduce.js";
import { inverseOp } from "../operations/square.js";
import type { Word } from "./words.js";

/** An operation that has no numbers here */
export class Unknown extends Error {}

export interface Constants {
  numbers(n: Node): Float64Array;
  number(n: Node): number;
  /** Σ c·F₁F₂… as a p×p matrix */
  sum(words: readonly Word[], p: number): Float64Array;
}

/** `parameter`: its value at present */
export function constants(read: (M: Matrix) => Float64Array, parameter: (leaf: Node) => number | Matrix): Constants {
  return { numbers, number: (n) => numbers(n)[0]!, sum };

  function numbers(n: Node): Float64Array {
    const { op, args, rows, cols } = n;
    const of = (i: number): Float64Array => numbers(args[i]!);
    const entries = (entry: (k: number) => number): Float64Array =>
      Float64Array.from({ length: rows * cols }, (_, k) => entry(k));
    switch (op) {
      case literalOp:
        return Float64Array.of(numberOf(n));
      case constantOp:
        return read(n.detail as Matrix);
      case parameterOp: {
        const value = parameter(n);
        return typeof value === "number" ? Float64Array.of(value) : read(value);
      }
      case operatorOp:
        return operatorNumbers(n);
      case linOp: {
        const [c, A] = [coefficientsOf(n), args.map(numbers)];
        return entries((k) => A.reduce((sum, a, i) => sum + c[i]! * a[k]!, 0));
      }
      case scaleOp: {
        const [[s], a] = [of(0), of(1)];
        return a.map((v) => s! * v);
      }
      case fullOp:
        return new Float64Array(rows * cols).fill(of(0)[0]!);
      case transposeOp:
        return transposed(of(0), cols, rows);
      case hadamardOp: {
        const [a, b] = [of(0), of(1)];
        return a.map((v, k) => v * b[k]!);
      }
      case mapOp: {
        const [name, ...given] = n.detail as FunctionData;
        return of(0).map((v) => elementary[name].f(v, given));
      }
      case diagOp: {
        const v = of(0);
        return entries((k) => (k % (cols + 1) === 0 ? v[k % cols]! : 0));
      }
      case diagonalOp: {
        const [a, size] = [of(0), args[0]!.cols];
        return entries((i) => a[i * (size + 1)]!);
      }
      case sumOp:
        return Float64Array.of(of(0).reduce((sum, v) => sum + v, 0));
      case rowSumsOp: {
        const [a, size] = [of(0), args[0]!.cols];
        return entries((i) => a.subarray(i * size, (i + 1) * size).reduce((sum, v) => sum + v, 0));
      }
      case chainOp:
        return product(factorsOf(n));
      case inverseOp: {
        const [lu, pivots] = [of(0).slice(), new Int32Array(rows)];
        luFactor(lu, rows, pivots);
        if (luIsSingular(lu, rows)) throw new Unknown("the inverse of a singular matrix");
        const inverse = entries((k) => (k % (rows + 1) === 0 ? 1 : 0));
        luSolve(inverse, rows, lu, rows, pivots);
        return inverse;
      }
      case traceOp: {
        const size = rowsOf(factorsOf(n)[0]!);
        const a = product(factorsOf(n));
        return Float64Array.of(a.reduce((sum, v, k) => (k % (size + 1) === 0 ? sum + v : sum), 0));
      }
      default:
        throw new Unknown(op.name);
    }
  }

  function operatorNumbers(n: Node): Float64Array {
    const { sparse, tridiagonal, inverse } = operatorOf(n);
    if (sparse) return sparseToDense(sparse).data;
    const T = mapDiagonals(tridiagonal!, read);
    return inverse ? denseInverse(T) : toDense(T);
  }

  function factor([F, turned]: Factor): Float64Array {
    const a = numbers(F);
    return turned ? transposed(a, F.rows, F.cols) : a;
  }

  function product(factors: readonly Factor[]): Float64Array {
    let a = factor(factors[0]!);
    const rows = rowsOf(factors[0]!);
    for (const F of factors.slice(1)) a = times(a, rows, factor(F), rowsOf(F), colsOf(F));
    return a;
  }

  function sum(words: readonly Word[], p: number): Float64Array {
    const total = new Float64Array(p * p);
    for (const { c, factors } of words) {
      if (factors.length === 0) for (let i = 0; i < p; i++) total[i * (p + 1)]! += c;
      else for (const [k, v] of product(factors).entries()) total[k]! += c * v;
    }
    return total;
  }
}

/** A·B for A of size m×k and B of size k×n */
function times(a: Float64Array, m: number, b: Float64Array, k: number, n: number): Float64Array {
  const y = new Float64Array(m * n);
  for (let i = 0; i < m; i++) {
    for (let l = 0; l < k; l++) {
      const v = a[i * k + l]!;
      if (v !== 0) for (let j = 0; j < n; j++) y[i * n + j]! += v * b[l * n + j]!;
    }
  }
  return y;
}
