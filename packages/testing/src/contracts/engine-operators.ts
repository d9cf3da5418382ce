/** The contract of operators: A·X and Aᵀ·X as the dense matrix has them, for any number of columns; T⁻¹·X undoes T·X. */

import type { Engine, Matrix, Operator, Sparse, Tall, Tridiagonal } from "@expen/linalg";
import { EngineError, random } from "@expen/linalg";
import { sparseFromTriplets, sparseToDense } from "@expen/linalg/arrays";
import { jsEngine } from "@expen/linalg/engine";
import { beforeAll, describe, expect, test } from "vitest";

const plain = (rows: number, cols: number, seed: number): Matrix => {
  const r = random(seed, "operator");
  return { rows, cols, data: Float64Array.from({ length: rows * cols }, () => r.normal()) };
};

/** max |x_i − y_i|, NaN if one of them is */
function farthest(x: Float64Array, y: Float64Array): number {
  return x.reduce((most, v, i) => Math.max(most, Math.abs(v - y[i]!)), 0);
}

function sparse(rows: number, cols: number, count: number): Sparse {
  const r = random(count, "sparse");
  const places = (below: number): number[] => Array.from({ length: count }, () => r.integer(below));
  return sparseFromTriplets(rows, cols, places(rows), places(cols), Array.from({ length: count }, r.normal));
}

function tridiagonal(n: number): { T: Tridiagonal; dense: Matrix } {
  const T = { lower: plain(n, 1, 1), main: plain(n, 1, 2), upper: plain(n, 1, 3) };
  for (let i = 0; i < n; i++) T.main.data[i]! += 9;
  const dense = { rows: n, cols: n, data: new Float64Array(n * n) };
  for (let i = 0; i < n; i++) {
    if (i > 0) dense.data[i * n + i - 1] = T.lower.data[i]!;
    dense.data[i * n + i] = T.main.data[i]!;
    if (i < n - 1) dense.data[i * n + i + 1] = T.upper.data[i]!;
  }
  return { T, dense };
}

