import { describe, expect, test } from "vitest";
import {
  choleskyDiagonals,
  constantTridiagonal,
  EPS,
  mapDiagonals,
  type solveUpper as Solve,
  solveUpper,
  solveUpperTransposed,
  sparseFromTriplets,
  sparseToDense,
} from "../src/arrays/index.js";
import type { Sparse } from "../src/contracts/matrix.js";
import { jsEngine } from "../src/engine/index.js";
import { analyse, factorize, upperFactor } from "../src/ldlt/index.js";

const m = 9;
const n = m * m;

/** Five-point Laplacian on a square grid */
function laplacian(): Sparse {
  const [i, j, values]: [number[], number[], number[]] = [[], [], []];
  const add = (a: number, b: number, value: number): void => {
    i.push(a, b);
    j.push(b, a);
    values.push(value, value);
  };
  for (let a = 0; a < n; a++) {
    add(a, a, 2);
    if (a >= m) add(a, a - m, -1);
    if (a % m > 0) add(a, a - 1, -1);
  }
  return sparseFromTriplets(n, n, i, j, values);
}

const entries = (A: Sparse): Float64Array => sparseToDense(A).data;

test("UᵀU = PAPᵀ, each row of U begins with its positive diagonal entry, and the rest of a row is above the diagonal", () => {
  const A = laplacian();
  const symbolic = analyse(A)!;
  const U = upperFactor(factorize(jsEngine(), symbolic, A, 0)!);
  const [u, a] = [entries(U), entries(A)];
  let largest = 0;
  for (let r = 0; r < n; r++) {
    for (let c = 0; c < n; c++) {
      let sum = 0;
      for (let k = 0; k < n; k++) sum += u[k * n + r]! * u[k * n + c]!;
      largest = Math.max(largest, Math.abs(sum - a[symbolic.order[r]! * n + symbolic.order[c]!]!));
    }
    const [first, end] = [U.pointers[r]!, U.pointers[r + 1]!];
    expect(U.indices[first]).toBe(r);
    expect(U.values[first]).toBeGreaterThan(0);
    for (let k = first + 1; k < end; k++) expect(U.indices[k]).toBeGreaterThan(r);
  }
  expect(largest).toBeLessThan(100 * EPS);
});

test("a tridiagonal matrix is RᵀR with R bidiagonal, or the first pivot that is not positive is named", () => {
  const of = (main: number) => mapDiagonals(constantTridiagonal(6, -1, main, -1), ({ data }) => data);
  const R = choleskyDiagonals(of(2));
  if (!("values" in R)) throw new Error("it is definite");
  // pivots (k + 2)/(k + 1), and −√((k + 1)/(k + 2)) beside them
  for (let k = 0; k < 6; k++) expect(R.values[2 * k]! ** 2).toBeCloseTo((k + 2) / (k + 1), 14);
  for (let k = 0; k < 5; k++) expect(R.values[2 * k + 1]! ** 2).toBeCloseTo((k + 1) / (k + 2), 14);
  // the pivots of (−1, 1, −1) are 1, 0
  expect(choleskyDiagonals(of(1))).toEqual({ row: 1, pivot: 0 });
  expect(choleskyDiagonals({ main: Float64Array.of(4), upper: Float64Array.of(0) })).toMatchObject({ rows: 1 });
});

describe.each([
  ["U⁻¹", solveUpper, false],
  ["U⁻ᵀ", solveUpperTransposed, true],
] as [string, typeof Solve, boolean][])("substitution by %s", (_, solve, turned) => {
  test.each([1, 2, 5])("solves with %i right sides, whose residual is roundoff", (cols) => {
    const A = laplacian();
    const U = upperFactor(factorize(jsEngine(), analyse(A)!, A, 0)!);
    const u = entries(U);
    const right = Float64Array.from({ length: n * cols }, (_, k) => Math.sin(k + 1));
    const x = right.slice();
    solve(U, x, cols);
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < cols; j++) {
        let [sum, size] = [0, 0];
        for (let k = 0; k < n; k++) {
          const term = (turned ? u[k * n + i]! : u[i * n + k]!) * x[k * cols + j]!;
          sum += term;
          size += Math.abs(term);
        }
        expect(Math.abs(sum - right[i * cols + j]!)).toBeLessThan(n * EPS * (size + 1));
      }
    }
  });
});
