/** f or a gradient that is not finite: the sentence names the likely mistake. */

import type { Engine, Matrix } from "@expen/linalg";
import { jsEngine } from "@expen/linalg/engine";
import { minimize } from "@expen/solvers";
import { formula, mul, scale, t, trace } from "@expen/tape";
import { describe, expect, test } from "vitest";
import { stiefel } from "../src/manifolds/stiefel.js";

const [n, p] = [6, 2];
const on = stiefel(n, p);
const square = (X: Matrix): number => X.data.reduce((s, x) => s + x * x, 0);
const grad = (G: Matrix, X: Matrix): void => X.data.forEach((x, k) => void (G.data[k] = 2 * x));

/** An engine whose memory has grown, which is the case for every larger run */
function grown(): Engine {
  const E = jsEngine();
  return { ...E, counters: { ...E.counters, emptied: 1 } };
}

const textOf = async (user: object, engine = grown()): Promise<string> =>
  (await minimize(user, { on, engine })).reason.text;

describe("NaN from the user's arithmetic is not blamed on memory", () => {
  test("X[0] in place of X.data[0]", async () => {
    const wrong = (X: Matrix) => square(X) + (X as unknown as number[])[3]!;
    const text = await textOf({ f: wrong, grad });
    expect(text).toMatch(/reads X\[3\], which is undefined; .* X\.data\[3\]/);
    expect(text).not.toMatch(/memory/);
  });

  test("an index outside of the data, of the gradient alone", async () => {
    const wrong = (G: Matrix, X: Matrix) => X.data.forEach((_, k) => void (G.data[k] = 2 * X.data[k + 1]!));
    expect(await textOf({ f: square, grad: wrong })).toMatch(/reads X\.data\[12\], but X has 12 numbers/);
  });

  test("0/0 at the start", async () => {
    const start = {
      rows: n,
      cols: p,
      data: Float64Array.from({ length: n * p }, (_, k) => (k === 0 || k === 3 ? 1 : 0)),
    };
    const f = (X: Matrix) => square(X) + X.data[5]! / X.data[5]!;
    const { reason } = await minimize({ f, grad }, { on, start, engine: grown() });
    expect(reason.text).toMatch(/finite nearby: look for 0\/0/);
    expect(reason.text).not.toMatch(/memory/);
  });

  test.each([
    ["0/0 everywhere", { f: square, grad: (G: Matrix) => void G.data.fill(0 / 0) }],
    ["the root of a negative number", { f: (X: Matrix) => Math.sqrt(X.data[0]! - 2), grad }],
  ])("%s: arithmetic is named before memory", async (_, user) => {
    expect(await textOf(user)).toMatch(/look for 0\/0, a division by 0, or a root .*; or, if f keeps the data/);
  });

  test.each([
    [
      "one entry of the gradient",
      {
        f: square,
        grad: (G: Matrix, X: Matrix) => X.data.forEach((x, k) => void (G.data[k] = k === 3 ? 0 / 0 : 2 * x)),
      },
    ],
    ["an infinite f", { f: () => Number.POSITIVE_INFINITY, grad }],
  ])("%s is not what an emptied array makes", async (_, user) => {
    const text = await textOf(user);
    expect(text).toMatch(/look for .*a division by 0/);
    expect(text).not.toMatch(/memory/);
  });

  test("an array that memory has emptied is called that", async () => {
    const kept = new Float64Array(structuredClone(new ArrayBuffer(0)));
    const text = await textOf({ f: (X: Matrix) => square(X) + kept[0]!, grad });
    expect(text).toMatch(/read it afresh in every call: the memory grew/);
  });
});

describe("a formula", () => {
  test.each([
    [
      "dense",
      { rows: n, cols: n, data: new Float64Array(n * n).fill(1).fill(Number.NaN, 8, 9) },
      /entry \(1, 2\) of a constant 6×6 is NaN/,
    ],
    [
      "of rows",
      Array.from({ length: n }, (_, i) => Array.from({ length: n }, (_, j) => (i === 2 && j === 4 ? Number.NaN : 1))),
      /entry \(2, 4\)/,
    ],
  ] as const)("%s data with NaN is refused with its entry", async (_, A, what) => {
    const run = minimize(
      formula((X) => trace(mul(t(X), A, X))),
      { on, engine: grown() },
    );
    await expect(run).rejects.toThrow(what);
  });

  test("sparse data and numbers too", async () => {
    const S = { rows: n, cols: n, pointers: [0, 1, 1, 1, 1, 1, 1], indices: [0], values: [Number.NaN] };
    const o = { on, engine: jsEngine() };
    await expect(
      minimize(
        formula((X) => trace(mul(t(X), S, X))),
        o,
      ),
    ).rejects.toThrow(/value 0 of a sparse matrix 6×6 is NaN/);
    await expect(
      minimize(
        formula((X) => scale(Number.NaN, trace(mul(t(X), X)))),
        o,
      ),
    ).rejects.toThrow(/is NaN/);
  });

  test("with a 0/0 of its own is not told of memory", async () => {
    const tape = (X: Parameters<typeof t>[0]) => scale(1, trace(mul(t(X), X)));
    const { reason } = await minimize(
      formula((X) => scale(Number.POSITIVE_INFINITY, tape(X))),
      { on, engine: grown() },
    );
    expect(reason.kind).toBe("not-finite");
    expect(reason.text).toMatch(/division by 0/);
    expect(reason.text).not.toMatch(/memory/);
  });
});
