/** Points of manifolds from and to files: one matrix, a complex one, or several by name. */
import { extname } from "node:path";
import type { Matrix } from "@expen/linalg";
import { isSparse, sparseToDense } from "@expen/linalg/arrays";
import { loadNumbers, npz, saveMatrix, savePieces } from "./load.js";
import { type ComplexPair, DataError, type Loaded } from "./loaded.js";
import { npyParts, requireReal } from "./npy.js";

/** A matrix, { re, im }, or an object of these by name, in JavaScript memory */
export type Point = Matrix | { readonly [name: string]: Point };

/** A matrix of the requested point; `name`: "U", "W.U"; "" if it is the only one */
interface Expectation {
  readonly name: string;
  readonly complex: boolean;
}

const ending = (path: string): string => extname(path).toLowerCase();
const isMatrix = (point: Point): point is Matrix => "data" in point && "rows" in point;
const isSeveral = (expectations: readonly Expectation[]): boolean => expectations.some(({ name }) => name !== "");

function isComplex(point: Point): boolean {
  const { re, im, ...others } = point as { readonly [name: string]: Point };
  if (!re || !im || Object.keys(others).length > 0 || !isMatrix(re) || !isMatrix(im)) return false;
  return re.rows === im.rows && re.cols === im.cols;
}

/** Throws if the format of this file name cannot store such a point. */
export function requireFileFor(path: string, parts: readonly Expectation[]): void {
  if (isSeveral(parts) && ending(path) !== ".npz") {
    const names = parts.map(({ name }) => name).join(", ");
    throw new DataError(`${path}: X is several matrices (${names}); take an .npz file with arrays of these names.`);
  }
  if (parts.some(({ complex }) => complex) && ![".npy", ".npz"].includes(ending(path))) {
    throw new DataError(`${path}: X is complex; take a name that ends in .npy or .npz.`);
  }
}

/** The point in a file: its only array, or those of an .npz file by name. Real numbers are accepted for complex ones, with a note. */
export async function loadPoint(path: string, parts: readonly Expectation[]): Promise<Loaded<Point>> {
  if (isSeveral(parts)) requireFileFor(path, parts);
  const notes: string[] = [];
  const point: { [name: string]: Point } = {};
  for (const { name, complex } of parts) {
    const { matrix, notes: more } = await loadNumbers(path, name ? { array: name } : {});
    const label = name && `${name}: `;
    notes.push(...more.map((note) => label + note));
    const dense = "re" in matrix || !isSparse(matrix) ? matrix : sparseToDense(matrix);
    const part = complexOrReal(dense, label, complex);
    if (name === "") return { matrix: part, notes };
    // "W.U" is U of W
    const [last, ...way] = name.split(".").reverse() as [string, ...string[]];
    let inside = point;
    for (const key of way.reverse()) inside = (inside[key] ??= {}) as typeof point;
    inside[last] = part;
  }
  return { matrix: point, notes };

  function complexOrReal(M: Matrix | ComplexPair, label: string, complex: boolean): Point {
    if (!complex) return realOf(M, label);
    if ("re" in M) return { re: M.re, im: M.im };
    notes.push(`${label}real numbers taken for complex ones`);
    return { re: M, im: { ...M, data: new Float64Array(M.data.length) } };
  }

  function realOf(M: Matrix | ComplexPair, label: string): Matrix {
    try {
      return requireReal<Matrix>(M);
    } catch (error) {
      throw new DataError(`${path}: ${label}${(error as Error).message}`);
    }
  }
}

/** Writes completely or not at all. A complex matrix is a complex array; nested parts are named "W.U". */
export async function savePoint(path: string, point: Point): Promise<void> {
  if (isMatrix(point)) return saveMatrix(path, point);
  if (ending(path) === ".npz") return savePieces(path, async () => [(await npz()).writeNpz(arraysOf(point))]);
  requireFileFor(path, isComplex(point) ? [{ name: "", complex: true }] : Object.keys(point).map(partNamed));
  await savePieces(path, () => npyParts(point as unknown as ComplexPair));
}

const partNamed = (name: string): Expectation => ({ name, complex: false });

function arraysOf(point: Point, name = ""): Record<string, Matrix | ComplexPair> {
  if (isMatrix(point)) return { [name || "X"]: point };
  if (isComplex(point)) return { [name || "X"]: point as unknown as ComplexPair };
  const parts = Object.entries(point).map(([key, part]) => arraysOf(part, name ? `${name}.${key}` : key));
  return Object.assign({}, ...parts) as Record<string, Matrix | ComplexPair>;
}
