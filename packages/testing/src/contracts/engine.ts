/** The contract of engines: every operation equals the definition in `js`, on every shape, and bad input is refused in a sentence. */

import type { Engine, Matrix } from "@expen/linalg";
import { EngineError, fillNormal, random } from "@expen/linalg";
import { EPS } from "@expen/linalg/arrays";
import { chain, jsEngine, type KindlessEngine, kindless } from "@expen/linalg/engine";
import { beforeAll, describe, expect, test } from "vitest";
import { matricesContract } from "./engine-matrices.js";
import { operatorContract } from "./engine-operators.js";

const SHAPES = [
  [0, 0], [0, 3], [3, 0], [1, 1], [1, 7], [7, 1], [2, 2], [3, 5], [4, 4], [5, 3], [8, 8], [9, 10], [13, 17], [16, 4], [31, 33],
  [64, 64], [100, 1], [101, 7], [255, 50], [1000, 3], [4099, 6],
] as const; // biome-ignore format: a list of shapes reads best in rows

type Make = "tall" | "small";
const halfProduct = chain(2, ({ mul }, x, y) => ({ outputs: [mul(0.5, mul(x, y))] }));

/** Twins: the same numbers in the engine under test and in `js`. */
function twins(
  E: KindlessEngine,
  J: KindlessEngine,
  make: Make,
  rows: number,
  cols: number,
  seed: number,
): [Matrix, Matrix] {
  const [A, a] = [E[make](rows, cols), J[make](rows, cols)];
  E.write(A, random(seed, `${rows}x${cols}`).normal);
  fillNormal(a, random(seed, `${rows}x${cols}`));
  return [A, a];
}

function poisoned(E: KindlessEngine, make: Make, rows: number, cols: number): Matrix {
  const M = E[make](rows, cols);
  E.fill(M, Number.NaN);
  return M;
}

/** Entrywise |A − B| ≤ 8·ε·(length of the sums)·(their size), A of E, B of `js` */
function expectSame(E: KindlessEngine, A: Matrix, B: Matrix, length: number, size = 10): void {
  expect([A.rows, A.cols]).toEqual([B.rows, B.cols]);
  const tolerance = 8 * EPS * Math.max(1, length) * size;
  const a = E.read(A);
  for (let i = 0; i < B.data.length; i++) {
    if (!(Math.abs(a[i]! - B.data[i]!) <= tolerance)) {
      expect.fail(`entry ${i} of ${A.rows}×${A.cols}: ${a[i]} instead of ${B.data[i]} (tolerance ${tolerance})`);
    }
  }
}

/** S = Sᵀ to the bit; one `expect` an entry would take longer than the kernel */
function expectMirrored(E: KindlessEngine, S: Matrix): void {
  const s = E.read(S);
  expect(s).toEqual(s.map((_, k) => s[(k % S.cols) * S.cols + Math.floor(k / S.cols)]!));
}

