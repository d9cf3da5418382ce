import type { Matrix } from "@expen/linalg";
import { gaussian, plainProduct, plainTranspose, random } from "@expen/linalg";
import { sparseFromTriplets } from "@expen/linalg/arrays";
import { jsEngine } from "@expen/linalg/engine";
import { objectiveContract } from "@expen/testing/contracts/objective";
import { Matrix as Ml, SingularValueDecomposition } from "ml-matrix";
import { describe, expect, test } from "vitest";
import { nearest } from "../../src/problems/nearest.js";
import { procrustes } from "../../src/problems/procrustes.js";

/** The orthogonal polar factor UVᵀ by an independent SVD. */
function polar({ rows, cols, data }: Matrix): Matrix {
  const svd = new SingularValueDecomposition(Ml.from1DArray(rows, cols, Array.from(data)));
  const Q = svd.leftSingularVectors.mmul(svd.rightSingularVectors.transpose());
  return { rows, cols, data: Float64Array.from(Q.to1DArray()) };
}

const A = gaussian(9, 6, random(1));
const B = gaussian(9, 6, random(2));
const a = gaussian(3, 8, random(3));
const b = gaussian(10, 8, random(4));
const near = gaussian(12, 4, random(5));
const sparse = sparseFromTriplets(5, 4, [0, 1, 2, 3, 4, 4], [0, 1, 2, 3, 0, 2], [1, 2, 3, 4, 5, 6]);

objectiveContract("procrustes left", (E) => procrustes(E, { n: 8, p: 3 }));
objectiveContract("procrustes left, square", (E) => procrustes(E, { n: 6, p: 6, A, B }), {
  minimiser: () => polar(plainProduct(plainTranspose(A), B)),
});
objectiveContract("procrustes left, sparse", (E) =>
  procrustes(E, { n: 4, p: 2, A: sparse, B: gaussian(5, 2, random(6)) }),
);
objectiveContract("procrustes right", (E) => procrustes(E, { n: 10, p: 3, side: "right", A: a, B: b }), {
  minimiser: () => polar(plainProduct(b, plainTranspose(a))),
});
objectiveContract("procrustes right, seeded", (E) => procrustes(E, { n: 10, p: 3, side: "right" }));
objectiveContract("nearest", (E) => nearest(E, { n: 12, p: 4, A: near }), { minimiser: () => polar(near) });
objectiveContract("nearest, seeded", (E) => nearest(E, { n: 7, p: 7 }));

describe("procrustes and nearest", () => {
  test("without noise the planted solution has residual 0", () => {
    for (const side of ["left", "right"] as const) {
      const problem = procrustes(jsEngine(), { n: 5, p: 5, side, noise: 0 });
      expect(Math.abs(problem.optimum!)).toBeLessThan(1e-13);
    }
  });
  test("a rank-deficient matrix has a nearest one too", () => {
    const zero = { rows: 5, cols: 2, data: new Float64Array(10) };
    expect(nearest(jsEngine(), { n: 5, p: 2, A: zero }).optimum).toBe(1);
  });
  test("no optimum without a closed form", () => {
    expect(procrustes(jsEngine(), { n: 8, p: 3 }).optimum).toBeUndefined();
  });
  test("bad options are one sentence", () => {
    const E = jsEngine();
    expect(() => procrustes(E, { n: 5, p: 2, side: "top" as never })).toThrow(/side is 'top'/);
    expect(() => procrustes(E, { n: 5, p: 2, A })).toThrow(/A is 9×6 but must be 9×5/);
    expect(() => procrustes(E, { n: 6, p: 2, A, B })).toThrow(/B is 9×6 but must be 9×2/);
    expect(() => nearest(E, { n: 12, p: 3, A: near })).toThrow(/A is 12×4 but must be 12×3/);
  });
});
