/** The contract of engines: every operation equals the definition in `js`, on every shape, and bad input is refused in a sentence. */
import { beforeAll, describe, expect, test } from "vitest";
import { EngineError } from "../../src/engines/engine.js";
import { jsEngine } from "../../src/engines/js.js";
import { constantTridiagonal, tridiagonalFactor } from "../../src/linalg/tridiagonal.js";
import { fillNormal, random } from "../../src/random.js";
import type { Engine, Matrix, Tridiagonal } from "../../src/types.js";

const EPS = 2 ** -52;
const SHAPES = [
  [0, 0], [0, 3], [3, 0], [1, 1], [1, 7], [7, 1], [2, 2], [3, 5], [4, 4], [5, 3], [8, 8], [9, 10], [13, 17], [16, 4], [31, 33],
  [64, 64], [100, 1], [101, 7], [255, 50], [1000, 3], [4099, 6],
] as const; // biome-ignore format: a list of shapes reads best in rows

/** Twins: the same numbers in the engine under test and in `js`. */
function twins(E: Engine, J: Engine, rows: number, cols: number, seed: number): [Matrix, Matrix] {
  const b = J.matrix(rows, cols);
  fillNormal(b, random(seed, `${rows}x${cols}`));
  return [E.from(b), b];
}

function poisoned(E: Engine, rows: number, cols: number): Matrix {
  const M = E.matrix(rows, cols);
  M.data.fill(Number.NaN);
  return M;
}

/** Entrywise |A − B| ≤ 8·ε·(length of the sums)·(their size) */
function expectSame(A: Matrix, B: Matrix, length: number, size = 10): void {
  expect([A.rows, A.cols]).toEqual([B.rows, B.cols]);
  const tolerance = 8 * EPS * Math.max(1, length) * size;
  for (let i = 0; i < B.data.length; i++) {
    if (!(Math.abs(A.data[i]! - B.data[i]!) <= tolerance)) {
      expect.fail(`entry ${i} of ${A.rows}×${A.cols}: ${A.data[i]} instead of ${B.data[i]} (tolerance ${tolerance})`);
    }
  }
}

