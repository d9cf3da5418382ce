import { random } from "@expen/linalg";
import { lanczos } from "@expen/linalg/dense";
import { jsEngine } from "@expen/linalg/engine";
import { expect, test } from "vitest";
import { boundBelow, FAILURE, logPolynomial, missProbability } from "../../src/certify/lanczos-bound.js";

const E = jsEngine();

/** k steps for the diagonal matrix of these eigenvalues */
function recurrenceOf(lambda: readonly number[], k: number, seed: number) {
  const operator = E.operator({
    rows: lambda.length,
    cols: lambda.length,
    data: Float64Array.from({ length: lambda.length ** 2 }, (_, e) =>
      e % (lambda.length + 1) === 0 ? lambda[e / (lambda.length + 1)]! : 0,
    ),
  });
  const options = { steps: k, seed, enough: () => false };
  return lanczos(E, lambda.length, 1, operator.apply, () => {}, options).lowest;
}

const spectrum = (n: number, low: number, high: number): number[] =>
  Array.from({ length: n }, (_, i) => low + ((high - low) * i) / (n - 1));

test("the Lanczos polynomial is det(T − tI) over the product of the β", () => {
  const r = random(1, "recurrence");
  const [alpha, beta] = [
    Float64Array.from([1, 2, 3], () => 2 + r.normal()),
    Float64Array.from([1, 2, 3], () => 0.5 + r.uniform()),
  ];
  const [a, b, c] = alpha;
  const [u, v, w] = beta;
  const t = -4;
  const determinant = (a! - t) * (b! - t) * (c! - t) - u! ** 2 * (c! - t) - v! ** 2 * (a! - t);
  expect(Math.exp(logPolynomial({ alpha, beta }, t))).toBeCloseTo(determinant / (u! * v! * w!), 10);
  expect(logPolynomial({ alpha, beta }, Math.max(...alpha))).toBe(Number.NEGATIVE_INFINITY);
});

test("it is the part of the next vector along an eigenvector: |π_k(λ)|·|γ| ≤ 1, and bounds are below the smallest eigenvalue", () => {
  for (const [n, low] of [
    [30, -0.3],
    [60, 0.01],
    [100, 0.5],
  ] as const) {
    const lambda = spectrum(n, low, 1);
    for (let seed = 1; seed <= 20; seed++) {
      for (const k of [1, 3, 8, 15]) {
        const lowest = recurrenceOf(lambda, k, seed);
        const bound = boundBelow(lowest, n, lowest.value);
        expect(bound).toBeLessThan(low);
        expect(missProbability(lowest, n, bound)).toBeGreaterThan(0.99 * FAILURE);
        expect(missProbability(lowest, n, bound)).toBeLessThanOrEqual(FAILURE * (1 + 1e-6));
      }
    }
  }
});

test.each([
  ["far from the others", [-1, ...spectrum(40, 0, 1)]],
  ["near them", [-0.2, ...spectrum(40, 0, 1)]],
  ["beside a cluster", [-0.3, ...spectrum(20, 0.5, 0.51), ...spectrum(20, 0.9, 1)]],
])("an eigenvalue %s is missed no more often than with the probability that is stated", (_, lambda) => {
  const t = lambda[0]! * (1 - 1e-9);
  const seeds = 1000;
  const least = Array.from({ length: seeds }, (_, seed) => {
    const { alpha, beta } = recurrenceOf(lambda, 8, seed + 1);
    // a look after every step: the event is the same for all
    const looks = [2, 3, 4, 5, 6, 7, 8].map((k) => ({ alpha: alpha.subarray(0, k), beta: beta.subarray(0, k) }));
    return Math.min(...looks.map((one) => missProbability(one, lambda.length, t)));
  });
  for (const stated of [0.3, 0.1, 0.03]) {
    const wrong = least.filter((probability) => probability <= stated).length / seeds;
    expect(wrong).toBeLessThan(stated + 4 * Math.sqrt(stated / seeds));
  }
  // the bound is no empty one
  expect(Math.min(...least)).toBeLessThan(0.3);
});
