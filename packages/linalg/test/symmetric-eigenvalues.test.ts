import { eigen } from "@expen/testing/problems/eigenvectors";
import { describe, expect, test } from "vitest";
import type { Matrix } from "../src/contracts/matrix.js";
import { spectralNorm } from "../src/dense/spectral-norm.js";
import { extremeEigenvalues } from "../src/dense/symmetric-eigenvalues.js";
import { plain, plainProduct, plainTranspose, randomOrthonormal, unitSymmetric } from "../src/instances.js";
import { random } from "../src/random.js";

/** Q·Diag(λ)·Qᵀ */
function withSpectrum(lambda: number[], seed: number): Matrix {
  const n = lambda.length;
  const Q = randomOrthonormal(n, n, random(seed));
  const D = plain(n, n);
  lambda.forEach((v, i) => {
    D.data[i * n + i] = v;
  });
  const S = plainProduct(plainProduct(Q, D), plainTranspose(Q));
  for (let i = 0; i < n; i++) for (let j = 0; j < i; j++) S.data[i * n + j] = S.data[j * n + i]!;
  return S;
}

describe("symmetric eigenvalues", () => {
  test.each([1, 2, 3, 4, 10, 61])("n = %i: all eigenvalues as an independent library has them", (n) => {
    const S = unitSymmetric(n, random(n));
    const { smallest, largest } = extremeEigenvalues(S, n, n);
    const { values } = eigen(S);
    values.forEach((v, k) => {
      expect(Math.abs(smallest[k]! - v)).toBeLessThan(4e-15 * Math.sqrt(n));
      expect(Math.abs(largest[n - 1 - k]! - v)).toBeLessThan(4e-15 * Math.sqrt(n));
    });
  });

  test.each([
    ["repeated", [2, 2, 2, -1, -1, 5]],
    ["zero", [0, 0, 0, 0]],
    ["all equal", [3, 3, 3, 3, 3]],
    ["graded", [1e-8, 1e-4, 1, 1e4, 1e8]],
    ["negative", [-7, -6, -1]],
    ["largest in size negative", [-9, 1, 8.999]],
    ["two close at the top", [1, 1 - 1e-9, 0.5, 0.25, -0.3, -0.9]],
  ])("a prescribed spectrum: %s", (_, lambda) => {
    const S = withSpectrum(lambda, 3);
    const size = Math.max(...lambda.map(Math.abs));
    const sorted = [...lambda].sort((a, b) => a - b);
    const { smallest } = extremeEigenvalues(S, lambda.length, 0);
    sorted.forEach((v, k) => {
      expect(Math.abs(smallest[k]! - v)).toBeLessThanOrEqual(1e-14 * size);
    });
    expect(Math.abs(spectralNorm(S) - size)).toBeLessThanOrEqual(1e-14 * size);
  });

  test("a diagonal and a scaled matrix", () => {
    const D = { rows: 3, cols: 3, data: Float64Array.of(2, 0, 0, 0, -5, 0, 0, 0, 1) };
    expect([...extremeEigenvalues(D, 3, 0).smallest].map(Math.round)).toEqual([-5, 1, 2]);
    const S = unitSymmetric(20, random(1));
    for (const scale of [1e-200, 1e200]) {
      const T = { ...S, data: S.data.map((v) => v * scale) };
      expect(Math.abs(extremeEigenvalues(T, 1, 0).smallest[0]! / scale - eigen(S).values[0]!)).toBeLessThan(1e-14);
    }
  });

  test("the norm of a large random matrix is that of its tridiagonal form", () => {
    const S = unitSymmetric(400, random(9));
    const { smallest, largest } = extremeEigenvalues(S, 1, 1);
    expect(Math.abs(Math.max(-smallest[0]!, largest[0]!) - 1)).toBeLessThan(1e-14);
  });
});
