/**
 * Rows, columns, blocks and entries of a matrix, and matrices put together from others. All are products with rows of the identity: these
 * have derivatives, bracketing, shared work and quadratic forms already, and run on engines whose rows lie apart.
 */
import { type Expr, fail, isScalar, type Node, shapeOf } from "../graph.js";
import { type Arg, isLiteral, lift, numberOf, selectorByName } from "../leaves.js";
import { hadamard } from "./elementwise.js";
import { alike, dense, full, plus } from "./linear.js";
import { productOf, turned } from "./product.js";

/** The rows of a list, or those from one number up to another; numbers below 0 count from the end, as in Array.at and slice. */
type Selected = number | readonly number[];

const isAll = (list: readonly number[], size: number): boolean =>
  list.length === size && list.every((index, i) => index === i);

/**
 * Row i of the matrix is row list[i] of the identity. `user`: where it is used; equal ones elsewhere are other matrices, since the sides of
 * one may be spread over processes while those of the other are whole.
 */
const selector = (list: readonly number[], size: number, user: string): Node =>
  selectorByName(`${user}: rows ${list} of ${size}`, list, size);

function fromTo(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, i) => from + i);
}

/** S·A for the selector S of these rows */
const selectedRows = (A: Node, list: readonly number[]): Node =>
  isAll(list, A.rows) ? A : productOf(selector(list, A.rows, `rows of ${A.id}`), A);
const selectedCols = (A: Node, list: readonly number[]): Node =>
  isAll(list, A.cols) ? A : productOf(A, turned(selector(list, A.cols, `columns of ${A.id}`)));

/** `what`: "row" or "column" */
function indexOf(operation: string, i: unknown, size: number, what: string): number {
  const index = Number.isInteger(i) && (i as number) < 0 ? (i as number) + size : i;
  if (Number.isInteger(index) && (index as number) >= 0 && (index as number) < size) return index as number;
  return fail(operation, `there is no ${what} ${i}; the matrix has ${size}, from 0 to ${size - 1}`);
}

function listOf(operation: string, which: Selected, to: number | undefined, size: number, what: string): number[] {
  if (typeof which !== "number") {
    if (!Array.isArray(which) || which.length === 0)
      return fail(
        operation,
        `the ${what}s are ${Array.isArray(which) ? "an empty list" : typeof which}; give their numbers`,
      );
    return which.map((i) => indexOf(operation, i, size, what));
  }
  const [first, end] = [which < 0 ? which + size : which, to === undefined ? size : to < 0 ? to + size : to];
  const fits = Number.isInteger(first) && Number.isInteger(end) && first >= 0 && end <= size && first < end;
  if (!fits)
    fail(
      operation,
      `${what}s from ${which} up to ${to ?? size} are asked for; the matrix has ${size}, from 0 to ${size - 1}`,
    );
  return fromTo(first, end);
}

const matrix = (operation: string, A: Arg): Node => dense(operation, lift(operation, A));

/** The rows `from` … `to` − 1 (to the last one where `to` is left out), or those of a list, in which a row may occur several times */
export function rows(A: Arg, which: Selected, to?: number): Node {
  const a = matrix("rows", A);
  return selectedRows(a, listOf("rows", which, to, a.rows, "row"));
}

/** The columns `from` … `to` − 1, or those of a list */
export function cols(A: Arg, which: Selected, to?: number): Node {
  const a = matrix("cols", A);
  return selectedCols(a, listOf("cols", which, to, a.cols, "column"));
}

/** Row i, 1×p */
export function row(A: Arg, i: number): Node {
  const a = matrix("row", A);
  return selectedRows(a, [indexOf("row", i, a.rows, "row")]);
}

/** Column j, n×1 */
export function col(A: Arg, j: number): Node {
  const a = matrix("col", A);
  return selectedCols(a, [indexOf("col", j, a.cols, "column")]);
}

/** A_ij */
export function entry(A: Arg, i: number, j: number): Node {
  const a = matrix("entry", A);
  return selectedCols(
    selectedRows(a, [indexOf("entry", i, a.rows, "row")]),
    [indexOf("entry", j, a.cols, "column")],
  ); // biome-ignore format: row, then column
}

/** The block of `m` rows and `k` columns whose first entry is A_ij */
export function block(A: Arg, i: number, j: number, m: number, k: number): Node {
  const a = matrix("block", A);
  const [top, left] = [indexOf("block", i, a.rows, "row"), indexOf("block", j, a.cols, "column")];
  for (const [size, room, what] of [[m, a.rows - top, "row"], [k, a.cols - left, "column"]] as const) // biome-ignore format: pairs
    if (!(Number.isInteger(size) && size > 0 && size <= room))
      fail("block", `${size} ${what}s are asked for; there are ${room} from (${i}, ${j}) on in a ${shapeOf(a)} matrix`);
  return selectedCols(selectedRows(a, fromTo(top, top + m)), fromTo(left, left + k));
}

