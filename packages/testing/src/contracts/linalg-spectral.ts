/** The contract of eigenvalues and singular values: their defining identities, to rounding, for every size and scale. */

import type { Engine, Small } from "@expen/linalg";
import { random } from "@expen/linalg";
import { EPS } from "@expen/linalg/arrays";
import { eigenvalues, eigh, svd } from "@expen/linalg/dense";
import { beforeAll, describe, expect, test } from "vitest";
import { linalgTools } from "./linalg-tools.js";

export function spectralContract(title: string, open: () => Promise<Engine>): void {
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
      norm,
      mul,
      tmul,
      minus,
      scaled,
      diagonal,
      orthonormal,
      conditioned,
      refused,
      withNaN,
    } = linalgTools(() => E);

    describe("eigh", () => {
      test.each([0, 1, 2, 7, 33, 100])("S·V = V·Diag(w) with orthonormal V and ascending w, p = %i", (p) => {
        const S = normal(p, p);
        E.symmetrize(S);
        const { values, vectors } = eigh(E, S);
        const G = tmul(vectors, vectors);
        E.addDiagonal(G, -1);
        expect(norm(G)).toBeLessThanOrEqual(8 * EPS * Math.max(1, p));
        const residual = minus(mul(S, vectors), mul(vectors, diagonal(...values)));
        expect(norm(residual)).toBeLessThanOrEqual(8 * EPS * Math.max(1, p) * norm(S));
        for (let i = 1; i < p; i++) expect(values[i]).toBeGreaterThanOrEqual(values[i - 1]!);
        for (const [i, value] of eigenvalues(E, S).entries())
          expect(Math.abs(value - values[i]!)).toBeLessThanOrEqual(8 * EPS * p * norm(S));
      });
      test.each([1e-160, 1e160])("does not depend on the scale %f", (c) => {
        const S = tmul(normal(9, 5), normal(9, 5));
        const [a, b] = [eigh(E, S).values, eigenvalues(E, scaled(S, c))];
        for (let i = 0; i < 5; i++) expect(Math.abs(b[i]! / c - a[i]!)).toBeLessThanOrEqual(100 * EPS * a[4]!);
      });
      /** Q·Diag(λ)·Qᵀ for a random orthogonal Q */
      const withSpectrum = (lambda: number[]): Small => {
        const p = lambda.length;
        const [Q, S] = [small(p, p, orthonormal(p, p, 1)), small(p, p)];
        E.mulT(S, mul(Q, diagonal(...lambda)), Q);
        return S;
      };
      const numbers = (p: number, of: (i: number) => number): number[] => Array.from({ length: p }, (_, i) => of(i));
      test.each([
        ["zero", numbers(20, () => 0)],
        ["all equal", numbers(20, () => 3)],
        ["two clusters", numbers(40, (i) => (i % 2) + 1e-15 * i)],
        ["a large null space", numbers(40, (i) => (i < 35 ? 0 : i))],
        ["graded over 40 orders", numbers(40, (i) => 10 ** -i)],
        [
          "close pairs of both signs",
          numbers(30, (i) => (i % 4 < 2 ? 1 : -1) * (1 + Math.floor(i / 4) + (i % 2) * 1e-12)),
        ],
      ])("a prescribed spectrum at any scale: %s", (_, lambda) => {
        const p = lambda.length;
        for (const c of [1e-150, 1, 1e150]) {
          const S = withSpectrum(lambda.map((v) => c * v));
          E.symmetrize(S);
          const { values, vectors } = eigh(E, S);
          const G = tmul(vectors, vectors);
          E.addDiagonal(G, -1);
          expect(norm(G)).toBeLessThanOrEqual(8 * EPS * p);
          const size = Math.max(...lambda.map(Math.abs));
          const residual = minus(mul(S, vectors), mul(vectors, diagonal(...values)));
          expect(norm(scaled(residual, 1 / c))).toBeLessThanOrEqual(8 * EPS * p * size);
          const sorted = [...lambda].sort((a, b) => a - b);
          values.forEach((value, i) => {
            expect(Math.abs(value / c - sorted[i]!)).toBeLessThanOrEqual(8 * EPS * p * size);
          });
        }
      });
      test.each([1, 2, 3, 4, 5])("rows and columns graded over 300 orders of magnitude, %i", (seed) => {
        const S = normal(12, 12, seed);
        E.symmetrize(S);
        const r = random(seed, "grades");
        const c = numbers(12, () => 10 ** (r.integer(150) - 75));
        changed(S, (s) => s.set(s.map((v, k) => v * c[Math.floor(k / 12)]! * c[k % 12]!)));
        const { values, vectors } = eigh(E, S);
        const G = tmul(vectors, vectors);
        E.addDiagonal(G, -1);
        expect(norm(G)).toBeLessThanOrEqual(8 * EPS * 12);
        const size = Math.max(...values.map(Math.abs));
        const residual = minus(mul(S, vectors), mul(vectors, diagonal(...values)));
        expect(norm(scaled(residual, 1 / size))).toBeLessThanOrEqual(8 * EPS * 12);
      });
      test("it makes no matrix", () => {
        const [S, V, w] = [normal(5, 5), small(5, 5), new Float64Array(5)];
        const before = E.counters.matrices;
        E.factor.eigh(V, w, S);
        expect(E.counters.matrices).toBe(before);
      });
      test("S is taken as (S + Sᵀ)/2", () => {
        const A = normal(6, 6);
        const S = small(6, 6, read(A));
        E.symmetrize(S);
        expect([...eigh(E, A).values]).toEqual([...eigh(E, S).values]);
      });
      test("a repeated eigenvalue and the Laplacian's closed form 2 − 2cos(kπ/(n+1))", () => {
        expect([...eigh(E, diagonal(3, 1, 3, 1)).values]).toEqual([1, 1, 3, 3]);
        const L = diagonal(...new Array<number>(12).fill(2));
        changed(L, (l) => {
          for (let i = 0; i < 11; i++) l[i * 12 + i + 1] = l[(i + 1) * 12 + i] = -1;
        });
        eigh(E, L).values.forEach((value, k) => {
          expect(Math.abs(value - (2 - 2 * Math.cos(((k + 1) * Math.PI) / 13)))).toBeLessThanOrEqual(50 * EPS);
        });
      });
      test("bad input", () => {
        refused(() => eigh(E, small(2, 3)), /2×3/, /square/);
        refused(() => eigh(E, withNaN(normal(3, 3))), /NaN/);
      });
    });

    describe("svd", () => {
      test.each([
        [0, 0],
        [3, 0],
        [0, 3],
        [1, 1],
        [1, 6],
        [6, 1],
        [9, 9],
        [40, 7],
        [7, 40],
        [120, 60],
      ] as const)("A = U·Diag(s)·Vᵀ, thin, %i×%i", (m, n) => {
        const A = normal(m, n);
        const { U, s, V } = svd(E, A);
        const k = Math.min(m, n);
        expect([U.rows, U.cols, s.length, V.rows, V.cols]).toEqual([m, k, k, n, k]);
        for (const Q of [U, V]) {
          const G = tmul(Q, Q);
          E.addDiagonal(G, -1);
          expect(norm(G)).toBeLessThanOrEqual(8 * EPS * Math.max(1, k));
        }
        const back = small(m, n);
        E.mulT(back, mul(U, diagonal(...s)), V);
        expect(norm(minus(back, A))).toBeLessThanOrEqual(8 * EPS * Math.max(1, m, n) * norm(A));
        for (let i = 0; i < k; i++) expect(s[i]).toBeGreaterThanOrEqual(s[i + 1] ?? 0);
      });
      // seeds for which products of entries underflow
      test.each([1721, 6725, 13881])("rows graded over 300 orders of magnitude: U and V stay orthonormal", (seed) => {
        const A = normal(12, 12, seed);
        const r = random(seed, "grades");
        changed(A, (a) => {
          for (let i = 0; i < 12; i++) {
            const c = 10 ** (r.integer(300) - 150);
            for (let j = 0; j < 12; j++) a[i * 12 + j]! *= c;
          }
        });
        const { U, V } = svd(E, A);
        for (const Q of [U, V]) {
          const G = tmul(Q, Q);
          E.addDiagonal(G, -1);
          expect(norm(G)).toBeLessThanOrEqual(8 * EPS * 12);
        }
      });
      test("graded and rank-deficient: known singular values, orthonormal U and V all the same", () => {
        const A = conditioned(30, 6, 1e10);
        svd(E, A).s.forEach((value, i) => {
          expect(Math.abs(value - 1e10 ** (-i / 5))).toBeLessThanOrEqual(8 * EPS * 30);
        });
        const B = mul(normal(20, 2), normal(2, 5));
        const { U, s, V } = svd(E, B);
        expect(s[2]).toBeLessThanOrEqual(8 * EPS * 20 * s[0]!);
        for (const Q of [U, V]) {
          const G = tmul(Q, Q);
          E.addDiagonal(G, -1);
          expect(norm(G)).toBeLessThanOrEqual(8 * EPS * 5);
        }
        expect([...svd(E, small(4, 2)).s]).toEqual([0, 0]);
        refused(() => svd(E, withNaN(normal(4, 3))), /NaN/);
      });
    });
  });
}
