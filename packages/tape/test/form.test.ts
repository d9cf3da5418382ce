/** Formulas that are ½⟨X, BXC⟩ + ⟨L, X⟩ + constant say so by themselves; those that only look like it do not. */

import { A, type Formula, forms, L, lookAlikes, M, m, n, p, plain, sparse, v } from "@expen/bench/structure/formulas";
import type { Objective } from "@expen/core";
import type { Engine, Sparse, Tall } from "@expen/linalg";
import { random } from "@expen/linalg";
import { constantTridiagonal, sparseFromTriplets, sparseIsSorted, sparseIsSymmetric } from "@expen/linalg/arrays";
import { jsEngine } from "@expen/linalg/engine";
import { opaque } from "@expen/testing/engines/opaque";
import { split } from "@expen/testing/engines/split";
import { describe, expect, test } from "vitest";
import * as T from "../src/index.js";

const { add, compile, inner, mul, neg, norm2, sub, t, trace } = T;

const point = (E: Engine, seed: number, cols = p): Tall => {
  const X = E.tall(n, cols);
  E.write(X, random(seed, "point").normal);
  return X;
};

/** G ← BXC + L, returns ½⟨X, BXC⟩ + ⟨L, X⟩ + constant */
function byForm(E: Engine, { quadratic }: Objective, G: Tall, X: Tall): number {
  const { apply, C, L, constant = 0 } = quadratic!;
  const Y = E.tall(n, p);
  apply(Y, X);
  if (C) E.mul(G, Y, C);
  else E.copy(G, Y);
  const value = constant + 0.5 * E.dot(X, G) + (L ? E.dot(L, X) : 0);
  if (L) E.combine(G, 1, L, 1, G);
  return value;
}

describe.each(forms)("found: %s", (_title, formula, expected) => {
  const kinds: [string, () => Engine][] = [
    ["js", jsEngine],
    ["opaque", () => opaque(jsEngine())],
    ["split", () => split(jsEngine())],
  ];
  test.each(kinds)("on %s: value and gradient are those of the tape, B is symmetric", (_name, open) => {
    const E = open();
    const f = compile(E, { n, p }, formula);
    const form = f.quadratic!;
    expect(form).toBeDefined();
    expect(form.C !== undefined).toBe(expected.C ?? false);
    expect(form.L !== undefined).toBe(expected.L ?? false);
    const [X, G, H] = [point(E, 1), E.tall(n, p), E.tall(n, p)];
    const value = f.fg(G, X);
    expect(Math.abs(byForm(E, f, H, X) - value)).toBeLessThanOrEqual(1e-12 * (Math.abs(value) + E.dot(G, G)));
    const size = Math.sqrt(E.dot(G, G));
    E.combine(H, 1, H, -1, G);
    expect(Math.sqrt(E.dot(H, H))).toBeLessThanOrEqual(1e-12 * size);
    // any number of columns, ⟨u, Bz⟩ = ⟨Bu, z⟩
    const [u, z, Bu, Bz] = [point(E, 2, 1), point(E, 3, 1), E.tall(n, 1), E.tall(n, 1)];
    form.apply(Bu, u);
    form.apply(Bz, z);
    const scale = Math.sqrt(E.dot(Bz, Bz) * E.dot(u, u)) + 1;
    expect(Math.abs(E.dot(u, Bz) - E.dot(Bu, z))).toBeLessThanOrEqual(1e-12 * scale);
    const kind = form.matrix && ("main" in form.matrix ? "tridiagonal" : "values" in form.matrix ? "sparse" : "dense");
    expect(kind).toBe(expected.matrix);
  });
});

test.each(lookAlikes)("not found: %s", (_title, formula) => {
  expect(compile(jsEngine(), { n, p }, formula).quadratic).toBeUndefined();
});

test("the cost of a product is that of its factors", () => {
  const E = jsEngine();
  const flops = (formula: Formula): number => compile(E, { n, p }, formula).quadratic!.flops!;
  expect(flops((X) => norm2(mul(M, X)))).toBeLessThanOrEqual(4 * m * n + 2 * n);
  // MᵀM − Mᵀ11ᵀM/m: the second is an outer product of two vectors
  expect(flops((X) => norm2(sub(mul(M, X), T.scale(1 / m, T.colSums(mul(M, X))))))).toBeLessThanOrEqual(
    4 * m * n + 6 * n,
  );
  expect(flops((X) => inner(X, mul(sparse, X)))).toBeLessThanOrEqual(8 * n + 2 * n);
  expect(flops((X) => trace(mul(t(X), A, X)))).toBeGreaterThanOrEqual(2 * n * n);
});

test("products that cost more than twice a dense matrix are multiplied out, loops over data are one matrix", () => {
  const E = jsEngine();
  const of = (formula: Formula) => compile(E, { n, p }, formula).quadratic!;
  const dense = of((X) => trace(mul(t(X), A, X))).flops!;
  const difference = of((X) => norm2(sub(mul(A, X), mul(plain(n, n, 60), X))));
  const loop = of((X) => add(...Array.from({ length: 5 * n }, (_, k) => norm2(mul(t(plain(n, 1, k)), X)))));
  for (const { flops, matrix } of [difference, loop]) {
    expect(flops).toBeLessThanOrEqual(dense);
    expect(matrix).toBeDefined();
  }
});

