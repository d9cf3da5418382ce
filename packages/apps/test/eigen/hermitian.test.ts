/** eigs of complex Hermitian matrices against planted eigenvalues and closed forms. */
import type { ComplexMatrix } from "@expen/core";
import { gaussian, type Matrix, plainProduct, plainTranspose, random, type Sparse } from "@expen/linalg";
import { sparseFromTriplets, sparseToDense } from "@expen/linalg/arrays";
import { describe, expect, test } from "vitest";
import { eigs, type HermitianAnswer } from "../../src/eigen/index.js";

type Complex = ComplexMatrix<Matrix>;
const combine = (a: number, A: Matrix, b: number, B: Matrix): Matrix => ({
  ...A,
  data: A.data.map((v, k) => a * v + b * B.data[k]!),
});
const times = (A: Complex, B: Complex): Complex => ({
  re: combine(1, plainProduct(A.re, B.re), -1, plainProduct(A.im, B.im)),
  im: combine(1, plainProduct(A.re, B.im), 1, plainProduct(A.im, B.re)),
});
const adjoint = ({ re, im }: Complex): Complex => ({
  re: plainTranspose(re),
  im: combine(-1, plainTranspose(im), 0, plainTranspose(im)),
});
const scaled = ({ re, im }: Complex, values: readonly number[]): Complex => {
  const by = (M: Matrix): Matrix => ({ ...M, data: M.data.map((v, k) => v * values[k % M.cols]!) });
  return { re: by(re), im: by(im) };
};
const normOf = ({ re, im }: Complex): number => Math.hypot(...re.data, ...im.data);
const difference = (A: Complex, B: Complex): number =>
  normOf({ re: combine(1, A.re, -1, B.re), im: combine(1, A.im, -1, B.im) });
const identity = (p: number): Complex => {
  const data = Float64Array.from({ length: p * p }, (_, k) => (k % (p + 1) === 0 ? 1 : 0));
  return { re: { rows: p, cols: p, data }, im: { rows: p, cols: p, data: new Float64Array(p * p) } };
};
const columnOf = ({ re, im }: Complex, j: number): Complex => {
  const of = (M: Matrix): Matrix => ({
    rows: M.rows,
    cols: 1,
    data: Float64Array.from({ length: M.rows }, (_, i) => M.data[i * M.cols + j]!),
  });
  return { re: of(re), im: of(im) };
};

/** A product of Householder reflections of complex vectors: unitary */
function unitary(n: number, seed: number): Complex {
  let Q = identity(n);
  for (let k = 0; k < 3; k++) {
    const w: Complex = { re: gaussian(n, 1, random(seed + k, "re")), im: gaussian(n, 1, random(seed + k, "im")) };
    const P = times(scaled(w, [2 / normOf(w) ** 2]), adjoint(w));
    Q = times(Q, { re: combine(1, identity(n).re, -1, P.re), im: combine(0, P.re, -1, P.im) });
  }
  return Q;
}

/** A Hermitian matrix with these eigenvalues */
const planted = (values: readonly number[], seed = 1): Complex => {
  const Q = unitary(values.length, seed);
  const { re, im } = times(scaled(Q, values), adjoint(Q));
  return { re: combine(0.5, re, 0.5, plainTranspose(re)), im: combine(0.5, im, -0.5, plainTranspose(im)) };
};

function expectPairs(
  A: Complex,
  B: Complex | undefined,
  answer: HermitianAnswer,
  exact: readonly number[],
  allowed = 1e-10,
): void {
  const { values, vectors: X, residuals, bounds } = answer;
  expect(values).toHaveLength(exact.length);
  values.forEach((v, j) => {
    expect(Math.abs(v - exact[j]!)).toBeLessThan(allowed);
    expect(Math.abs(v - exact[j]!)).toBeLessThanOrEqual(bounds![j]! + 1e-13 * Math.abs(exact[j]!));
  });
  const [AX, BX] = [times(A, X), B ? times(B, X) : X];
  expect(difference(times(adjoint(X), BX), identity(values.length))).toBeLessThan(1e-10);
  for (const [j, value] of values.entries()) {
    const r = difference(columnOf(AX, j), scaled(columnOf(BX, j), [value]));
    expect(Math.abs(r - residuals[j]!)).toBeLessThan(1e-9);
  }
}