export function operatorContract(title: string, open: () => Promise<Engine>): void {
  describe(`operators: ${title}`, () => {
    let E: Engine;
    const J = jsEngine();
    beforeAll(async () => {
      E = await open();
    });

    /** `A` acts as the dense matrix D does. */
    function expectActs(A: Operator, D: Matrix): void {
      expect([A.rows, A.cols]).toEqual([D.rows, D.cols]);
      const B = J.small(D.rows, D.cols, D.data);
      for (const p of [1, 3, 8]) {
        for (const [op, rows, cols] of [
          ["apply", D.rows, D.cols],
          ["applyT", D.cols, D.rows],
        ] as const) {
          const [x, y] = [plain(cols, p, p), plain(rows, p, 10 + p)];
          const [X, Y] = [E.tall(cols, p, x.data), E.tall(rows, p)];
          E.fill(Y, Number.NaN);
          const [Xj, Yj] = [J.small(cols, p, x.data), J.small(rows, p, y.data)];
          for (const [a, b] of [
            [1, 0],
            [-0.5, 2],
            [0, 1],
          ] as const) {
            if (b !== 0) E.write(Y, y.data);
            J.write(Yj, y.data);
            A[op](Y, X, a, b);
            if (op === "apply") J.mul(Yj, B, Xj, a, b);
            else J.tmul(Yj, B, Xj, a, b);
            const [got, expected] = [E.read(Y), J.read(Yj)];
            expect(farthest(got, expected)).toBeLessThanOrEqual(2 ** -48 * (1 + D.cols + D.rows) * 10);
          }
        }
      }
    }

    test.each([
      [1, 1],
      [2, 2],
      [7, 4],
      [4, 7],
      [60, 60],
    ])("dense, %i×%i", (m, n) => {
      const D = plain(m, n, 5);
      const A = E.operator(D);
      expect(A.flops).toBe(2 * m * n);
      expectActs(A, D);
      // a copy
      D.data.fill(0);
      const Y = E.tall(m, 1);
      A.apply(Y, E.tall(n, 1, plain(n, 1, 1).data));
      expect(E.read(Y).some((v) => v !== 0)).toBe(true);
    });

    test.each([
      [3, 3, 4],
      [9, 5, 20],
      [5, 9, 0],
      [80, 80, 300],
    ])("sparse, %i×%i with %i entries", (m, n, count) => {
      const S = sparse(m, n, count);
      const A = E.operator(S);
      expect(A.flops).toBe(2 * S.values.length);
      const before = E.counters.flops;
      A.apply(E.tall(m, 3), E.tall(n, 3));
      expect(E.counters.flops - before).toBe(3 * A.flops);
      expectActs(A, sparseToDense(S));
    });

    test.each([1, 2, 3, 50])("tridiagonal, n = %i: products, T⁻¹·X undoes T·X, and (T + Diag(r))·X by `main`", (n) => {
      const { T, dense } = tridiagonal(n);
      const A = E.operator(T);
      expectActs(A, dense);
      const x = plain(n, 4, 7);
      const [X, Y, Z] = [E.tall(n, 4, x.data), E.tall(n, 4), E.tall(n, 4)];
      A.apply(Y, X);
      A.solve!(Z, Y);
      expect(farthest(E.read(Z), x.data)).toBeLessThanOrEqual(1e-13);
      const r = plain(n, 1, 8);
      const [main, R] = [T.main.data.map((v, i) => v + r.data[i]!), E.tall(n, 1, r.data)];
      expect(E.read(A.main!)).toEqual(T.main.data);
      E.combine(A.main!, 1, A.main!, 1, R);
      A.apply(Y, X);
      E.operator({ ...T, main: { ...T.main, data: main } }).apply(Z, X);
      expect(farthest(E.read(Y), E.read(Z))).toBeLessThanOrEqual(1e-15);
    });

    test("with a = 0 neither A nor X is read, small matrices are multiplied as tall ones are", () => {
      const n = 6;
      const { T } = tridiagonal(n);
      for (const M of [T, plain(n, n, 6), sparse(n, n, 9)]) {
        const A = E.operator(M);
        const [X, Y] = [E.tall(n, 3), E.tall(n, 3, plain(n, 3, 2).data)];
        E.fill(X, Number.NaN);
        A.apply(Y, X, 0, 2);
        A.applyT(Y, X, 0, 0.5);
        expect(E.read(Y)).toEqual(plain(n, 3, 2).data);
        A.apply(Y, X, 0, 0);
        expect(E.read(Y)).toEqual(new Float64Array(3 * n));

        const [tall, small] = [E.tall, E.small].map((make) => {
          const [X, Y] = [make(n, 3, plain(n, 3, 1).data), make(n, 3, plain(n, 3, 2).data)];
          A.apply(Y as Tall, X as Tall, 1.5, -2);
          A.applyT(X as Tall, Y as Tall);
          A.solve?.(Y as Tall, X as Tall);
          return E.read(Y);
        });
        expect(farthest(tall!, small!)).toBeLessThanOrEqual(1e-13);
      }
    });

    test.each([
      [0, 0], [0, 3], [3, 0], [1, 7], [9, 10], [31, 33], [64, 64], [100, 1], [101, 7], [255, 50], [4099, 6],
    ])("every kind of operator on %i×%i, as js has it, with NaN in the destination where its coefficient is 0", (n, p) => {
      const { lower, main, upper } = { lower: plain(n, 1, 1), main: plain(n, 1, 2), upper: plain(n, 1, 3) };
      const T = { lower, main: { ...main, data: main.data.map((v) => v + 9) }, upper };
      const [x, y] = [plain(n, p, 4), plain(n, p, 5)];
      for (const M of [T, plain(n > 300 ? 60 : n, n, 6), sparse(n, n, n > 0 ? 3 * n : 0)]) {
        const [A, B] = [E.operator(M), J.operator(M)];
        const [X, Xj] = [E.tall(n, p, x.data), J.tall(n, p, x.data)];
        const check = (op: (O: Operator, Y: Tall, X: Tall, b: number) => void, rows: number): void => {
          const [Y, Yj] = [E.tall(rows, p), J.tall(rows, p)];
          E.fill(Y, Number.NaN);
          for (const b of [0, -2]) {
            op(A, Y, X, b);
            op(B, Yj, Xj, b);
            expect(farthest(E.read(Y), J.read(Yj))).toBeLessThanOrEqual(2 ** -44 * (1 + Math.sqrt(n)));
          }
        };
        check((O, Y, X, b) => O.apply(Y, X, 1.5, b), A.rows);
        if (A.rows === n) check((O, Y, X, b) => O.applyT(Y, X, 1.5, b), n);
        if (A.solve) check((O, Y, X) => O.solve!(Y, X), n);
        const Y = E.tall(n, p, y.data);
        if (A.rows === n) A.apply(Y, X, 0, 1);
        expect(E.read(Y)).toEqual(y.data);
      }
    }); // biome-ignore format: a list of shapes reads best in a row

    test("wrong shapes, a destination that is the input, a singular T", () => {
      const { T } = tridiagonal(4);
      for (const A of [E.operator(plain(4, 4, 1)), E.operator(sparse(4, 4, 6)), E.operator(T)]) {
        expect(() => A.apply(E.tall(4, 2), E.tall(5, 2))).toThrow(EngineError);
        expect(() => A.apply(E.tall(4, 3), E.tall(4, 2))).toThrow(EngineError);
        expect(() => A.apply(E.tall(4, 2), plain(4, 2, 1) as Tall)).toThrow(/plain/);
        const X = E.tall(4, 2);
        expect(() => A.apply(X, X)).toThrow(/destination/);
      }
      expect(() => E.operator({ ...T, lower: plain(3, 1, 1) })).toThrow(EngineError);
      T.main.data.fill(0);
      expect(() => E.operator(T).solve!(E.tall(4, 1), E.tall(4, 1))).toThrow(/pivot 0 is 0/);
    });
  });
}
