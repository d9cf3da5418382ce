import type { Matrix } from "@expen/linalg";
import { gaussian, plainProduct, plainTranspose, random } from "@expen/linalg";
import { jsEngine, tallOf } from "@expen/linalg/engine";
import { objectiveContract } from "@expen/testing/contracts/objective";
import { columns, eigen } from "@expen/testing/problems/eigenvectors";
import { describe, expect, test } from "vitest";
import { pca } from "../../src/problems/pca.js";

const top = (A: Matrix, p: number): Matrix => {
  const { vector } = eigen(plainProduct(plainTranspose(A), A));
  return columns(Array.from({ length: p }, (_, k) => vector(A.cols - 1 - k)));
};
const tall = gaussian(40, 11, random(5));
const wide = gaussian(6, 20, random(6));

objectiveContract("pca, seeded, covariance", (E) => pca(E, { n: 14, p: 3 }));
objectiveContract("pca, seeded, factor", (E) => pca(E, { n: 14, p: 3, m: 5 }));
objectiveContract("pca, tall data", (E) => pca(E, { n: 11, p: 2, A: tall, centre: false }), {
  minimiser: () => top(tall, 2),
});
objectiveContract("pca, wide data", (E) => pca(E, { n: 20, p: 4, A: wide, centre: false }), {
  minimiser: () => top(wide, 4),
});

describe("pca", () => {
  test("covariance and factor give the same f, shifts of the data do not matter when centred", () => {
    const E = jsEngine();
    const X = tallOf(E, gaussian(11, 2, random(7)));
    const shifted = { ...tall, data: tall.data.map((v, k) => v + 3 * (k % 11)) };
    const all = [
      pca(E, { n: 11, p: 2, A: tall, covariance: true }),
      pca(E, { n: 11, p: 2, A: tall, covariance: false }),
      pca(E, { n: 11, p: 2, A: shifted }),
    ];
    const [first, ...others] = all.map((problem) => problem.objective.f(X));
    for (const f of others) expect(Math.abs(f - first!)).toBeLessThan(1e-12 * Math.abs(first!));
  });

  test("−2f is the variance along a coordinate axis", () => {
    const E = jsEngine();
    const A = { rows: 4, cols: 2, data: Float64Array.of(1, 0, 2, 0, 3, 0, 4, 7) };
    const X = E.tall(2, 1, [1, 0]);
    expect(pca(E, { n: 2, p: 1, A }).objective.f(X)).toBeCloseTo(-0.5 * (5 / 3), 14);
  });

  test("more directions than the data has explain nothing more", () => {
    const E = jsEngine();
    const of = (p: number): number => pca(E, { n: 20, p, A: wide, centre: false }).optimum!;
    expect(of(9)).toBeCloseTo(of(6), 12);
  });

  test("refuses data with a wrong number of columns", () => {
    expect(() => pca(jsEngine(), { n: 5, p: 2, A: tall })).toThrow(/A is 40×11 but must be 40×5/);
    expect(() => pca(jsEngine(), { n: 5, p: 2, m: 0 })).toThrow(/m is 0/);
    const A = { rows: 2, cols: 2, data: Float64Array.of(1, 2, Number.NaN, 4) };
    expect(() => pca(jsEngine(), { n: 2, p: 1, A })).toThrow(/entry \(1, 0\) of A is NaN/);
  });
});
