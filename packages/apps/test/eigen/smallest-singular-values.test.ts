/** svds of the smallest values, and of products: closed forms, planted values, null spaces. */
import { type Matrix, plainProduct, plainTranspose, random, randomOrthonormal, type Sparse } from "@expen/linalg";
import { sparseApply, sparseFromTriplets, sparseToDense, sparseTranspose } from "@expen/linalg/arrays";
import { jsEngine } from "@expen/linalg/engine";
import { opaque } from "@expen/testing/engines/opaque";
import { describe, expect, test } from "vitest";
import { type SvdsAnswer, type SvdsOptions, svds } from "../../src/eigen/index.js";
import { diagonal, grid, gridValues, pathValues } from "./matrices.js";

/** ‖A·V − U·Diag(values)‖ and ‖Aᵀ·U − V·Diag(values)‖, and how far U and V are from orthonormal ones */
function errorsOf(A: Matrix, { U, V, values }: SvdsAnswer): number[] {
  const p = values.length;
  const rest = (M: Matrix, X: Matrix, Y: Matrix): number => {
    const MX = plainProduct(M, X);
    return Math.hypot(...MX.data.map((v, k) => v - Y.data[k]! * values[k % p]!));
  };
  const skew = (Q: Matrix): number =>
    Math.hypot(...plainProduct(plainTranspose(Q), Q).data.map((v, k) => v - (k % (p + 1) === 0 ? 1 : 0)));
  return [rest(A, V, U), rest(plainTranspose(A), U, V), skew(U), skew(V)];
}

function expectValues(answer: SvdsAnswer, A: Matrix, exact: readonly number[], scale: number): void {
  const { values, bounds } = answer;
  expect(answer.converged).toBe(true);
  expect(values).toHaveLength(exact.length);
  values.forEach((v, j) => void expect(Math.abs(v - exact[j]!)).toBeLessThanOrEqual(bounds[j]! + 1e-14 * scale));
  for (const error of errorsOf(A, answer)) expect(error).toBeLessThan(1e-8 * scale);
}

/** Differences of neighbours on a path of n + 1 places: the squares of its singular values are the eigenvalues of tridiag(−1, 2, −1). */
function differences(n: number): Sparse {
  const index = Array.from({ length: n }, (_, k) => k);
  const [i, j] = [index.flatMap((k) => [k, k + 1]), index.flatMap((k) => [k, k])];
  return sparseFromTriplets(
    n + 1,
    n,
    i,
    j,
    index.flatMap(() => [1, -1]),
  );
}

describe("the smallest of a sparse matrix", () => {
  const n = 400;
  const wanted = pathValues(n).map(Math.sqrt);
  test.each([
    ["tall", differences(n)],
    ["wide", sparseTranspose(differences(n))],
  ])("%s: closed form, none missing", async (_, A) => {
    const answer = await svds(A, { p: 4, which: "smallest" });
    expectValues(answer, sparseToDense(A), wanted.slice(0, 4), 2);
    expect(answer.certificate).toMatchObject({ level: "complete", interval: { count: 4 } });
    expect(answer.method).toMatch(/by a factorization/);
    for (const bound of answer.bounds) expect(bound).toBeLessThan(1e-10);
  });

  test.each([3e-8, 1e-9, 0])(
    "the bound of a value next to 0 of a tall matrix, beside the zeros of AAᵀ: %d",
    async (tiny) => {
      const [m, n] = [300, 270];
      const [i, j, v]: [number[], number[], number[]] = [[], [], []];
      for (let k = 0; k < n; k++) {
        const size = k === 0 ? tiny : 1 + k / n;
        i.push(k, n + (k % (m - n)));
        j.push(k, k);
        v.push(0.6 * size, 0.8 * size);
      }
      const A = sparseFromTriplets(m, n, i, j, v);
      const own = await svds(A, { p: 2, which: "smallest" });
      const whole = await svds(sparseToDense(A), { p: 2, which: "smallest" });
      expect(own.converged).toBe(Math.max(...own.residuals) <= 3e-9);
      own.values.forEach((value, k) => {
        expect(Math.abs(value - whole.values[k]!)).toBeLessThanOrEqual(own.bounds[k]! + 1e-14);
      });
    },
  );

  test("a sparse zero matrix", async () => {
    const { values, bounds } = await svds(sparseFromTriplets(300, 280, [], [], []), { p: 2, which: "smallest" });
    expect(values).toEqual([0, 0]);
    for (const bound of bounds) expect(bound).toBeLessThan(1e-100);
  });

  test("multiple ones: the singular values of a grid's Laplacian are its eigenvalues", async () => {
    const answer = await svds(grid(18), { p: 6, which: "smallest" });
    expectValues(answer, sparseToDense(grid(18)), gridValues(18).slice(0, 6), 8);
    expect(answer.certificate.level).toBe("complete");
  });

  test.each([
    ["square", 0],
    ["tall", 40],
  ])("with a null space, %s: its vectors are orthonormal, and Aᵀ·u = 0 there too", async (_, more) => {
    const values = Array.from({ length: 300 }, (_, k) => (k < 3 ? 0 : k === 3 ? 1e-9 : k / 10));
    const D = diagonal(values);
    const A: Sparse = {
      ...D,
      rows: 300 + more,
      pointers: Int32Array.from({ length: 301 + more }, (_, i) => D.pointers[Math.min(i, 300)]!),
    };
    const answer = await svds(A, { p: 6, which: "smallest" });
    expectValues(answer, sparseToDense(A), [0, 0, 0, 1e-9, 0.4, 0.5], 30);
  });

  test("an ill-conditioned one: residuals are those of A, whatever its square lost", async () => {
    const values = Array.from({ length: 500 }, (_, k) => 10 ** (-6 + (6 * k) / 499));
    const answer = await svds(diagonal(values), { p: 3, which: "smallest" });
    expectValues(answer, sparseToDense(diagonal(values)), values.slice(0, 3), 1);
    expect(answer.values[0]! / values[0]!).toBeCloseTo(1, 6);
  });
});

