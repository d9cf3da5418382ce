/** Formulas on engines that hide their numbers or keep rows apart: the same value, gradient and Hessian as on `js`. */

import type { Engine, Tall } from "@expen/linalg";
import { gaussian, random } from "@expen/linalg";
import { jsEngine } from "@expen/linalg/engine";
import { opaque } from "@expen/testing/engines/opaque";
import { split } from "@expen/testing/engines/split";
import { describe, expect, test } from "vitest";
import * as T from "../src/index.js";
import { formulas } from "./random-formulas.js";
import { data, m, n, p, target, twins } from "./twins.js";

type Formula = (X: T.Expr) => T.Arg;
const { add, compile, mul, scale, sum, t } = T;
const js = jsEngine();
const SEEDS = process.env.EXPEN_LONG ? 200 : 20;
const spread: [string, () => Engine][] = [
  ["opaque", () => opaque(jsEngine())],
  ["split", () => split(jsEngine())],
];

/** Value, gradient and Hessian-vector product, one after the other */
function numbers(E: Engine, rows: number, cols: number, formula: Formula): number[] {
  const f = compile(E, { n: rows, p: cols }, formula);
  const [X, D] = [1, 2].map((seed) => {
    const { data } = gaussian(rows, cols, random(seed, "point"));
    return E.tall(rows, cols, data.map((x) => x / 2));
  }) as [Tall, Tall]; // biome-ignore format: a point and a direction
  const G = E.tall(rows, cols);
  const value = f.f(X);
  expect(f.fg(G, X)).toBe(value);
  const gradient = E.read(G);
  f.hvp(G, X, D);
  return [value, ...gradient, ...E.read(G)];
}

function agree(E: Engine, rows: number, cols: number, formula: (K: Engine) => Formula, tolerance = 1e-12): void {
  const [here, there] = [numbers(js, rows, cols, formula(js)), numbers(E, rows, cols, formula(E))];
  const size = 1 + Math.hypot(...here);
  for (const [i, x] of here.entries()) expect(Math.abs(there[i]! - x)).toBeLessThanOrEqual(tolerance * size);
}

const laplacian = Array.from({ length: n }, (_, i) =>
  Array.from({ length: n }, (_, j) => (i === j ? 2 : Math.abs(i - j) === 1 ? -1 : 0)),
);
const c = gaussian(p, 1, random(1, "c"));
const small = gaussian(p, p, random(1, "small"));
const tall = gaussian(n, 3, random(1, "tall"));
const few = gaussian(2, n, random(1, "few"));
const heights = gaussian(n, 1, random(1, "heights"));
const samples = gaussian(m, p, random(1, "samples"));
const sparse3 = { rows: p, cols: 3, pointers: [0, 1, 2, 3, 3, 4], indices: [0, 1, 2, 1], values: [1, -2, 3, 4] };
const others: Record<string, Formula> = {
  "the tutorial's": (X) => add(scale(0.5, T.trace(mul(t(X), laplacian, X))), scale(0.25, T.norm2(T.rowSums(T.square(X))))),
  "log cosh of data": (X) => scale(1 / m, sum(T.logcosh(mul(data, X)))),
  "ICA": (X) => T.norm2(T.sub(scale(1 / m, T.colSums(T.logcosh(mul(data, X)))), t(c))),
  "softmax": (X) => T.sub(T.mean(T.rowLogSumExp(mul(data, X))), T.inner(samples, mul(data, X))),
  "softmax of large numbers": (X) => T.norm2(T.rowSoftmax(scale(1e4, mul(data, X)))),
  "log Σ exp of all": (X) => T.logSumExp(scale(1e3, X)),
  "robust PCA": (X) => {
    const W = mul(data, X);
    const inside = T.hadamard(W, mul(W, T.sub(mul(t(X), X), scale(2, T.identity(p)))));
    return sum(T.sqrt(add(T.rowSums(inside), 1e3)));
  },
  "A·Diag(c), Diag(v)·X": (X) => add(T.norm2(mul(X, T.diag(c))), sum(T.sin(mul(T.diag(heights), X)))),
  "functions of Xᵀ": (X) => add(sum(T.exp(t(X))), T.norm2(T.colSums(T.sin(t(X)))), T.norm2(T.rowSums(T.cos(t(X))))),
  "log det, inverse, trace": (X) => {
    const S = add(mul(t(X), X), T.identity(p));
    return add(T.logdet(S), T.trace(mul(T.inv(S), small, T.exp(mul(t(X), X)))));
  },
  "constants n×3 and 2×n": (X) => add(T.norm2(mul(t(tall), X)), sum(T.atan(mul(few, X)))),
  "2×n data at both sides": (X) => T.norm2(mul(X, t(mul(few, X)))),
  "sparse at the right": (X) => sum(T.pow(mul(X, sparse3), 3)),
  "norms of rows and columns": (X) => add(sum(T.rowNorms(X)), sum(T.colNorms(X))),
  "a constant alone": () => sum(small),
}; // biome-ignore format: a table

