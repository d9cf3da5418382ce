/** The contract of linalg: identities of each factorization, to rounding, on every engine; bad input is refused in a sentence. */

import type { Engine, Small } from "@expen/linalg";
import { EPS, householder } from "@expen/linalg/arrays";
import { rightDivider } from "@expen/linalg/dense";
import { expm } from "@expen/solvers/rivals";
import { beforeAll, describe, expect, test } from "vitest";
import { orthonormalContract } from "./linalg-orthonormal.js";
import { spectralContract } from "./linalg-spectral.js";
import { linalgTools } from "./linalg-tools.js";

export function linalgContract(title: string, open: () => Promise<Engine>): void {
  orthonormalContract(title, open);
  spectralContract(title, open);
  describe(`linalg contract: ${title}`, () => {
    let E: Engine;
    beforeAll(async () => {
      E = await open();
    });
    const {
      small,
      read,
      changed,
      normal,
      poisoned,
      norm,
      mul,
      tmul,
      minus,
      scaled,
      identity,
      diagonal,
      conditioned,
      expectUpper,
      refused,
      withNaN,
    } = linalgTools(() => E);

    describe("cholesky", () => {
      test.each([0, 1, 2, 5, 33, 100])("RᵀR = S for p = %i", (p) => {
        const S = tmul(normal(2 * p + 3, p), normal(2 * p + 3, p));
        const R = poisoned(p, p);
        expect(E.factor.cholesky(R, S)).toBe(true);
        expectUpper(R);
        expect(norm(minus(tmul(R, R), S))).toBeLessThanOrEqual(8 * EPS * Math.max(1, p) * norm(S));
      });
      test("says no to indefinite, semidefinite, NaN and infinity", () => {
        const R = small(2, 2);
        for (const d of [
          [1, -1],
          [-1, 1],
          [1, 0],
          [0, 1],
          [1, Number.NaN],
          [Number.NaN, 1],
          [Number.POSITIVE_INFINITY, 1],
        ]) {
          expect(E.factor.cholesky(R, diagonal(...d))).toBe(false);
        }
        refused(() => E.factor.cholesky(R, small(2, 3)), /square/);
      });
    });

    describe("rightDivider", () => {
      test.each([1, 1e3, 1e12])("Y·R = X = Q·R to rounding for κ(R) = %f", (condition) => {
        const [Q, R] = [read(conditioned(20, 20, condition)), small(20, 20)];
        const r = new Float64Array(400);
        householder(Q, r, 20, 20);
        E.write(R, r);
        const [X, Y] = [mul(normal(70, 20), R), poisoned(70, 20)];
        const divide = rightDivider(E, 20);
        const before = E.counters.flops;
        divide(Y, X, R);
        // a product where R is well conditioned, substitution where it is not
        expect(E.counters.flops - before).toBe(condition === 1 ? 2 * 70 * 20 * 20 : 0);
        expect(norm(minus(mul(Y, R), X))).toBeLessThanOrEqual(8 * EPS * 20 * norm(Y) * norm(R));
      });
    });

    describe("solve", () => {
      test.each([
        [0, 0],
        [1, 1],
        [5, 0],
        [5, 1],
        [20, 7],
        [60, 60],
      ] as const)("A·X = B, %i×%i", (p, q) => {
        const [A, B, X] = [normal(p, p), normal(p, q, 2), poisoned(p, q)];
        E.factor.solve(X, A, B);
        expect(norm(minus(mul(A, X), B))).toBeLessThanOrEqual(8 * EPS * Math.max(1, p) * norm(A) * norm(X));
      });
      test("inputs stay as they are; rows and columns may be badly scaled; pivoting is needed", () => {
        const A = diagonal(1e-200, 1, 1e200);
        changed(A, (a) => a.fill(1e-200, 1, 2));
        const [copy, X] = [read(A), small(3, 1)];
        E.factor.solve(X, A, mul(A, small(3, 1, [1, 2, 3])));
        [1, 2, 3].forEach((x, i) => {
          expect(read(X)[i]).toBeCloseTo(x, 13);
        });
        expect(read(A)).toEqual(copy);
        // [1 1e20; 1 1]·(1, 1): without scaling of rows the first unknown comes out as 0
        const rows = small(2, 2, [1, 1e20, 1, 1]);
        const x = small(2, 1);
        E.factor.solve(x, rows, small(2, 1, [1e20, 2]));
        expect([...read(x)]).toEqual([1, 1]);
        const swap = small(2, 2, [0, 1, 1, 0]);
        const Y = small(2, 2);
        E.factor.solve(Y, swap, identity(2));
        expect([...read(Y)]).toEqual([0, 1, 1, 0]);
      });
      test("singular and bad input", () => {
        const singular = mul(normal(6, 3), normal(3, 6));
        refused(() => E.factor.solve(small(6, 2), singular, normal(6, 2)), /singular/, /6×6/);
        refused(() => E.factor.solve(small(2, 1), small(2, 2), small(2, 1)), /singular/);
        refused(() => E.factor.solve(small(3, 1), withNaN(normal(3, 3)), small(3, 1)), /NaN/);
        refused(() => E.factor.solve(small(3, 1), small(3, 2), small(3, 1)), /square/);
        refused(() => E.factor.solve(small(3, 1), identity(3), small(2, 1)), /2×1/);
      });
      test("it makes no matrix", () => {
        const [A, B, X] = [normal(5, 5), normal(5, 2), small(5, 2)];
        const before = E.counters.matrices;
        E.factor.solve(X, A, B);
        expect(E.counters.matrices).toBe(before);
      });
    });

    describe("expm", () => {
      const exp = (A: Small): Small => {
        const Y = poisoned(A.rows, A.cols);
        expm(E, A.rows)(Y, A);
        return Y;
      };
      test.each([0, 1, 2, 8, 30])("exp(A)·exp(−A) = I, p = %i", (p) => {
        for (const c of [1e-8, 0.1, 2]) {
          const A = scaled(normal(p, p), c / Math.max(1, Math.sqrt(p)));
          const [Y, Z] = [exp(A), exp(scaled(A, -1))];
          expect(norm(minus(mul(Y, Z), identity(p)))).toBeLessThanOrEqual(
            100 * EPS * Math.max(1, p) * norm(Y) * norm(Z),
          );
        }
      });
      test.each([1e-3, 1, 10, 1e4])("exp of a skew matrix of norm %f is orthogonal", (size) => {
        const A = normal(10, 10);
        const At = small(10, 10);
        E.mulT(At, identity(10), A);
        const S = minus(A, At);
        const Y = exp(scaled(S, size / norm(S)));
        const G = tmul(Y, Y);
        E.addDiagonal(G, -1);
        expect(norm(G)).toBeLessThanOrEqual(100 * EPS * Math.max(1, size));
      });
      test("closed forms: diagonal, nilpotent, rotation, zero", () => {
        const D = exp(diagonal(-700, -1, 0, 1, 30));
        [-700, -1, 0, 1, 30].forEach((d, i) => {
          expect(Math.abs(read(D)[i * 6]! / Math.exp(d) - 1)).toBeLessThanOrEqual(8 * EPS * 700);
        });
        const N = small(3, 3, [0, 2, 5, 0, 0, 3, 0, 0, 0]);
        const expected = [1, 2, 8, 0, 1, 3, 0, 0, 1];
        read(exp(N)).forEach((y, i) => {
          expect(y).toBeCloseTo(expected[i]!, 13);
        });
        const R = exp(small(2, 2, [0, -1, 1, 0]));
        expect(read(R)[0]).toBeCloseTo(Math.cos(1), 14);
        expect(read(R)[2]).toBeCloseTo(Math.sin(1), 14);
        expect([...read(exp(small(2, 2)))]).toEqual([1, 0, 0, 1]);
      });
      test("bad input", () => {
        refused(() => exp(withNaN(normal(3, 3))), /NaN/);
        refused(() => exp(diagonal(1, 800)), /overflow/);
        refused(() => exp(diagonal(1, 1e308)), /overflow/);
        refused(() => expm(E, 3)(small(3, 3), small(3, 2)), /3×2/);
      });
    });
  });
}
