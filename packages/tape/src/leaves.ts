/** The leaves of a formula: X, D, numbers, dense constants, named parameters, and operators known by their action */

import type { Matrix, NumericLike, Tridiagonal } from "@expen/linalg";
import { bool, chosenOptions, described, isForeignMatrix, numericMatrix, type Sparse } from "@expen/linalg";
import { isSymmetric, sparseIsSymmetric, sparseToDense } from "@expen/linalg/arrays";
import {
  activeGraph,
  type Expr,
  fail,
  isScalar,
  type Level,
  leaf,
  type Node,
  node,
  type Operation,
  shapeOf,
} from "./graph.js";

/** A sparse matrix in compressed rows: row i has values[k] at column indices[k], pointers[i] ≤ k < pointers[i + 1]. */
export interface SparseRows {
  readonly rows: number;
  readonly cols: number;
  readonly pointers: ArrayLike<number>;
  readonly indices: ArrayLike<number>;
  readonly values: ArrayLike<number>;
}

/** A named number or matrix that may change between runs without recording the formula again */
export interface Parameter {
  readonly parameter: string;
  readonly value: number | Matrix;
  /** declared symmetric, now and after changes: derivatives become cheaper */
  readonly symmetric: boolean;
}

/** An argument of an operation: an expression, a number, or data, which becomes a constant. Data must not change afterwards. */
export type Arg = Expr | number | Matrix | readonly (readonly number[])[] | SparseRows | Tridiagonal | Parameter;

export const literalOp: Operation = { name: "number" };
export const inputOp: Operation = { name: "input" };
export const constantOp: Operation = { name: "constant" };
export const parameterOp: Operation = { name: "parameter" };
export const operatorOp: Operation = { name: "operator" };

/** An operator: a sparse S, or a tridiagonal T or T⁻¹. It occurs only as a factor of products. */
export interface Operator {
  readonly sparse?: Sparse;
  readonly tridiagonal?: Tridiagonal;
  readonly inverse: boolean;
  /** its rows are rows of the identity, so that it may be stored with all its entries */
  readonly isSelector?: boolean;
}

export const literal = (value: number): Node => node(literalOp, [], 1, 1, value);
export const isLiteral = (n: Node): boolean => n.op === literalOp;
export const numberOf = (n: Node): number => n.detail as number;

export const input = (name: string, rows: number, cols: number, level: Level): Node =>
  leaf(inputOp, name, { rows, cols }, { level });

/** A parameter for `compile(…).set(name, value)`; its shape is that of its first value. */
export function parameter(name: string, value: number | NumericLike, options: { symmetric?: boolean } = {}): Parameter {
  if (typeof name !== "string") fail("parameter", `its name is ${described(name)}; write parameter("B", B)`);
  const { symmetric = false } = chosenOptions("parameter", options, { symmetric: bool });
  return { parameter: name, value: parameterValue("parameter", name, value), symmetric };
}

/** The value of a parameter, rows of numbers as a matrix */
export function parameterValue(operation: string, name: string, value: number | NumericLike): number | Matrix {
  if (typeof value === "number") return value;
  if (typeof value !== "object" || value === null)
    return fail(operation, `the value of '${name}' is ${described(value)}; give a number or a matrix`);
  return isForeignMatrix(value) ? numericMatrix(value) : value;
}

/** The expression for an argument of an operation. */
export function lift(operation: string, a: Arg): Node {
  if (typeof a === "number") {
    if (Number.isNaN(a)) fail(operation, "an argument is NaN, give a number");
    return literal(a);
  }
  if (a === null || typeof a !== "object")
    return fail(
      operation,
      a === undefined
        ? "an argument is undefined; give an expression, a number or a matrix (Xᵀ is t(X))"
        : `an argument is ${described(a)}; give an expression, a number or a matrix`,
    );
  if ("op" in a && "graph" in a) {
    const n = a as Node;
    if (n.graph !== activeGraph())
      fail(operation, "an argument belongs to another recorded function; record it again in this one");
    return n;
  }
  if ("parameter" in a) return liftParameter(operation, a);
  if (isRows(a)) return liftRows(operation, a);
  if (isSparse(a)) return liftOperator(operation, a, { sparse: typed(operation, a), inverse: false }, a);
  if ("lower" in a && "main" in a) {
    const n = a.main.rows;
    return liftOperator(operation, a, { tridiagonal: a, inverse: false }, { rows: n, cols: n });
  }
  if ("data" in a && "rows" in a) return liftDense(operation, a as Matrix);
  if ("re" in a && "im" in a)
    fail(operation, "an argument is a complex matrix { re, im }; give a real one, as re(…), im(…) and abs(…) are");
  const parts = Object.keys(a);
  if (parts.length > 0 && Object.values(a).every((part) => typeof part === "object" && part && "graph" in part)) {
    fail(operation, `an argument is the point { ${parts.join(", ")} } of several matrices; take one of them`);
  }
  return fail(operation, "an argument is an object that is no expression, matrix, sparse matrix or tridiagonal matrix");
}

const isSparse = (a: object): a is SparseRows => "values" in a && "indices" in a;
const isRows = (a: object): a is readonly (readonly number[])[] => Array.isArray(a);

/** The rows of the identity matrix of a list, as one matrix; made once in a formula for each name */
export function selectorByName(name: string, list: readonly number[], size: number): Node {
  const { leaves } = activeGraph();
  let known = leaves.get(name);
  if (!known) {
    const rows = list.length;
    const sparse: Sparse = {
      rows,
      cols: size,
      pointers: Int32Array.from({ length: rows + 1 }, (_, i) => i),
      indices: Int32Array.from(list),
      values: new Float64Array(rows).fill(1),
    };
    known = liftOperator("rows", sparse, { sparse, inverse: false, isSelector: true }, sparse);
    leaves.set(name, known);
  }
  return known;
}