export function engineContract(title: string, open: () => Promise<Engine>): void {
  describe(`engine contract: ${title}`, () => {
    let E: Engine;
    const J = jsEngine();
    beforeAll(async () => {
      E = await open();
    });

    describe.each(SHAPES)("%i×%i", (n, p) => {
      test("gram, tmul, mul, mulT, apply with and without accumulation", () => {
        const [A, a] = twins(E, J, n, p, 1);
        const [B, b] = twins(E, J, n, 5, 2);
        const [S, s] = twins(E, J, p, 6, 3);
        const [W, w] = twins(E, J, 4, p, 4);
        const check = (
          rows: number,
          cols: number,
          length: number,
          op: (K: Engine, C: Matrix, coefficient: number) => void,
        ): void => {
          const [C, c] = [poisoned(E, rows, cols), poisoned(J, rows, cols)];
          op(E, C, 0);
          op(J, c, 0);
          expectSame(C, c, length);
          op(E, C, -0.5);
          op(J, c, -0.5);
          expectSame(C, c, length, 20);
        };
        check(p, 5, n, (K, C, k) => K.tmul(C, K === E ? A : a, K === E ? B : b, 1.25, k));
        check(n, 6, p, (K, C, k) => K.mul(C, K === E ? A : a, K === E ? S : s, -2, k));
        check(n, 6, p, (K, C, k) => K.apply(C, K === E ? A : a, K === E ? S : s, 1, k));
        check(n, 4, p, (K, C, k) => K.mulT(C, K === E ? A : a, K === E ? W : w, 0.75, k));
        check(p, 5, n, (K, C, k) => K.tmul(C, K === E ? A : a, K === E ? B : b, 0, k));
        const [G, g] = [poisoned(E, p, p), poisoned(J, p, p)];
        const mirrored = ({ data }: Matrix): void => {
          for (let i = 0; i < p; i++) for (let j = 0; j < i; j++) expect(data[i * p + j]).toBe(data[j * p + i]);
        };
        for (const [k, size] of [
          [0, 10],
          [-0.5, 20],
        ] as const) {
          E.gram(G, A, k);
          J.tmul(g, a, a, 1, k);
          expectSame(G, g, n, size);
          mirrored(G);
        }
      });

      test("dot, copy, fill, axpby, combine, hadamard", () => {
        const [X, x] = twins(E, J, n, p, 5);
        const [Y, y] = twins(E, J, n, p, 6);
        const [Z, z] = [poisoned(E, n, p), poisoned(J, n, p)];
        expect(Math.abs(E.dot(X, Y) - J.dot(x, y))).toBeLessThanOrEqual(8 * EPS * Math.max(1, n * p) * 4);
        const check = (op: (K: Engine, A: Matrix, B: Matrix, C: Matrix) => void): void => {
          op(E, X, Y, Z);
          op(J, x, y, z);
          expectSame(Z, z, 1);
        };
        check((K, A, _B, C) => K.axpby(C, 3, A, 0));
        check((K, A, _B, C) => K.axpby(C, -0.5, A, 2));
        check((K, A, _B, C) => K.axpby(C, 0, A, -1));
        check((K, A, B, C) => K.combine(C, 2, A, -3, B));
        check((K, A, B, C) => K.combine(C, 0, A, 1, B));
        check((K, A, B, C) => K.combine(C, 1, A, 0, B));
        check((K, A, B, C) => K.hadamard(C, A, B, 0.5, 0));
        check((K, A, B, C) => K.hadamard(C, A, B, 0.5, -1));
        check((K, A, _B, C) => K.copy(C, A));
        check((K, _A, _B, C) => K.fill(C, -7));
        Z.data.fill(Number.NaN);
        z.data.fill(Number.NaN);
        check((K, A, B, C) => K.combine(C, 2, A, -3, B));
        Z.data.fill(Number.NaN);
        z.data.fill(Number.NaN);
        check((K, A, B, C) => K.hadamard(C, A, B));
      });

      test("dots, combination", () => {
        const pairs = [40, 41, 42, 43, 44].map((seed) => twins(E, J, n, p, seed));
        const [Y, y] = twins(E, J, n, p, 45);
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
            const [Z, z] = b === 0 ? [poisoned(E, n, p), poisoned(J, n, p)] : twins(E, J, n, p, 46);
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
            expectSame(Z, z, 5);
          }
        }
      });

      test("rowDots, scaleRows, tridiagonal, tridiagonalSolve", () => {
        const [X, x] = twins(E, J, n, p, 7);
        const [Y, y] = twins(E, J, n, p, 8);
        const [R, r] = [poisoned(E, n, 1), poisoned(J, n, 1)];
        E.rowDots(R, X, Y);
        J.rowDots(r, x, y);
        expectSame(R, r, p);
        const [Z, z] = [poisoned(E, n, p), poisoned(J, n, p)];
        for (const coefficient of [0, 0.5]) {
          E.scaleRows(Z, R, X, -1.5, coefficient);
          J.scaleRows(z, r, x, -1.5, coefficient);
          expectSame(Z, z, p, 50);
        }
        const random3 = (seed: number): [Tridiagonal, Tridiagonal] => {
          const d = [seed, seed + 1, seed + 2].map((q) => twins(E, J, n, 1, q));
          const pick = (i: 0 | 1): Tridiagonal => ({ lower: d[0]![i], main: d[1]![i], upper: d[2]![i] });
          return [pick(0), pick(1)];
        };
        const [T, t] = random3(20);
        E.fill(Z, Number.NaN);
        for (const coefficient of [0, -2]) {
          E.tridiagonal(Z, T, X, 1.5, coefficient);
          J.tridiagonal(z, t, x, 1.5, coefficient);
          expectSame(Z, z, 3, 50);
        }
        if (n === 0) return;
        const L = constantTridiagonal(E, n, -1, 2.5, -1);
        E.fill(Z, Number.NaN);
        E.tridiagonalSolve(Z, tridiagonalFactor(E, L), X);
        const back = poisoned(E, n, p);
        E.tridiagonal(back, L, Z);
        expectSame(back, x, 8);
      });

      test("symmetrize, addDiagonal", () => {
        const [S, s] = twins(E, J, p, p, 9);
        E.symmetrize(S);
        J.symmetrize(s);
        E.addDiagonal(S, -1);
        J.addDiagonal(s, -1);
        expectSame(S, s, 1);
        for (let i = 0; i < p; i++) for (let j = 0; j < i; j++) expect(S.data[i * p + j]).toBe(S.data[j * p + i]);
      });
    });

    test("a product with NaN or infinity in it gives NaN or infinity, never a number", () => {
      const A = E.matrix(9, 5);
      E.fill(A, 1);
      A.data[7] = Number.NaN;
      const S = poisoned(E, 5, 5);
      E.gram(S, A);
      expect(S.data[2 * 5 + 1]).toBeNaN();
      expect(S.data[0]).toBe(9);
      A.data[7] = Number.POSITIVE_INFINITY;
      E.gram(S, A);
      expect(S.data[2 * 5 + 2]).toBe(Number.POSITIVE_INFINITY);
    });

    test("matrices stay whole while many others are made", () => {
      const [A, a] = twins(E, J, 300, 7, 30);
      const [S, s] = twins(E, J, 7, 7, 31);
      const [Y, y] = [poisoned(E, 300, 7), poisoned(J, 300, 7)];
      E.mul(Y, A, S);
      const hoard = Array.from({ length: 40 }, () => E.matrix(1 << 17, 4));
      E.mul(Y, A, S, 1, 1);
      J.mul(y, a, s);
      J.axpby(y, 1, J.from(y), 1);
      expectSame(Y, y, 14, 20);
      expectSame(A, a, 0, 1);
      expect(hoard.every((M) => M.data.length === 1 << 19)).toBe(true);
    });

    test("new matrices are zero", () => {
      expect(E.matrix(37, 5).data.every((v) => v === 0)).toBe(true);
    });

    test("operations make no matrix", () => {
      const [A, S, Y] = [E.matrix(50, 4), E.matrix(4, 4), E.matrix(50, 4)];
      const before = E.counters.matrices;
      E.gram(S, A);
      E.mul(Y, A, S);
      E.tmul(S, A, Y);
      E.dot(A, Y);
      E.combine(Y, 1, A, 2, E.matrix(50, 4));
      expect(E.counters.matrices).toBe(before + 1);
    });

    test("flops are counted", () => {
      const [A, S] = [E.matrix(10, 4), E.matrix(4, 4)];
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
        const [A, B] = [E.matrix(5, 3), E.matrix(4, 3)];
        refused(() => E.tmul(E.matrix(3, 3), A, B), /tmul/, /5×3/, /4×3/);
        refused(() => E.mul(E.matrix(5, 2), A, E.matrix(3, 3)), /mul/, /5×2/, /5×3/);
        refused(() => E.gram(E.matrix(2, 3), A), /gram/, /3×3/);
        refused(() => E.dot(A, B), /dot/, /4×3/);
        refused(() => E.axpby(A, 1, B, 1), /axpby/);
        refused(() => E.symmetrize(A), /square/);
        refused(() => E.dots(new Float64Array(2), [A, B], 2, A), /X_1/, /4×3/);
        refused(() => E.combination(A, new Float64Array(1), [E.matrix(5, 3)], 2), /2 matrices/);
        refused(() => E.rowDots(E.matrix(5, 2), A, A), /5×1/);
        refused(() => E.tridiagonal(E.matrix(4, 3), constantTridiagonal(E, 5, 0, 1, 0), B), /T\.lower/);
      });
      test("sizes that are no sizes", () => {
        for (const bad of [-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
          refused(() => E.matrix(bad, 2), /rows/, new RegExp(String(bad)));
          refused(() => E.matrix(2, bad), /cols/);
        }
      });
      test("more memory than there is", () => {
        refused(() => E.matrix(2 ** 26, 2 ** 26), /memory/, /GiB/);
        expect(E.matrix(2, 2).data.length).toBe(4);
      });
      test("aliasing", () => {
        const A = E.matrix(4, 4);
        const B = E.matrix(4, 4);
        refused(() => E.mul(A, A, B), /destination/);
        refused(() => E.mul(A, B, A), /destination/);
        refused(() => E.gram(A, A), /destination/);
        refused(() => E.copy(A, A), /destination/);
        refused(() => E.combine(A, 1, B, 1, A), /destination/);
        refused(() => E.tridiagonal(A, constantTridiagonal(E, 4, 0, 1, 0), A), /destination/);
      });
      test("a matrix of another engine, a plain one, a Float32Array, nothing", () => {
        const A = E.matrix(3, 3);
        refused(() => E.dot(A, jsEngine().matrix(3, 3)), /another 'js' engine/, /from\(\)/);
        refused(() => E.dot(A, { rows: 3, cols: 3, data: new Float64Array(9) }), /plain Float64Array/);
        refused(() => E.dot(A, { rows: 3, cols: 3, data: new Float32Array(9) as never }), /Float32Array/);
        refused(() => E.dot(A, null as never), /null/);
        refused(() => E.from({ rows: 3, cols: 3, data: new Float32Array(9) as never }), /Float32Array/, /Float64Array/);
        refused(() => E.from({ rows: 3, cols: 3, data: new Float64Array(8) }), /8 numbers/);
        const gone = new Float64Array(9);
        structuredClone(gone, { transfer: [gone.buffer] });
        refused(() => E.from({ rows: 3, cols: 3, data: gone }), /detached/);
      });
    });
  });
}