describe.each(spread)("formulas on '%s'", (_name, open) => {
  test.each(twins)("%s", (_title, _problem, formula) => agree(open(), n, p, formula));
  test.each(Object.entries(others))("%s", (_title, formula) => agree(open(), n, p, () => formula));
  test("one column, one row, one number", () => {
    for (const [rows, cols] of [[7, 1], [1, 4], [1, 1]] as const) // biome-ignore format: shapes
      agree(open(), rows, cols, () => (X) => add(sum(T.exp(X)), T.norm2(mul(t(X), X))));
  });

  test("n = p", () => agree(open(), p, p, () => (X) => add(T.norm2(mul(t(X), X, t(X), X)), T.inner(small, X))));

  test("parameters: a matrix that is an operator, one that is small", () => {
    const [B, S] = [gaussian(n, n, random(2, "B")), gaussian(p, p, random(2, "S"))];
    const build = (K: Engine): number => {
      const f = compile(K, { n, p }, (X) =>
        T.inner(X, mul(T.parameter("B", gaussian(n, n, random(1, "B"))), X, T.parameter("S", small))),
      );
      f.set("B", B);
      f.set("S", S);
      return f.f(K.tall(n, p, target.data));
    };
    expect(build(open())).toBeCloseTo(build(js), 10);
  });

  test("X·Xᵀ has no place, and the sentence says so", () => {
    expect(() => compile(open(), { n, p }, (X) => sum(T.exp(mul(X, t(X)))))).toThrow(
      /^compile: the engine '\w+' keeps the rows of X apart, but 'gemm' gives a 24×24 matrix .*both sides; write it/,
    );
  });

  test("random formulas: the same numbers, or no place", () => {
    let found = 0;
    for (let seed = 1; seed <= SEEDS; seed++) {
      const [rows, cols, depth] = [9, 3, 1 + (seed % 4)];
      const formula: Formula = (X) => formulas(random(seed, "placed"), X, rows, cols)(1, 1, depth).expr;
      try {
        agree(open(), rows, cols, () => formula, 1e-10);
        found++;
      } catch (error) {
        if (!(error instanceof T.TapeError && /keeps the rows of X apart/.test(error.message))) throw error;
      }
    }
    expect(found).toBeGreaterThan(SEEDS / 2);
  });
});

test("a run reads and writes no tall matrix, and no small one without an inverse", () => {
  const E = opaque(jsEngine());
  const f = compile(E, { n, p }, (X) => add(sum(T.logcosh(mul(data, X))), T.norm2(mul(X, T.diag(c), t(X), X))));
  const [X, D, G] = [E.tall(n, p, target.data), E.tall(n, p, target.data), E.tall(n, p)];
  const before = { ...E.crossings };
  f.f(X);
  f.fg(G, X);
  f.hvp(G, X, D);
  expect(E.crossings).toEqual(before);
});

test("a row that scales the columns of data leaves the product with them", () => {
  const E = jsEngine();
  const samples = gaussian(500, n, random(1, "samples"));
  const f = compile(E, { n, p }, (X) => T.norm2(T.colSums(T.logcosh(mul(samples, X)))));
  const [X, G] = [E.tall(n, p, target.data), E.tall(n, p)];
  f.fg(G, X);
  const before = E.counters.entries;
  f.fg(G, X);
  // log cosh and tanh of all entries of the product, nothing else of that size
  expect(E.counters.entries - before).toBeLessThan(2.5 * samples.rows * p);
});