function liftDense(operation: string, a: Matrix): Node {
  const known = activeGraph().leaves.get(a);
  if (known) return known;
  const numbers = activeGraph().read(a);
  if (numbers.length !== a.rows * a.cols)
    fail(operation, `a constant says ${shapeOf(a)} but has ${numbers.length} numbers`);
  const odd = numbers.findIndex(Number.isNaN);
  if (odd >= 0) {
    const at = `(${Math.floor(odd / a.cols)}, ${odd % a.cols})`;
    fail(operation, `entry ${at} of a constant ${shapeOf(a)} is NaN; give data without it`);
  }
  if (a.rows * a.cols === 1) return literal(numbers[0]!);
  return leaf(constantOp, a, a, { symmetric: denseIsSymmetric(a, numbers) });
}

function liftRows(operation: string, a: readonly (readonly number[])[]): Node {
  const known = activeGraph().leaves.get(a);
  if (known) return known;
  const cols = a[0]?.length ?? 0;
  if (!a.every((row) => typeof row === "object" && Array.from(row).every((v) => typeof v === "number")))
    fail(operation, "a constant given as an array of rows has rows or entries that are no numbers");
  if (a.some((row) => row?.length !== cols))
    fail(operation, "a constant given as an array of rows has rows of different lengths");
  const dense = { rows: a.length, cols, data: Float64Array.from(a.flat()) };
  const result = liftDense(operation, dense);
  activeGraph().leaves.set(a, result);
  return result;
}

function liftParameter(operation: string, a: Parameter): Node {
  for (const other of activeGraph().leaves.keys()) {
    if (other !== a && (other as Parameter)?.parameter === a.parameter) {
      fail(operation, `two parameters have the name '${a.parameter}'; give them different names`);
    }
  }
  if (a.symmetric && typeof a.value !== "number" && !denseIsSymmetric(a.value, activeGraph().read(a.value))) {
    fail(operation, `parameter '${a.parameter}' is declared symmetric but its value is not`);
  }
  const shape = typeof a.value === "number" ? { rows: 1, cols: 1 } : a.value;
  return leaf(parameterOp, a, shape, { symmetric: a.symmetric });
}

function liftOperator(operation: string, source: object, operator: Operator, shape: Expr): Node {
  const { leaves } = activeGraph();
  let known = leaves.get(source);
  if (!known) {
    const { sparse, tridiagonal } = operator;
    if (sparse && (sparse.rows === 1 || sparse.cols === 1)) known = liftDense(operation, sparseToDense(sparse));
    else if (isScalar(shape)) known = literal(activeGraph().read(tridiagonal!.main)[0]!);
    else {
      const symmetric = sparse ? sparseIsSymmetric(sparse) : tridiagonalIsSymmetric(tridiagonal!);
      known = leaf(operatorOp, operator, shape, { symmetric });
    }
    leaves.set(source, known);
  }
  return known;
}

export const operatorOf = (n: Node): Operator => n.detail as Operator;

export const denseIsSymmetric = ({ rows, cols }: Expr, data: Float64Array): boolean =>
  rows === cols && isSymmetric(data, rows);

function tridiagonalIsSymmetric(T: Tridiagonal): boolean {
  const [lower, upper] = [T.lower, T.upper].map(activeGraph().read) as [Float64Array, Float64Array];
  for (let i = 1; i < lower.length; i++) if (lower[i] !== upper[i - 1]) return false;
  return true;
}

/** S in typed arrays; throws if its arrays are inconsistent. */
function typed(operation: string, S: SparseRows): Sparse {
  const size = S.values.length;
  if (S.pointers.length !== S.rows + 1 || S.pointers[S.rows] !== size || S.indices.length !== size) {
    fail(
      operation,
      `a sparse matrix ${shapeOf(S)} needs ${S.rows + 1} pointers that end with ${size}, and ${size} indices; ` +
        `it has ${S.pointers.length} and ${S.indices.length}`,
    );
  }
  for (let k = 0; k < size; k++) {
    const j = S.indices[k]!;
    if (!(j >= 0 && j < S.cols)) fail(operation, `a sparse matrix ${shapeOf(S)} has the column index ${j}`);
    if (Number.isNaN(S.values[k]))
      fail(operation, `value ${k} of a sparse matrix ${shapeOf(S)} is NaN; give data without it`);
  }
  const { rows, cols, pointers, indices, values } = S;
  return {
    rows,
    cols,
    pointers: pointers instanceof Int32Array ? pointers : Int32Array.from(pointers),
    indices: indices instanceof Int32Array ? indices : Int32Array.from(indices),
    values: values instanceof Float64Array ? values : Float64Array.from(values),
  };
}

/** T⁻¹ for a tridiagonal T */
export function inverseOperator(operation: string, n: Node): Node {
  const { tridiagonal, inverse } = operatorOf(n);
  if (!tridiagonal)
    return fail(operation, `a sparse matrix (${shapeOf(n)}) has no inverse here; only tridiagonal and dense ones have`);
  const { leaves } = activeGraph();
  const name = `inverse of ${n.id}`;
  let known = leaves.get(name);
  if (!known) {
    known = leaf(operatorOp, { tridiagonal, inverse: !inverse }, n, { symmetric: n.symmetric });
    leaves.set(name, known);
  }
  return known;
}
