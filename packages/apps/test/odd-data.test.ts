import type { Matrix, MatrixLike } from "@expen/linalg";
import { jsEngine } from "@expen/linalg/engine";
import { normal, plain, shipped } from "@expen/testing/applications/support";
import * as apps from "expen/apps";
import { describe, expect, test } from "vitest";

const engine = jsEngine();
const samples = plain(normal(30, 5, 1));
const mapped = (A: Matrix, f: (v: number, k: number) => number): Matrix => ({ ...A, data: A.data.map(f) });

test.each([
  ["pca", "p", (): unknown => apps.pca(samples, undefined as never)],
  ["svd", "p", (): unknown => apps.truncatedSvd(samples, undefined as never)],
  ["cca", "p", (): unknown => apps.canonicalCorrelation(samples, samples, undefined as never)],
  ["tucker", "rank", (): unknown => apps.tucker([samples], undefined as never)],
])("%s without options says that %s is asked for", async (name, option, call) => {
  await expect(call()).rejects.toThrow(new RegExp(`^${name}: .*${option}.* is undefined`));
});

describe("degenerate and badly scaled data", () => {
  const calls: Record<string, (A: MatrixLike) => Promise<unknown>> = {
    pca: (A) => apps.pca(A, { p: 2, engine }),
    "sparse-pca": (A) => apps.sparsePca(A, { p: 2, weight: 0.1, engine }),
    svd: (A) => apps.truncatedSvd(A, { p: 2, engine }),
    ica: (A) => apps.ica(A, { p: 2, engine }),
    "factor-rotation": (A) => apps.factorRotation(A, { engine }),
    procrustes: (A) => apps.procrustes(A, A, { engine }),
    align: (A) => apps.align(A, A, { engine }),
    discriminant: (A) =>
      apps.discriminant(
        A,
        Array.from({ length: 30 }, (_, i) => i % 3),
        { p: 2, engine },
      ),
  };

  // svd takes no squares
  const bySquares = Object.entries(calls).filter(([name]) => name !== "svd");
  test.each(bySquares)("%s: overflow of squares is reported in one sentence", async (name, call) => {
    await expect(call(mapped(samples, (v) => 1e200 * v))).rejects.toThrow(`${name}: squares of `);
  });

  test.each(Object.entries(calls))(
    "%s: rows of numbers, and single precision, give the same answer as their matrix",
    async (_name, call) => {
      const single = { ...samples, data: Float32Array.from(samples.data) };
      const double = { ...samples, data: Float64Array.from(single.data) };
      const rows = Array.from({ length: samples.rows }, (_, i) => Array.from(single.data.subarray(5 * i, 5 * i + 5)));
      const answerOf = async (A: MatrixLike) =>
        JSON.stringify(await call(A), (key, value) => (key === "seconds" ? 0 : value));
      const wanted = await answerOf(double);
      expect([await answerOf(single), await answerOf(rows)]).toEqual([wanted, wanted]);
    },
  );

  test("loadings in one direction have the same criterion, 0, for every rotation", async () => {
    const { run, criterion } = await apps.factorRotation(
      mapped(samples, () => 3),
      { engine },
    );
    expect(run.reason.converged).toBe(true);
    expect(Math.abs(criterion)).toBeLessThan(1e-13);
  });

  test("classes of equal samples have no scatter but roundoff", async () => {
    const labels = Array.from({ length: 30 }, (_, i) => i % 3);
    const equal = mapped(samples, (_, k) => 0.1 + labels[Math.floor(k / 5)]!);
    await expect(apps.discriminant(equal, labels, { p: 2, engine })).rejects.toThrow("no scatter within");
  });

  test("singular vectors of data without full rank, and of one row", async () => {
    const one = { rows: 1, cols: 3, data: Float64Array.of(2, 3, 6) };
    const { values, V } = await apps.truncatedSvd(one, { p: 1, engine });
    expect(values[0]).toBeCloseTo(7, 12);
    expect(Array.from(V.data, Math.abs)).toEqual([2 / 7, 3 / 7, 6 / 7].map((v) => expect.closeTo(v, 12)));
    const twice = { rows: 30, cols: 5, data: samples.data.map((_, k) => samples.data[Math.floor(k / 5) * 5]!) };
    const { values: two, U } = await apps.truncatedSvd(twice, { p: 2, engine });
    expect(two[1]).toBeLessThan(1e-7 * two[0]!);
    const inner = [0, 1, 2, 3].map((at) =>
      Array.from({ length: 30 }, (_, i) => U.data[2 * i + (at >> 1)]! * U.data[2 * i + (at & 1)]!).reduce(
        (a, b) => a + b,
      ),
    );
    expect(inner).toEqual([1, 0, 0, 1].map((v) => expect.closeTo(v, 10)));
  });
});

test("the largest trace ratio of badly scaled columns is found and proved, in a few evaluations", async () => {
  const { A, labels } = wines();
  const { run, ratio, gapBound } = await apps.discriminant(A, labels, { p: 2, engine });
  expect(run.evaluations.grad).toBeLessThan(10);
  expect(gapBound).toBeLessThan(1e-9 * ratio);
});

/** The wine data beside three kinds, by thirds of the first column */
function wines(): { A: Matrix; labels: number[] } {
  const { A } = shipped("wine");
  const first = Array.from({ length: A.rows }, (_, i) => A.data[i * A.cols]!);
  const sorted = first.toSorted((a, b) => a - b);
  const [low, high] = [sorted[Math.floor(A.rows / 3)]!, sorted[Math.floor((2 * A.rows) / 3)]!];
  return { A, labels: first.map((v) => (v < low ? 0 : v < high ? 1 : 2)) };
}