export function engineContract(title: string, open: () => Promise<Engine>): void {
  matricesContract(title, open);
  operatorContract(title, open);
  describe(`engine contract: ${title}`, () => {
    let E: KindlessEngine;
    const J = kindless(jsEngine());
    beforeAll(async () => {
      E = kindless(await open());
    });

    describe.each(SHAPES)("%i×%i", (n, p) => {
      test("gram, tmul, mul, mulT with and without accumulation", () => {
        const [A, a] = twins(E, J, "tall", n, p, 1);
        const [B, b] = twins(E, J, "tall", n, 5, 2);
        const [S, s] = twins(E, J, "small", p, 6, 3);
        const [W, w] = twins(E, J, "small", 4, p, 4);
        const check = (
          make: Make,
          rows: number,
          cols: number,
          length: number,
          op: (K: KindlessEngine, C: Matrix, coefficient: number) => void,
        ): void => {
          const [C, c] = [poisoned(E, make, rows, cols), poisoned(J, make, rows, cols)];
          op(E, C, 0);
          op(J, c, 0);
          expectSame(E, C, c, length);
          op(E, C, -0.5);
          op(J, c, -0.5);
          expectSame(E, C, c, length, 20);
        };
        check("small", p, 5, n, (K, C, k) => K.tmul(C, K === E ? A : a, K === E ? B : b, 1.25, k));
        check("tall", n, 6, p, (K, C, k) => K.mul(C, K === E ? A : a, K === E ? S : s, -2, k));
        check("tall", n, 4, p, (K, C, k) => K.mulT(C, K === E ? A : a, K === E ? W : w, 0.75, k));
        check("small", p, 5, n, (K, C, k) => K.tmul(C, K === E ? A : a, K === E ? B : b, 0, k));
        const [G, g] = [poisoned(E, "small", p, p), poisoned(J, "small", p, p)];
        for (const [k, size] of [
          [0, 10],
          [-0.5, 20],
        ] as const) {
          E.gram(G, A, k);
          J.tmul(g, a, a, 1, k);
          expectSame(E, G, g, n, size);
          expectMirrored(E, G);
        }
      });

      test("dot, copy, fill, combine, map", () => {
        const [X, x] = twins(E, J, "tall", n, p, 5);
        const [Y, y] = twins(E, J, "tall", n, p, 6);
        const [Z, z] = [poisoned(E, "tall", n, p), poisoned(J, "tall", n, p)];
        expect(Math.abs(E.dot(X, Y) - J.dot(x, y))).toBeLessThanOrEqual(8 * EPS * Math.max(1, n * p) * 4);
        const check = (op: (K: KindlessEngine, A: Matrix, B: Matrix, C: Matrix) => void): void => {
          op(E, X, Y, Z);
          op(J, x, y, z);
          expectSame(E, Z, z, 1);
        };
        check((K, A, _B, C) => K.combine(C, 3, A, 0, C));
        check((K, _A, _B, C) => K.combine(C, -1, C, 0, C));
        check((K, A, B, C) => K.combine(C, 2, A, -3, B));
        check((K, A, B, C) => K.combine(C, 0, A, 1, B));
        check((K, A, B, C) => K.combine(C, 1, A, 0, B));
        // in place
        check((K, A, _B, C) => K.combine(C, -0.5, A, 2, C));
        check((K, A, _B, C) => K.combine(C, 0.75, C, 3, A));
        check((K, _A, _B, C) => K.combine(C, 0.75, C, -2, C));
        check((K, A, _B, C) => K.combine(C, 0, A, -0.5, C));
        check((K, A, B, C) => K.map([C], halfProduct, [A, B]));
        check((K, A, _B, C) => K.copy(C, A));
        check((K, _A, _B, C) => K.fill(C, -7));
        E.fill(Z, Number.NaN);
        J.fill(z, Number.NaN);
        check((K, A, B, C) => K.combine(C, 2, A, -3, B));
        E.fill(Z, Number.NaN);
        J.fill(z, Number.NaN);
        check((K, A, B, C) => K.map([C], halfProduct, [A, B]));
      });

      test("dots, combination", () => {
        const pairs = [40, 41, 42, 43, 44].map((seed) => twins(E, J, "tall", n, p, seed));
        const [Y, y] = twins(E, J, "tall", n, p, 45);
        const c = Float64Array.of(0.5, -1, 2, 0.25, 3);
        for (const count of [0, 1, 4, 5]) {
          const [R, r] = [new Float64Array(5), new Float64Array(5)];
          E.dots(
            R,
            pairs.map((q) => q[0]),
            count,
            Y,
          );
          J.dots(
            r,
            pairs.map((q) => q[1]),
            count,
            y,
          );
          for (let i = 0; i < 5; i++)
            expect(Math.abs(R[i]! - r[i]!)).toBeLessThanOrEqual(8 * EPS * Math.max(1, n * p) * 4);
          for (const b of [0, -0.5]) {
            const [Z, z] =
              b === 0 ? [poisoned(E, "tall", n, p), poisoned(J, "tall", n, p)] : twins(E, J, "tall", n, p, 46);
            E.combination(
              Z,
              c,
              pairs.map((q) => q[0]),
              count,
              b,
            );
            J.combination(
              z,
              c,
              pairs.map((q) => q[1]),
              count,
              b,
            );
            expectSame(E, Z, z, 5);
          }
        }
      });

      test("rowDots, scaleRows", () => {
        const [X, x] = twins(E, J, "tall", n, p, 7);
        const [Y, y] = twins(E, J, "tall", n, p, 8);
        const [R, r] = [poisoned(E, "tall", n, 1), poisoned(J, "tall", n, 1)];
        E.rowDots(R, X, Y);
        J.rowDots(r, x, y);
        expectSame(E, R, r, p);
        const [Z, z] = [poisoned(E, "tall", n, p), poisoned(J, "tall", n, p)];
        for (const coefficient of [0, 0.5]) {
          E.scaleRows(Z, R, X, -1.5, coefficient);
          J.scaleRows(z, r, x, -1.5, coefficient);
          expectSame(E, Z, z, p, 50);
        }
      });

      test("symmetrize, addDiagonal", () => {
        const [S, s] = twins(E, J, "small", p, p, 9);
        E.symmetrize(S);
        J.symmetrize(s);
        E.addDiagonal(S, -1);
        J.addDiagonal(s, -1);
        expectSame(E, S, s, 1);
        expectMirrored(E, S);
      });
    });

    test("a product with NaN or infinity in it gives NaN or infinity, never a number", () => {
      const ones = (seventh: number): number[] => Array.from({ length: 45 }, (_, i) => (i === 7 ? seventh : 1));
      const S = poisoned(E, "small", 5, 5);
      E.gram(S, E.tall(9, 5, ones(Number.NaN)));
      expect(E.read(S)[2 * 5 + 1]).toBeNaN();
      expect(E.read(S)[0]).toBe(9);
      E.gram(S, E.tall(9, 5, ones(Number.POSITIVE_INFINITY)));
      expect(E.read(S)[2 * 5 + 2]).toBe(Number.POSITIVE_INFINITY);
    });

    test("matrices stay whole while many others are made", async () => {
      // a memory of its own, which is small and has to grow several times
      const E = kindless(await open());
      const [A, a] = twins(E, J, "tall", 300, 7, 30);
      const [S, s] = twins(E, J, "small", 7, 7, 31);
      const [Y, y] = [poisoned(E, "tall", 300, 7), poisoned(J, "tall", 300, 7)];
      E.mul(Y, A, S);
      const hoard = Array.from({ length: 16 }, () => E.tall(1 << 15, 4));
      E.mul(Y, A, S, 1, 1);
      J.mul(y, a, s);
      J.combine(y, 1, J.tall(y.rows, y.cols, y.data), 1, y);
      expectSame(E, Y, y, 14, 20);
      expectSame(E, A, a, 0, 1);
      expect(hoard.every((M) => E.read(M).length === 1 << 17)).toBe(true);
      E.dispose();
    });

    test("new matrices are zero", () => {
      for (const make of ["tall", "small"] as const) expect(E.read(E[make](37, 5)).every((v) => v === 0)).toBe(true);
    });

    test("operations make no matrix", () => {
      const [A, S, Y] = [E.tall(50, 4), E.small(4, 4), E.tall(50, 4)];
      const before = E.counters.matrices;
      E.gram(S, A);
      E.mul(Y, A, S);
      E.tmul(S, A, Y);
      E.dot(A, Y);
      E.combine(Y, 1, A, 2, E.tall(50, 4));
      expect(E.counters.matrices).toBe(before + 1);
    });

    test("flops are counted", () => {
      const [A, S] = [E.tall(10, 4), E.small(4, 4)];
      const before = E.counters.flops;
      E.tmul(S, A, A);
      expect(E.counters.flops - before).toBe(2 * 10 * 4 * 4);
    });

    describe("bad input is one clear sentence", () => {
      const refused = (op: () => unknown, ...words: RegExp[]): void => {
        expect(op).toThrow(EngineError);
        for (const word of words) expect(op).toThrow(word);
      };
      test("wrong shapes", () => {
        const [A, B] = [E.tall(5, 3), E.tall(4, 3)];
        refused(() => E.tmul(E.small(3, 3), A, B), /tmul/, /5×3/, /4×3/);
        refused(() => E.mul(E.tall(5, 2), A, E.small(3, 3)), /mul/, /5×2/, /5×3/);
        refused(() => E.gram(E.small(2, 3), A), /gram/, /3×3/);
        refused(() => E.dot(A, B), /dot/, /4×3/);
        refused(() => E.combine(A, 1, B, 1, A), /combine/, /4×3/);
        refused(() => E.symmetrize(E.small(5, 3)), /square/);
        refused(() => E.dots(new Float64Array(2), [A, B], 2, A), /X_1/, /4×3/);
        refused(() => E.combination(A, new Float64Array(1), [E.tall(5, 3)], 2), /2 matrices/);
        refused(() => E.rowDots(E.tall(5, 2), A, A), /5×1/);
      });
      test("sizes that are no sizes", () => {
        for (const bad of [-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
          refused(() => E.tall(bad, 2), /rows/, new RegExp(String(bad)));
          refused(() => E.small(2, bad), /cols/);
        }
      });
      test("more memory than there is", () => {
        refused(() => E.tall(2 ** 26, 2 ** 26), /memory/, /GiB/);
        expect(E.read(E.tall(2, 2)).length).toBe(4);
      });
      test("aliasing", () => {
        const A = E.small(4, 4);
        const B = E.small(4, 4);
        refused(() => E.mul(A, A, B), /destination/);
        refused(() => E.mul(A, B, A), /destination/);
        refused(() => E.gram(A, A), /destination/);
        refused(() => E.copy(A, A), /destination/);
      });
      test("a matrix of another engine, a plain one, a Float32Array, nothing", () => {
        const A = E.tall(3, 3);
        refused(() => E.dot(A, jsEngine().tall(3, 3)), /another 'js' engine/, /tall\(\) or small\(\)/);
        refused(() => E.dot(A, { rows: 3, cols: 3, data: new Float64Array(9) }), /plain Float64Array/);
        refused(() => E.dot(A, { rows: 3, cols: 3, data: new Float32Array(9) as never }), /Float32Array/);
        refused(() => E.dot(A, null as never), /null/);
        refused(() => E.small(3, 3, new Float64Array(8)), /8 numbers/);
        const gone = new Float64Array(9);
        structuredClone(gone, { transfer: [gone.buffer] });
        refused(() => E.small(3, 3, gone), /0 numbers/, /detached/);
      });
    });
  });
}