test("the smallest of a dense matrix: planted ones", async () => {
  const values = Array.from({ length: 270 }, (_, k) => 0.01 * 1.03 ** k);
  const [U, V] = [randomOrthonormal(400, 270, random(1)), randomOrthonormal(270, 270, random(2))];
  const A = plainProduct({ ...U, data: U.data.map((v, i) => v * values[i % 270]!) }, plainTranspose(V));
  for (const M of [A, plainTranspose(A)]) {
    const answer = await svds(M, { p: 5, which: "smallest" });
    expectValues(answer, M, values.slice(0, 5), values.at(-1)!);
    expect(answer.certificate).toMatchObject({ level: "complete", interval: { count: 270 } });
  }
});

describe("products in the place of a matrix", () => {
  const n = 300;
  const A = differences(n);
  const [rows, cols] = [A.rows, A.cols];
  const product =
    (M: Sparse) =>
    (x: Float64Array): Float64Array => {
      const y = new Float64Array(M.rows);
      sparseApply({ rows: M.rows, cols: 1, data: y }, M, { rows: M.cols, cols: 1, data: x });
      return y;
    };
  const [times, timesTransposed] = [product(A), product(sparseTranspose(A))];
  const wanted = pathValues(n).map(Math.sqrt);

  test("of vectors, tall and wide: the largest; a function is not counted", async () => {
    for (const given of [
      { rows, cols, times, timesTransposed },
      { rows: cols, cols: rows, times: timesTransposed, timesTransposed: times },
    ]) {
      const answer = await svds(given, 3);
      expectValues(
        answer,
        sparseToDense(given.rows > given.cols ? A : sparseTranspose(A)),
        wanted.toReversed().slice(0, 3),
        2,
      );
      expect(answer.certificate).toMatchObject({ level: "residual", text: expect.stringMatching(/given by products/) });
      expect(answer.products).toBeGreaterThan(0);
    }
  });

  test("all of them, where they are few", async () => {
    const small = product(differences(20));
    const answer = await svds(
      { rows: 21, cols: 20, times: small, timesTransposed: product(sparseTranspose(differences(20))) },
      { p: 20, which: "smallest" },
    );
    expectValues(answer, sparseToDense(differences(20)), pathValues(20).map(Math.sqrt), 2);
    expect(answer.certificate.level).toBe("complete");
  });

  test("operators of an engine, and the smallest by Davidson's method with the inverse of AᵀA as preconditioner", async () => {
    const E = opaque(jsEngine());
    const operator = E.operator(A);
    // tridiag(−1, 2, −1)⁻¹ by Thomas' algorithm
    const solve: NonNullable<SvdsOptions["preconditioner"]> = (Z, _X, G) => {
      const [g, p] = [E.read(G), G.cols];
      const c = new Float64Array(n);
      for (let i = 0; i < n; i++) c[i] = i === 0 ? -0.5 : -1 / (2 + c[i - 1]!);
      for (let j = 0; j < p; j++) {
        for (let i = 0; i < n; i++)
          g[i * p + j] = (g[i * p + j]! + (i > 0 ? g[(i - 1) * p + j]! : 0)) / (2 + (i > 0 ? c[i - 1]! : 0));
        for (let i = n - 2; i >= 0; i--) g[i * p + j]! -= c[i]! * g[(i + 1) * p + j]!;
      }
      E.write(Z, g);
    };
    const given = { rows, cols, apply: operator.apply.bind(operator), applyT: operator.applyT.bind(operator) };
    const answer = await svds(given, { p: 3, which: "smallest", preconditioner: solve, engine: E });
    expectValues(answer, sparseToDense(A), wanted.slice(0, 3), 2);
    const without = await svds(given, { p: 3, which: "smallest", engine: E, maxEvaluations: 5000 });
    expect(answer.products).toBeLessThan(without.products / 3);
  });

  test.each([
    ["no transpose", { rows, cols, times }, {}, /A\.timesTransposed is missing; give products with A and with its transpose/],
    ["the transpose of another", { rows, cols, times, timesTransposed: (y: Float64Array) => timesTransposed(y).map((v) => 2 * v) }, {}, /not those of a matrix and its transpose: ⟨y, A·x⟩/],
    ["a wrong length", { rows: 9, cols, times, timesTransposed }, {}, /A\.times returns 301 numbers; it must be 9|A\.timesTransposed/],
    ["no size", { cols, times, timesTransposed }, {}, /A\.rows is undefined; it must be a whole number/],
    ["numbers that are not finite", { rows, cols, times: () => new Float64Array(rows).fill(Number.NaN), timesTransposed }, {}, /not finite/],
    ["a preconditioner for the largest", { rows, cols, times, timesTransposed }, { preconditioner: () => {} }, /for the smallest singular values; leave it out/],
    ["an unknown end", { rows, cols, times, timesTransposed }, { which: "smalest" }, /which/],
  ])("%s: one sentence", async (_, given, o, sentence) => {
    await expect(svds(given as never, { p: 1, ...o } as never)).rejects.toThrow(sentence);
  }); // biome-ignore format: a case a line
});
