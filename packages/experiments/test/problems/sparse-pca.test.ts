import { gaussian, random } from "@expen/linalg";
import { jsEngine } from "@expen/linalg/engine";
import { objectiveContract } from "@expen/testing/contracts/objective";
import { describe, expect, test } from "vitest";
import { sparsePca } from "../../src/problems/sparse-pca.js";

objectiveContract("sparse-pca, smooth part", (E) => sparsePca(E, { n: 12, p: 3 }));
objectiveContract("sparse-pca, few samples", (E) => sparsePca(E, { n: 12, p: 3, m: 4, weight: 0 }));

describe("sparse-pca", () => {
  test("the nonsmooth term is data", () => {
    const E = jsEngine();
    expect(sparsePca(E, { n: 6, p: 2, kind: "l21", weight: 0.7 }).nonsmooth).toEqual({ kind: "l21", weight: 0.7 });
    expect(sparsePca(E, { n: 6, p: 2 }).optimum).toBeUndefined();
  });
  test("columns have length 1: −2f at a coordinate vector", () => {
    const E = jsEngine();
    const { objective } = sparsePca(E, { n: 5, p: 1, A: gaussian(9, 5, random(8)) });
    const X = E.tall(5, 1);
    X.data[3] = 1;
    expect(-2 * objective.f(X)).toBeCloseTo(1, 14);
  });
  test("a constant column is a column of zeros", () => {
    const E = jsEngine();
    const A = { rows: 2, cols: 2, data: Float64Array.of(1, 5, 2, 5) };
    const X = E.tall(2, 1, [0, 1]);
    expect(Math.abs(sparsePca(E, { n: 2, p: 1, A }).objective.f(X))).toBe(0);
  });
  test("bad options are one sentence", () => {
    const E = jsEngine();
    expect(() => sparsePca(E, { n: 5, p: 1, weight: -1 })).toThrow(/weight is -1/);
    expect(() => sparsePca(E, { n: 5, p: 1, kind: "l2" as never })).toThrow(/kind is 'l2'/);
    expect(() => sparsePca(E, { n: 5, p: 1, m: 1 })).toThrow(/m is 1/);
  });
});
