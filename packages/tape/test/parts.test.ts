/** Parts of matrices, matrices of parts, choices, angles and operations of the user: values from plain numbers, derivatives by slopes. */
import { random } from "@expen/linalg";
import { jsEngine } from "@expen/linalg/engine";
import { type Rows, rowsOf, times, turned } from "@expen/testing/autodiff/rows";
import { describe, expect, test } from "vitest";
import * as T from "../src/index.js";
import { engines } from "./engines.js";
import { close, expectDerivatives, pointOf } from "./taylor.js";

const [n, p] = [6, 3];
const js = jsEngine();
const X = rowsOf(pointOf(js, n, p));
const data = (rows: number, cols: number, seed: number): Rows => {
  const { normal } = random(seed, "parts");
  return Array.from({ length: rows }, () => Array.from({ length: cols }, normal));
};
const [A, W] = [data(2, 2, 1), data(40, 40, 2)];

/** Σ w_ij·sin(Y_ij): each entry of Y has a weight of its own, so that no entry can change places. */
const weighted = (Y: T.Expr): T.Expr =>
  T.inner(
    W.slice(0, Y.rows).map((row) => row.slice(0, Y.cols)),
    T.sin(Y),
  );
const weightedRows = (Y: Rows): number =>
  Y.reduce((s, row, i) => s + row.reduce((s, y, j) => s + W[i]![j]! * Math.sin(y), 0), 0);

const kronecker = (A: Rows, B: Rows): Rows =>
  A.flatMap((row) => B.map((line) => row.flatMap((a) => line.map((b) => a * b))));
const map = (A: Rows, f: (x: number, i: number, j: number) => number): Rows =>
  A.map((row, i) => row.map((x, j) => f(x, i, j)));
const top = X.slice(0, 3);
const gram = times(turned(X), X);

/** Y(X) as a formula and in plain numbers */
const cases: Record<string, [(X: T.Expr) => T.Expr, Rows]> = {
  "rows from … to": [(X) => T.rows(X, 1, 4), X.slice(1, 4)],
  "the last rows": [(X) => T.rows(X, -2), X.slice(-2)],
  "a list of rows, one twice": [(X) => T.rows(X, [4, 0, 0, -1]), [X[4]!, X[0]!, X[0]!, X[5]!]],
  "columns": [(X) => T.cols(X, 1), X.map((row) => row.slice(1))],
  "a list of columns": [(X) => T.cols(X, [2, 0]), X.map((row) => [row[2]!, row[0]!])],
  "a row": [(X) => T.row(X, 2), [X[2]!]],
  "a column": [(X) => T.col(X, -1), X.map((row) => [row[2]!])],
  "an entry": [(X) => T.entry(X, 4, 1), [[X[4]![1]!]]],
  "a block": [(X) => T.block(X, 2, 1, 3, 2), X.slice(2, 5).map((row) => row.slice(1))],
  "a block of a product of small matrices": [(X) => T.block(T.mul(T.t(X), X), 1, 0, 2, 2), gram.slice(1).map((row) => row.slice(0, 2))],
  "rows of Xᵀ": [(X) => T.rows(T.t(X), [1, 0]), [turned(X)[1]!, turned(X)[0]!]],
  "one below the other": [(X) => T.vstack(X, T.rows(X, 2), data(2, p, 3)), [...X, ...X.slice(2), ...data(2, p, 3)]],
  "side by side": [(X) => T.hstack(X, T.col(X, 0), T.square(X)), map(X, (x) => x).map((row) => [...row, row[0]!, ...row.map((x) => x * x)])],
  "blocks with a number": [
    (X) => T.blocks([[T.rows(X, 0, 3), 0], [T.mul(T.t(X), X), T.rows(X, 3)]]),
    [...top.map((row) => [...row, 0, 0, 0]), ...gram.map((row, i) => [...row, ...X[i + 3]!])],
  ],
  "reshape": [(X) => T.reshape(X, 2), [X.slice(0, 3).flat(), X.slice(3).flat()]],
  "reshape of Xᵀ": [(X) => T.reshape(T.t(X), 9, 2), Array.from({ length: 9 }, (_, k) => turned(X).flat().slice(2 * k, 2 * k + 2))],
  "reshape and back into rows of X": [(X) => T.hadamard(X, T.reshape(T.reshape(T.exp(X), 9), n)), map(X, (x) => x * Math.exp(x))],
  "vec": [(X) => T.vec(X), turned(X).flat().map((x) => [x])],
  "Kronecker product X ⊗ A": [(X) => T.kron(X, A), kronecker(X, A)],
  "Kronecker product A ⊗ X": [(X) => T.kron(A, X), kronecker(A, X)],
  "Kronecker product of small ones": [(X) => T.kron(T.mul(T.t(X), X), A), kronecker(gram, A)],
  "max": [(X) => T.max(X, T.scale(0.5, T.cos(X)), 0.1), map(X, (x) => Math.max(x, 0.5 * Math.cos(x), 0.1))],
  "min of a row and numbers": [(X) => T.min(X, T.row(X, 0)), map(X, (x, _i, j) => Math.min(x, X[0]![j]!))],
  "max of numbers": [(X) => T.max(T.norm2(X), T.sum(X)), [[Math.max(X.flat().reduce((s, x) => s + x * x, 0), X.flat().reduce((s, x) => s + x, 0))]]],
  "where": [(X) => T.where(T.relu(X), T.square(X), T.exp(X)), map(X, (x) => (x > 0 ? x * x : Math.exp(x)))],
  "mask of data": [(Y) => T.mask(map(X, (_x, i, j) => (i + j) % 2), T.exp(Y)), map(X, (x, i, j) => ((i + j) % 2) * Math.exp(x))],
  "a mask of a logarithm where there is none": [(Y) => T.mask(map(X, (x) => (x > 0 ? 1 : 0)), T.log(T.relu(Y))), map(X, (x) => (x > 0 ? Math.log(x) : 0))],
  "asin": [(X) => T.asin(T.tanh(X)), map(X, (x) => Math.asin(Math.tanh(x)))],
  "acos": [(X) => T.acos(T.tanh(X)), map(X, (x) => Math.acos(Math.tanh(x)))],
  "atan2 of both signs": [(X) => T.atan2(X, T.cols(X, [1, 2, 0])), map(X, (x, i, j) => Math.atan2(x, X[i]![(j + 1) % 3]!))],
  "atan2 of numbers": [(X) => T.atan2(T.entry(X, 0, 0), T.entry(X, 1, 1)), [[Math.atan2(X[0]![0]!, X[1]![1]!)]]],
}; // biome-ignore format: a table

