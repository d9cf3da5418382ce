/** The second argument of a formula, one of many items: each number and matrix in it is a parameter, and the formula is recorded once. */

import type { Matrix } from "@expen/linalg";
import { described } from "@expen/linalg";
import { fail, shapeOf } from "./graph.js";
import { type Parameter, parameter } from "./leaves.js";

/** A number, a matrix or rows of numbers, or an object or array of these */
export type Item =
  | number
  | Matrix
  | readonly (readonly number[])[]
  | readonly Item[]
  | { readonly [name: string]: Item };

/** The same item as a formula sees it */
export type SymbolicItem = Parameter & { readonly [name: string]: SymbolicItem };

interface Leaf {
  /** data, data.P, data[2] */
  readonly name: string;
  readonly value: number | Matrix;
}

const isMatrix = (item: object): item is Matrix => "rows" in item && "cols" in item && "data" in item;
const isRows = (item: unknown): item is number[][] => Array.isArray(item) && item.length > 0 && item.every(isRow);
const isRow = (row: unknown): boolean => Array.isArray(row) && row.length > 0 && typeof row[0] === "number";

/** The numbers and matrices of an item, with names */
function* leavesOf(item: unknown, name = "item"): Generator<Leaf> {
  if (typeof item === "number") {
    if (Number.isNaN(item)) fail("formula", `${name} is NaN; give a number`);
    yield { name, value: item };
  } else if (isRows(item)) yield { name, value: matrixOf(item, name) };
  else if (typeof item !== "object" || item === null) {
    fail("formula", `${name} is ${described(item)}; an item has numbers, matrices, and objects of these`);
  } else if (isMatrix(item)) yield { name, value: finite(item, name) };
  else if (Array.isArray(item)) for (const [k, part] of item.entries()) yield* leavesOf(part, `${name}[${k}]`);
  else for (const [key, part] of Object.entries(item)) yield* leavesOf(part, `${name}.${key}`);
}

function matrixOf(rows: number[][], name: string): Matrix {
  const cols = rows[0]!.length;
  const odd = rows.findIndex((row) => row.length !== cols);
  if (odd >= 0) fail("formula", `row ${odd} of ${name} has ${rows[odd]!.length} numbers and row 0 has ${cols}`);
  return finite({ rows: rows.length, cols, data: Float64Array.from(rows.flat()) }, name);
}

function finite(M: Matrix, name: string): Matrix {
  if (M.data.length !== M.rows * M.cols) {
    fail("formula", `${name} says ${shapeOf(M)} but has ${M.data.length} numbers`);
  }
  const odd = M.data.findIndex(Number.isNaN);
  if (odd < 0) return M;
  const at = `(${Math.floor(odd / M.cols)}, ${odd % M.cols})`;
  return fail("formula", `entry ${at} of ${name} is NaN; give data without it`);
}

const shapes = (leaves: readonly Leaf[]): string =>
  leaves.map(({ name, value }) => `${name} ${typeof value === "number" ? "1×1" : shapeOf(value)}`).join(", ");

/** A first item as parameters, and the values of other items for them */
export function itemParameters(item: unknown): {
  symbolic: SymbolicItem;
  /** the values of another item by the names of parameters; undefined where it has other shapes */
  valuesOf(other: unknown): ReadonlyMap<string, number | Matrix> | undefined;
} {
  const leaves = [...leavesOf(item)];
  const parameters = new Map(leaves.map(({ name, value }) => [name, parameter(name, value)]));
  const symbolicOf = (part: unknown, name: string): unknown => {
    const known = parameters.get(name);
    if (known) return known;
    if (Array.isArray(part)) return part.map((one, k) => symbolicOf(one, `${name}[${k}]`));
    return Object.fromEntries(
      Object.entries(Object(part)).map(([key, one]) => [key, symbolicOf(one, `${name}.${key}`)]),
    );
  };
  const expectation = shapes(leaves);
  return {
    symbolic: symbolicOf(item, "item") as SymbolicItem,
    valuesOf(other) {
      const others = [...leavesOf(other)];
      return shapes(others) === expectation ? new Map(others.map(({ name, value }) => [name, value])) : undefined;
    },
  };
}
