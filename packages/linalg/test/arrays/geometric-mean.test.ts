import { describe, expect, test } from "vitest";
import { geometricMean } from "../../src/arrays/geometric-mean.js";
import { random } from "../../src/random.js";

const r = random(3, "means");

function times(A: Float64Array, B: Float64Array, K: number): Float64Array {
  const C = new Float64Array(K * K);
  for (let i = 0; i < K; i++) {
    for (let j = 0; j < K; j++) for (let k = 0; k < K; k++) C[i * K + j]! += A[i * K + k]! * B[k * K + j]!;
  }
  return C;
}

const transposed = (A: Float64Array, K: number): Float64Array => A.map((_, k) => A[(k % K) * K + Math.floor(k / K)]!);

function definite(K: number, scales: number[]): Float64Array {
  const M = Float64Array.from({ length: K * K }, (_, k) => r.normal() * scales[k % K]!);
  const S = times(transposed(M, K), M, K);
  for (let a = 0; a < K; a++) S[a * (K + 1)]! += 1e-3 * scales[a]! ** 2;
  return S;
}

function meanOf(Y: Float64Array, S: Float64Array, K: number): Float64Array {
  const H = new Float64Array(K * K);
  expect(geometricMean(K)(H, Y.slice(), S.slice())).toBe(true);
  return H;
}

function near(A: Float64Array, B: Float64Array, K: number): void {
  for (let i = 0; i < K; i++) {
    for (let j = 0; j < K; j++) {
      const size = Math.sqrt(B[i * (K + 1)]! * B[j * (K + 1)]!);
      expect(Math.abs(A[i * K + j]! - B[i * K + j]!) / size).toBeLessThan(1e-8);
    }
  }
}

describe.each([1, 2, 3, 4])("the geometric mean of %i rows", (K) => {
  // in units of their own, as s and y of several parts are
  const units = [1, 1e5, 1e-4, 3].slice(0, K);
  const [Y, S] = [definite(K, units.map((v) => 1 / v)), definite(K, units)]; // biome-ignore format: one thought
  const H = meanOf(Y, S, K);

  test("HYH = S, and H is positive", () => {
    near(times(times(H, Y, K), H, K), S, K);
    for (let a = 0; a < K; a++) expect(H[a * (K + 1)]!).toBeGreaterThan(0);
  });

  test("it follows s → Ts, y → T⁻ᵀy", () => {
    // T = I + one number, T⁻¹ = I − that number
    const unit = units[0]! / units[K - 1]!;
    const T = Float64Array.from({ length: K * K }, (_, k) => (k % (K + 1) === 0 ? 1 : k === K - 1 ? 0.7 * unit : 0));
    const inverse = Float64Array.from(T, (v, k) => (k === K - 1 && K > 1 ? -v : v));
    const turned = meanOf(
      times(times(transposed(inverse, K), Y, K), inverse, K),
      times(times(T, S, K), transposed(T, K), K),
      K,
    );
    near(turned, times(times(T, H, K), transposed(T, K), K), K);
  });
});

test("a matrix without a Cholesky factor has none", () => {
  const H = new Float64Array(4);
  expect(geometricMean(2)(H, Float64Array.of(1, 2, 2, 1), Float64Array.of(1, 0, 0, 1))).toBe(false);
  expect(geometricMean(2)(H, Float64Array.of(1, 0, 0, 1), Float64Array.of(1, Number.NaN, Number.NaN, 1))).toBe(false);
  expect(geometricMean(2)(H, new Float64Array(4), Float64Array.of(1, 0, 0, 1))).toBe(false);
});