describe.each(engines)("on %s", (_name, open) => {
  test.each(Object.entries(cases))("%s", async (_title, [formula, wanted]) => {
    const E = await open();
    const { value, gradient, hessian } = expectDerivatives(E, n, p, (X) => weighted(formula(X)));
    expect(value).toBeCloseTo(weightedRows(wanted), 11);
    const plain = expectDerivatives(js, n, p, (X) => weighted(formula(X)));
    close(gradient, plain.gradient);
    close(hessian, plain.hessian);
  });
});

const message = (build: (X: T.Expr) => T.Arg): string => {
  try {
    T.compile(js, { n, p }, build);
  } catch (error) {
    return (error as Error).message;
  }
  return "";
};

test.each<[(X: T.Expr) => T.Arg, RegExp]>([
  [(X) => T.row(X, 6), /^row: there is no row 6; the matrix has 6, from 0 to 5/],
  [(X) => T.col(X, -4), /^col: there is no column -4; the matrix has 3/],
  [(X) => T.entry(X, 0.5, 0), /^entry: there is no row 0\.5/],
  [(X) => T.rows(X, 4, 2), /^rows: rows from 4 up to 2 are asked for; the matrix has 6, from 0 to 5/],
  [(X) => T.rows(X, []), /^rows: the rows are an empty list; give their numbers/],
  [(X) => T.cols(X, [0, 3]), /^cols: there is no column 3/],
  [(X) => T.cols(X, "a" as never), /^cols: the columns are string; give their numbers/],
  [(X) => T.block(X, 4, 0, 3, 1), /^block: 3 rows are asked for; there are 2 from \(4, 0\) on in a 6×3 matrix/],
  [(X) => T.vstack(X, T.t(X)), /^vstack: the matrices are 6×3, 3×6; they must have as many columns/],
  [
    (X) =>
      T.blocks([
        [X, 1],
        [T.t(X), X],
      ]),
    /^blocks: block \(1, 0\) is 3×6; beside the others it must be 3×3/,
  ],
  [() => T.hstack(), /^hstack: there must be blocks/],
  [(X) => T.blocks([[X], [X, X]]), /^blocks: there must be blocks, in an array of rows with the same number/],
  [(X) => T.reshape(X, 4), /^reshape: 4×\? is asked for; a 6×3 matrix has 18 entries/],
  [(X) => T.reshape(X, 4, 5), /^reshape: 4×5 is asked for/],
  [(X) => T.max(X), /^max: there is one argument; give two or more/],
  [(X) => T.where(X, T.t(X), 1), /^where: shapes differ, 6×3 and 3×6 and 1×1/],
  [(X) => T.atan2(X, T.t(X)), /^atan2: shapes differ/],
])("%s is a sentence with the user's line", (build, text) => {
  const said = message(build);
  expect(said).toMatch(text);
  expect(said).toMatch(/^[^\n]+ at .*parts\.test\.ts:\d+:\d+\.$/);
});