test("products of sparse matrices and diagonals are one sparse matrix, where that has few entries", () => {
  const E = jsEngine();
  const of = (formula: Formula) => compile(E, { n, p }, formula).quadratic!;
  const weights = () => T.diag(v);
  const tri = constantTridiagonal(n, -1, 2, -3);
  for (const formula of [
    (X: T.Expr) => norm2(mul(sparse, X)),
    (X: T.Expr) => inner(mul(sparse, X), mul(weights(), sparse, X)),
    (X: T.Expr) => add(norm2(mul(tri, X)), norm2(mul(weights(), t(sparse), X))),
  ]) {
    const { matrix, apply } = of(formula);
    expect(matrix && "pointers" in matrix && sparseIsSymmetric(matrix, 1e-15) && sparseIsSorted(matrix)).toBe(true);
    const [X, Y, Z] = [point(E, 1), E.tall(n, p), E.tall(n, p)];
    E.operator(matrix as Sparse).apply(Y, X);
    apply(Z, X);
    expect(Y.data).toEqual(Z.data);
  }
  // one full row makes a full product
  const full = sparseFromTriplets(2, n, [...Array(n).fill(0), 1], [...v.data.keys(), 3], [...v.data, 1]);
  expect(of((X) => norm2(mul(full, X))).matrix).toBeUndefined();
});

test("‖MX‖² with fewer rows than columns is of low rank, weights of one sign included: B = weight·TTᵀ", () => {
  const E = jsEngine();
  const of = (formula: Formula) => compile(E, { n, p }, formula).quadratic!;
  const [K, positive, negative] = [plain(5, m, 61), plain(m, 1, 62), plain(m, 1, 63)];
  positive.data.forEach((u, i) => void (positive.data[i] = i === 2 ? 0 : u * u));
  negative.data.forEach((u, i) => void (negative.data[i] = -u * u));
  for (const [formula, cols, sign] of [
    [(X: T.Expr) => norm2(mul(M, X)), m, 1],
    [(X: T.Expr) => neg(trace(mul(t(X), t(M), M, X))), m, -1],
    [(X: T.Expr) => norm2(mul(K, M, X)), 5, 1],
    [(X: T.Expr) => inner(mul(M, X), mul(T.diag(positive), M, X)), m, 1],
    [(X: T.Expr) => inner(mul(M, X), mul(T.diag(negative), M, X)), m, -1],
    [(X: T.Expr) => norm2(sub(mul(M, X), plain(m, p, 64))), m, 1],
  ] as const) {
    const { apply, lowRank } = of(formula);
    expect([lowRank!.cols, Math.sign(lowRank!.weight)]).toEqual([cols, sign]);
    const [Tall, X, Y, Z, TX] = [lowRank!.factor(), point(E, 1), E.tall(n, p), E.tall(n, p), E.small(cols, p)];
    expect(Tall).toMatchObject({ rows: n, cols });
    E.tmul(TX, Tall, X);
    E.mul(Y, Tall, TX, lowRank!.weight);
    apply(Z, X);
    E.combine(Z, 1, Z, -1, Y);
    expect(Math.sqrt(E.dot(Z, Z))).toBeLessThanOrEqual(1e-14 * Math.sqrt(E.dot(Y, Y)) * n);
  }
  for (const formula of [
    // as many rows as columns, weights of both signs, two summands, no square
    (X: T.Expr) => norm2(mul(plain(n, n, 65), X)),
    (X: T.Expr) => inner(mul(M, X), mul(T.diag(plain(m, 1, 66)), M, X)),
    (X: T.Expr) => sub(norm2(mul(M, X)), norm2(mul(plain(3, n, 67), X))),
    (X: T.Expr) => inner(mul(M, X), mul(plain(m, n, 68), X)),
  ]) {
    expect(of(formula).lowRank).toBeUndefined();
  }
});

test("where all quadratic terms cancel, as data are equal, the linear one is left", () => {
  const E = jsEngine();
  const copy = { ...A, data: A.data.slice() };
  const f = compile(E, { n, p }, (X) => add(inner(X, mul(A, X)), inner(L, X), neg(inner(X, mul(copy, X)))));
  const [X, Y] = [point(E, 1), E.tall(n, p)];
  f.quadratic!.apply(Y, X);
  expect(E.dot(Y, Y)).toBe(0);
  expect(E.read(f.quadratic!.L!)).toEqual(L.data);
});

test("a form follows its parameters", () => {
  const E = jsEngine();
  const f = compile(E, { n, p }, (X) =>
    add(mul(T.parameter("s", 2), trace(mul(t(X), A, X))), inner(T.parameter("L", L), X)),
  );
  const [X, G, H] = [point(E, 1), E.tall(n, p), E.tall(n, p)];
  for (const s of [2, 5]) {
    f.set("s", s);
    f.set("L", plain(n, p, s));
    const value = f.fg(G, X);
    expect(byForm(E, f, H, X)).toBeCloseTo(value, 9);
  }
});