describe("dense", () => {
  const values = [-3, -1, -1, -1, 0.5, 2, 2, 7, 9, 11];
  test("planted values, of which some are threefold: each as often as it is there", async () => {
    const A = planted(values);
    const smallest = await eigs(A, { p: 6 });
    expectPairs(A, undefined, smallest, values.slice(0, 6));
    for (let j = 0; j < 6; j++) {
      // the entry of largest modulus is real and positive
      const { re, im } = columnOf(smallest.vectors, j);
      const place = Array.from(re.data, (u, i) => u * u + im.data[i]! ** 2).reduce(
        (best, v, i, all) => (v > all[best]! ? i : best),
        0,
      );
      expect(Math.abs(im.data[place]!)).toBeLessThan(1e-12);
      expect(re.data[place]).toBeGreaterThan(0);
    }
    expect(smallest.certificate).toMatchObject({ level: "complete", interval: { count: 10 } });
    expectPairs(A, undefined, await eigs(A, { p: 3, which: "largest" }), [11, 9, 7]);
    expectPairs(A, undefined, await eigs(A, { p: 3, sigma: 1.6 }), [2, 2, 0.5]);
  });

  test("A·x = λB·x with a Hermitian B, and with a real one", async () => {
    const B = planted([1, 1, 2, 2, 3, 3, 4, 5, 6, 7], 4);
    const [A, L] = [planted(values), unitary(10, 9)];
    // (LAL*)·x = λ(LBL*)·x has the eigenvalues of A·x = λB·x
    const moved = (M: Complex): Complex => times(times(L, M), adjoint(L));
    const [one, other] = [await eigs(A, { p: 4, B }), await eigs(moved(A), { p: 4, B: moved(B) })];
    expectPairs(A, B, one, other.values);
    const real = { rows: 10, cols: 10, data: B.re.data.map((_, k) => (k % 11 === 0 ? 2 : 0)) };
    expectPairs(
      A,
      { re: real, im: { ...real, data: new Float64Array(100) } },
      await eigs(A, { p: 4, B: real }),
      values.slice(0, 4).map((v) => v / 2),
    );
  });

  test("a real matrix as a complex one has the same values", async () => {
    const { re } = planted(values);
    const im = { ...re, data: new Float64Array(100) };
    const [one, other] = [await eigs({ re, im }, { p: 5 }), await eigs(re, { p: 5 })];
    one.values.forEach((v, j) => void expect(v).toBeCloseTo(other.values[j]!, 12));
  });
});

describe("sparse", () => {
  /** A ring of n places in a magnetic field: 2 on the diagonal, −e^{±iφ/n} beside it */
  const ring = (n: number, flux: number): { re: Sparse; im: Sparse } => {
    const [i, j] = [[] as number[], [] as number[]];
    const [re, im]: [number[], number[]] = [[], []];
    for (let k = 0; k < n; k++) {
      for (const step of [-1, 0, 1]) {
        i.push(k);
        j.push((k + step + n) % n);
        re.push(step === 0 ? 2 : -Math.cos(flux / n));
        im.push(step * Math.sin(flux / n));
      }
    }
    return { re: sparseFromTriplets(n, n, i, j, re), im: sparseFromTriplets(n, n, i, j, im) };
  };
  const exact = (n: number, flux: number): number[] =>
    Array.from({ length: n }, (_, k) => 2 - 2 * Math.cos((2 * Math.PI * k + flux) / n)).sort((a, b) => a - b);

  test.each([
    ["smallest", { p: 4 }],
    ["largest", { p: 3, which: "largest" }],
    ["nearest", { p: 5, sigma: 1.1 }],
  ] as const)("a ring in a magnetic field, the %s: closed form, none missing", async (_, options) => {
    const [n, flux] = [400, 1];
    const A = ring(n, flux);
    const all = exact(n, flux);
    const wanted =
      "sigma" in options
        ? all.toSorted((a, b) => Math.abs(a - options.sigma) - Math.abs(b - options.sigma))
        : "which" in options
          ? all.toReversed()
          : all;
    const answer = await eigs(A, options);
    expectPairs({ re: sparseToDense(A.re), im: sparseToDense(A.im) }, undefined, answer, wanted.slice(0, options.p));
    expect(answer.certificate).toMatchObject({ level: "complete", interval: { count: options.p } });
  });

  test("without a field each value but the ends is double, and the answer says where it ends", async () => {
    const answer = await eigs(ring(300, 0), { p: 5 });
    const wanted = exact(300, 0).slice(0, 5);
    answer.values.forEach((v, j) => void expect(Math.abs(v - wanted[j]!)).toBeLessThan(1e-11));
    expect(answer.certificate).toMatchObject({ level: "complete", interval: { count: 5 } });
  });
});

test.each([
  ["a real part that is not symmetric", { re: [[1, 2], [0, 1]], im: [[0, 0], [0, 0]] }, {}, /A is not Hermitian; its real part must be symmetric/],
  ["an imaginary part that is symmetric", { re: [[1, 0], [0, 1]], im: [[0, 1], [1, 0]] }, {}, /A is not Hermitian/],
  ["parts of two shapes", { re: [[1, 0], [0, 1]], im: [[0]] }, {}, /the real part of A is 2×2 and the imaginary part 1×1/],
  ["too many values", { re: [[1, 0], [0, 1]], im: [[0, 1], [-1, 0]] }, { p: 3 }, /p = 3 is above n = 2/],
  ["a wrong size", { re: [[1, 0], [0, 1]], im: [[0, 1], [-1, 0]] }, { n: 3 }, /n is 3 but A is 2×2/],
  ["an indefinite B", { re: [[1, 0], [0, 1]], im: [[0, 1], [-1, 0]] }, { B: [[1, 0], [0, -1]] }, /B is singular or indefinite/],
  ["B as a function", { re: [[1, 0], [0, 1]], im: [[0, 1], [-1, 0]] }, { B: (x: Float64Array) => x }, /B is a function beside a complex matrix/],
])("%s", async (_, A, o, sentence) => {
  await expect(eigs(A, { p: 1, ...o })).rejects.toThrow(sentence);
}); // biome-ignore format: a case a line
