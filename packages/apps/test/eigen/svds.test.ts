/** svds, svd and eigh against planted singular values. */
import type { Matrix } from "@expen/linalg";
import { gaussian, plainProduct, plainTranspose, random, randomOrthonormal } from "@expen/linalg";
import { sparseFromTriplets } from "@expen/linalg/arrays";
import { jsEngine } from "@expen/linalg/engine";
import { opaque } from "@expen/testing/engines/opaque";
import { describe, expect, test } from "vitest";
import { eigh, eigs, type SvdsAnswer, svd, svds } from "../../src/eigen/index.js";
import { pathValues } from "./matrices.js";

/** U·Diag(values)·Vᵀ with random orthonormal U and V */
function planted(m: number, n: number, values: readonly number[]): Matrix {
  const k = values.length;
  const [U, V] = [randomOrthonormal(m, k, random(1)), randomOrthonormal(n, k, random(2))];
  return plainProduct({ ...U, data: U.data.map((v, i) => v * values[i % k]!) }, plainTranspose(V));
}

function expectTriplets({ values, bounds, U, V, residuals }: SvdsAnswer, A: Matrix, exact: readonly number[]): void {
  const p = values.length;
  values.forEach((v, j) => {
    expect(Math.abs(v - exact[j]!)).toBeLessThanOrEqual(bounds[j]! + 1e-13 * exact[0]!);
    expect(bounds[j]).toBeLessThan(1e-7 * exact[0]!);
  });
  const [AV, AtU] = [plainProduct(A, V), plainProduct(plainTranspose(A), U)];
  for (let j = 0; j < p; j++) {
    let square = 0;
    for (let i = 0; i < U.rows; i++) square += (AV.data[i * p + j]! - values[j]! * U.data[i * p + j]!) ** 2;
    for (let i = 0; i < V.rows; i++) square += (AtU.data[i * p + j]! - values[j]! * V.data[i * p + j]!) ** 2;
    expect(Math.abs(Math.sqrt(square) - residuals[j]!)).toBeLessThan(1e-10 * exact[0]!);
  }
  for (const Q of [U, V]) {
    const G = plainProduct(plainTranspose(Q), Q);
    G.data.forEach((v, k) => void expect(Math.abs(v - (k % (p + 1) === 0 ? 1 : 0))).toBeLessThan(1e-11));
  }
}