/** A in the rows and columns of a larger matrix that begin with `at`; `place` has the size of that one, `name` tells it from others */
function inPlace(A: Node, place: Expr, at: readonly [row: number, column: number], name: string): Node {
  const left = turned(selector(fromTo(at[0], at[0] + A.rows), place.rows, `rows in ${name}`));
  const right = selector(fromTo(at[1], at[1] + A.cols), place.cols, `columns in ${name}`);
  return productOf(...(A.rows === place.rows ? [] : [left]), A, ...(A.cols === place.cols ? [] : [right]));
}

/** [A; B; …], one below the other */
export function vstack(...args: Arg[]): Node {
  return assembled(
    "vstack",
    requireAlike("vstack", args, "cols", "columns").map((A) => [A]),
  );
}

/** [A, B, …], side by side */
export const hstack = (...args: Arg[]): Node => assembled("hstack", [requireAlike("hstack", args, "rows", "rows")]);

function requireAlike(operation: string, args: readonly Arg[], of: "rows" | "cols", what: string): Node[] {
  const nodes = args.map((A) => matrix(operation, A));
  const sizes = new Set(nodes.filter((A) => !isScalar(A)).map((A) => A[of]));
  if (sizes.size > 1)
    fail(operation, `the matrices are ${nodes.map(shapeOf).join(", ")}; they must have as many ${what}`);
  return nodes;
}

/** A matrix of blocks, given row by row; a number fills its block, whose size follows from the others */
export const blocks = (parts: readonly (readonly Arg[])[]): Node => assembled("blocks", parts);

/** Σ of the blocks, each in its place */
function assembled(operation: string, parts: readonly (readonly Arg[])[]): Node {
  const isGrid = Array.isArray(parts) && parts.length > 0 && parts.every((line) => Array.isArray(line));
  if (!isGrid || parts.some((line) => line.length !== parts[0]!.length || line.length === 0))
    fail(operation, "there must be blocks, in an array of rows with the same number of blocks each");
  const grid = parts.map((line) => line.map((A) => matrix(operation, A)));
  const size = (line: readonly Node[], of: "rows" | "cols"): number => (line.find((A) => !isScalar(A)) ?? line[0]!)[of];
  const heights = grid.map((line) => size(line, "rows"));
  const widths = grid[0]!.map((_, j) => size(grid.map((line) => line[j]!), "cols")); // biome-ignore format: short
  const before = (sizes: readonly number[], i: number): number => sizes.slice(0, i).reduce((sum, s) => sum + s, 0);
  const [rows, cols] = [before(heights, heights.length), before(widths, widths.length)];
  const name = grid.map((line) => line.map(({ id }) => id)).join("; ");
  const placed = grid.flatMap((line, i) =>
    line.map((A, j) => {
      const fits = A.rows === heights[i] && A.cols === widths[j];
      if (!fits && !isScalar(A))
        fail(operation, `block (${i}, ${j}) is ${shapeOf(A)}; beside the others it must be ${heights[i]}×${widths[j]}`);
      if (isLiteral(A) && numberOf(A) === 0) return undefined;
      return inPlace(
        fits ? A : full(A, heights[i]!, widths[j]!),
        { rows, cols },
        [before(heights, i), before(widths, j)],
        name,
      );
    }),
  );
  return plus(placed, { rows, cols });
}

/** P·A·Q with P = I ⊗ 1 or 1 ⊗ I, and Q likewise: each entry of A as a block, or A as each block */
function repeated(A: Node, [m, k]: readonly [number, number], eachEntry: boolean): Node {
  const list = (size: number, times: number): number[] =>
    Array.from({ length: size * times }, (_, i) => (eachEntry ? Math.floor(i / times) : i % size));
  return selectedCols(selectedRows(A, list(A.rows, m)), list(A.cols, k));
}

/** The Kronecker product A ⊗ B, whose block (i, j) is A_ij·B. For (A ⊗ B)·vec(X) write B·X·Aᵀ, which forms nothing. */
export function kron(A: Arg, B: Arg): Node {
  const [a, b] = [matrix("kron", A), matrix("kron", B)];
  if (isScalar(a) || isScalar(b)) return productOfEntries(a, b);
  return productOfEntries(repeated(a, [b.rows, b.cols], true), repeated(b, [a.rows, a.cols], false));
}

function productOfEntries(A: Node, B: Node): Node {
  const [a, b] = alike("kron", [A, B]) as [Node, Node];
  return hadamard(a, b);
}