/** Entries at the ends of the domain, on the axes and at poles */
const special: Rows = [
  [0, 1, -1],
  [-1, 0, 1],
  [0.5, -0.5, 1e-9],
  [1e-200, -3, 1e200],
  [2, 1e-308, -0.25],
  [1, 1, -1],
];

test.each(engines)("asin, acos and atan2 at the ends of their domains on %s", async (_name, open) => {
  const E = await open();
  const at = E.tall(n, p, special.flat());
  const inside = special.map((row) => row.map((x) => Math.max(-1, Math.min(x, 1))));
  const values = (build: (X: T.Expr) => T.Expr, wanted: (i: number, j: number) => number): void => {
    for (const [i, line] of special.entries())
      for (const j of line.keys()) {
        const f = T.compile(E, { n, p }, (X) => T.entry(T.hadamard(build(X), [[1, 1, 1]]), i, j));
        expect(Math.abs(f.f(at) - wanted(i, j))).toBeLessThanOrEqual(4e-16 * (1 + Math.abs(wanted(i, j))));
      }
  };
  values((X) => T.asin(T.clip(X, -1, 1)), (i, j) => Math.asin(inside[i]![j]!)); // biome-ignore format: in a row
  values((X) => T.acos(T.clip(X, -1, 1)), (i, j) => Math.acos(inside[i]![j]!)); // biome-ignore format: in a row
  values((X) => T.atan2(X, T.cols(X, [1, 2, 0])), (i, j) => Math.atan2(special[i]![j]!, special[i]![(j + 1) % 3]!)); // biome-ignore format: in a row
});

test.each(engines)("what a mask leaves out may be a pole: value, gradient and Hessian are those without it, on %s", async (_name, open) => {
  const E = await open();
  const kept = special.map((row) => row.map((x) => (x > 1e-3 && x < 10 ? 1 : 0)));
  const at = E.tall(n, p, special.flat());
  const [G, H, D] = [E.tall(n, p), E.tall(n, p), E.tall(n, p, X.flat())];
  const wanted = (f: (x: number, k: number) => number): number[] =>
    special.flat().map((x, k) => (kept.flat()[k] ? f(x, k) : 0));
  const f = T.compile(E, { n, p }, (X) => T.sum(T.mask(kept, T.add(T.log(X), T.sqrt(X), T.pow(X, -1)))));
  expect(f.fg(G, at)).toBeCloseTo(wanted((x) => Math.log(x) + Math.sqrt(x) + 1 / x).reduce((s, x) => s + x, 0), 12);
  close(E.read(G), wanted((x) => 1 / x + 0.5 / Math.sqrt(x) - 1 / (x * x)));
  f.hvp(H, at, D);
  close(E.read(H), wanted((x, k) => X.flat()[k]! * (-1 / (x * x) - 0.25 * x ** -1.5 + 2 / x ** 3)));
}); // biome-ignore format: one formula a line

test("differences of rows are a quadratic form with the graph's Laplacian as its matrix", () => {
  const edges = [[0, 1], [1, 2], [2, 3], [3, 4], [4, 5], [5, 0], [0, 3]] as const; // biome-ignore format: pairs
  const f = T.compile(
    js,
    { n, p },
    (X) =>
    T.scale(0.5, T.norm2(T.sub(T.rows(X, edges.map(([i]) => i)), T.rows(X, edges.map(([, j]) => j))))), // biome-ignore format: short
  );
  const form = f.quadratic!;
  const [I, L] = [js.tall(n, n), js.tall(n, n)];
  for (let i = 0; i < n; i++) I.data[i * (n + 1)] = 1;
  form.apply(L, I);
  const laplacian = Array.from({ length: n * n }, () => 0);
  for (const [i, j] of edges) {
    laplacian[i * (n + 1)]! += 1;
    laplacian[j * (n + 1)]! += 1;
    laplacian[i * n + j]! -= 1;
    laplacian[j * n + i]! -= 1;
  }
  close(L.data, laplacian);
});

test.each(engines)("the Hessian of Σ φ(X)Sᵀ for a sparse S, whose adjoint is 11ᵀS, on %s", async (_name, open) => {
  const S = { rows: 3, cols: 4, pointers: [0, 2, 3, 5], indices: [0, 1, 2, 1, 3], values: [1, -2, 3, 4, 1] };
  expectDerivatives(await open(), 2, 4, (X) => T.sum(T.mul(T.sin(X), T.t(S))));
});