describe("svds", () => {
  const values = Array.from({ length: 270 }, (_, k) => 10 * 0.97 ** k);
  test.each([
    [400, 270],
    [270, 400],
  ])("of a %i×%i matrix", async (m, n) => {
    const A = planted(m, n, values);
    const answer = await svds(A, 5);
    expectTriplets(answer, A, values);
    expect(answer.converged).toBe(true);
    expect(answer.certificate).toMatchObject({ level: "complete", interval: { count: 5 } });
  });

  test("of a tall matrix by squares, unless these lose digits; as accurate as by its decomposition", async () => {
    const few = [5, 3, 3, 1, 0.5, 1e-6];
    for (const [A, turned] of [planted(300, 6, few), planted(6, 300, few)].map((A) => [A, A.rows < A.cols] as const)) {
      const answer = await svds(A, 3);
      expectTriplets(answer, A, few);
      expect(answer.method).toContain(turned ? "eigenvectors of AAᵀ" : "eigenvectors of AᵀA");
      expect(answer.certificate).toMatchObject({ level: "complete", interval: { count: 3 } });
    }
    // residuals of about ε·‖A‖²/σ would be far above roundoff
    const small = planted(300, 7, [5, 1, 0.1, 1e-2, 1e-8, 0, 0]);
    const answer = await svds(small, 5);
    expectTriplets(answer, small, [5, 1, 0.1, 1e-2, 1e-8]);
    expect(answer.method).toContain("all singular values");
    // no squares where they overflow
    const large = {
      ...planted(40, 4, few.slice(0, 4)),
      data: planted(40, 4, few.slice(0, 4)).data.map((v) => 1e200 * v),
    };
    expect((await svds(large, 1)).values[0]).toBeCloseTo(5e200, -190);
  });

  test("of a small matrix, all of them, and of one of low rank", async () => {
    const few = [5, 3, 3, 1e-3, 0, 0];
    const A = planted(9, 6, few);
    const answer = await svds(A, { p: 6 });
    expectTriplets(answer, A, few);
    expect(answer.certificate.level).toBe("complete");
    const low = planted(500, 300, [4, 2]);
    const more = await svds(low, 3);
    expectTriplets(more, low, [4, 2, 0]);
  });

  test("of a sparse matrix: differences of neighbours, whose squares are the eigenvalues of a path", async () => {
    const n = 400;
    const index = Array.from({ length: n }, (_, k) => k);
    const [i, j] = [index.flatMap((k) => [k, k + 1]), index.flatMap((k) => [k, k])];
    const D = sparseFromTriplets(
      n + 1,
      n,
      i,
      j,
      index.flatMap(() => [1, -1]),
    );
    const wanted = pathValues(n).map(Math.sqrt).reverse();
    const { values: found, bounds, certificate } = await svds(D, 4);
    found.forEach((v, k) => void expect(Math.abs(v - wanted[k]!)).toBeLessThanOrEqual(bounds[k]! + 1e-14));
    expect(certificate).toMatchObject({ level: "complete", interval: { count: 4 } });
    // a count that is short of one would not be complete
    expect(wanted.filter((v) => v > certificate.interval!.from).length).toBe(4);
  });

  test("on an engine that hides its numbers", async () => {
    const A = planted(400, 270, values);
    const answer = await svds(A, { p: 3, engine: opaque(jsEngine()) });
    expectTriplets(answer, A, values);
  });
});

test("svd: A = U·Diag(values)·Vᵀ for both shapes", async () => {
  for (const [m, n] of [
    [7, 4],
    [4, 7],
    [5, 5],
  ] as const) {
    // biome-ignore format: shapes
    const A = gaussian(m, n, random(7));
    const { U, values, V } = await svd(A);
    const k = values.length;
    expect(k).toBe(Math.min(m, n));
    const product = plainProduct({ ...U, data: U.data.map((v, i) => v * values[i % k]!) }, plainTranspose(V));
    product.data.forEach((v, i) => void expect(Math.abs(v - A.data[i]!)).toBeLessThan(1e-13 * values[0]!));
    expect(values).toEqual(values.toSorted((a, b) => b - a));
  }
});

test("eigh: A = V·Diag(values)·Vᵀ", async () => {
  const G = gaussian(8, 8, random(9));
  const A = { ...G, data: G.data.map((v, k) => v + G.data[(k % 8) * 8 + Math.floor(k / 8)]!) };
  const { values, vectors: V } = await eigh(A);
  const product = plainProduct({ ...V, data: V.data.map((v, k) => v * values[k % 8]!) }, plainTranspose(V));
  product.data.forEach((v, i) => void expect(Math.abs(v - A.data[i]!)).toBeLessThan(1e-12));
  expect(values).toEqual(values.toSorted((a, b) => a - b));
});

test("matrices of the answers have rows, a shape and a JSON that is read again", async () => {
  const A = [
    [2, 1, 0],
    [1, 3, 1],
    [0, 1, 4],
  ];
  const [some, all, triplets, whole] = [await eigs(A, 2), await eigh(A), await svds(A, 2), await svd(A)];
  for (const [X, cols] of [
    [some.vectors, 2],
    [all.vectors, 3],
    [triplets.U, 2],
    [triplets.V, 2],
    [whole.U, 3],
    [whole.V, 3],
  ] as const) {
    expect(X.shape).toEqual([3, cols]);
    expect(X.toRows().flat()).toEqual(Array.from(X.data));
    expect(JSON.parse(JSON.stringify(X))).toEqual({ rows: 3, cols, data: Array.from(X.data) });
  }
  const { values } = await svd(JSON.parse(JSON.stringify(some.vectors)));
  for (const one of values) expect(one).toBeCloseTo(1, 14);
});
