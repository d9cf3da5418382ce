/** The contract of QR and polar factors: their defining identities, to rounding, for every shape, condition and scale. */

import type { Engine, Tall } from "@expen/linalg";
import { EPS } from "@expen/linalg/arrays";
import { eigh, gramSchmidt, orthonormalizer, polar, svd } from "@expen/linalg/dense";
import { beforeAll, describe, expect, test } from "vitest";
import { linalgTools } from "./linalg-tools.js";

const TALL = [[0, 0], [3, 0], [1, 1], [2, 2], [5, 1], [7, 7], [40, 3], [33, 33], [257, 20], [1000, 50]] as const; // biome-ignore format: shapes

export function orthonormalContract(title: string, open: () => Promise<Engine>): void {
  describe(`orthonormal factors: ${title}`, () => {
    let E: Engine;
    beforeAll(async () => {
      E = await open();
    });
    const {
      small,
      tall,
      read,
      changed,
      normal,
      tallNormal,
      poisoned,
      tallPoisoned,
      norm,
      mul,
      tmul,
      minus,
      scaled,
      identity,
      orthonormal,
      tallConditioned,
      expectOrthonormal,
      expectUpper,
      refused,
      withNaN,
    } = linalgTools(() => E);

    describe.each(TALL)("QR of %i×%i", (n, p) => {
      test.each(["gramSchmidt", "orthonormalizer"])("%s: QᵀQ = I, QR = A, R upper with positive diagonal", (kind) => {
        const A = tallNormal(n, p);
        const [Q, R] = [tallPoisoned(n, p), poisoned(p, p)];
        expect(kind === "gramSchmidt" ? gramSchmidt(E, n, p)(Q, R, A) : orthonormalizer(E, n, p)(Q, A, R)).toBe(p);
        expectOrthonormal(Q);
        expectUpper(R);
        expect(norm(minus(mul(Q, R), A))).toBeLessThanOrEqual(8 * EPS * Math.max(1, n) * norm(A));
      });
      test("both give the one Q with positive diagonal", () => {
        const A = tallNormal(n, p, 2);
        const [Q, P] = [tall(n, p), tall(n, p)];
        gramSchmidt(E, n, p)(Q, small(p, p), A);
        orthonormalizer(E, n, p)(P, A);
        const { s } = svd(E, A);
        const kappa = p > 0 ? s[0]! / s[p - 1]! : 1;
        expect(norm(minus(Q, P))).toBeLessThanOrEqual(8 * EPS * Math.max(1, n) * kappa);
      });
    });

    describe("orthonormalizer", () => {
      test.each([1, 1e4, 1e7, 1e8, 1e12, 1e15])("stays orthonormal and backward stable at κ = %f", (condition) => {
        const A = tallConditioned(120, 12, condition);
        const [Q, R] = [tallPoisoned(120, 12), poisoned(12, 12)];
        orthonormalizer(E, 120, 12)(Q, A, R);
        expectOrthonormal(Q);
        expectUpper(R, 0);
        expect(norm(minus(mul(Q, R), A))).toBeLessThanOrEqual(8 * EPS * 120 * norm(A));
      });
      test.each([1e-300, 1e-170, 1e-155, 1e-150, 1e150, 1e160, 1e300])("Q does not depend on the scale %f", (c) => {
        const A = tallNormal(60, 6);
        const [Q, P] = [tallPoisoned(60, 6), tall(60, 6)];
        const qr = orthonormalizer(E, 60, 6);
        qr(P, A);
        expect(qr(Q, scaled(A, c))).toBe(6);
        expectOrthonormal(Q);
        expect(norm(minus(Q, P))).toBeLessThanOrEqual(1e-12);
      });
      test("columns graded over 300 orders of magnitude are full rank", () => {
        const A = changed(tallNormal(50, 5), (a) => a.set(a.map((v, k) => v * 10 ** (75 * (2 - (k % 5))))));
        const Q = tallPoisoned(50, 5);
        expect(orthonormalizer(E, 50, 5)(Q, A)).toBe(5);
        expectOrthonormal(Q);
      });
      test("two columns at any distance, from 1 to below rounding", () => {
        for (let exponent = 0; exponent <= 18; exponent += 0.25) {
          const noise = read(normal(40, 1, 1018));
          const X = changed(tallNormal(40, 4, 18), (x) => {
            for (let i = 0; i < 40; i++) x[i * 4 + 2] = x[i * 4 + 1]! + 10 ** -exponent * noise[i]!;
          });
          const Q = tallPoisoned(40, 4);
          orthonormalizer(E, 40, 4)(Q, X);
          expectOrthonormal(Q);
        }
      });
      test("columns that differ in numbers whose squares lose their digits", () => {
        for (let exponent = 140; exponent <= 170; exponent++) {
          const A = changed(scaled(tallNormal(20, 3), 10 ** -exponent), (a) => a.fill(1, 0, 3));
          const Q = tallPoisoned(20, 3);
          gramSchmidt(E, 20, 3)(Q, small(3, 3), A);
          expectOrthonormal(Q);
        }
      });
      test("rank-deficient input: Q is completed, QR = A, the rank is told", () => {
        const A = mul(tallNormal(30, 4), normal(4, 7, 3));
        const zeroColumn = changed(tallNormal(30, 3), (x) => x.set(x.map((v, k) => (k % 3 === 0 ? 0 : v))));
        const shifted = tall(4, 2, [0, 1, 0, 0, 0, 0, 0, 0]);
        for (const [X, rank] of [
          [A, 4],
          [zeroColumn, 2],
          [shifted, 1],
          [tall(9, 3), 0],
        ] as const) {
          const [Q, R] = [tallPoisoned(X.rows, X.cols), poisoned(X.cols, X.cols)];
          expect(orthonormalizer(E, X.rows, X.cols)(Q, X, R)).toBe(rank);
          expectOrthonormal(Q);
          expectUpper(R, 0);
          expect(norm(minus(mul(Q, R), X))).toBeLessThanOrEqual(8 * EPS * 30 * norm(X));
        }
      });
      test("bad input", () => {
        refused(() => orthonormalizer(E, 3, 5), /n is 3/, /p is 5/);
        refused(() => orthonormalizer(E, 9, 3)(tall(9, 3), withNaN(tallNormal(9, 3))), /row 8, column 2/, /NaN/);
        const infinite = changed(tallNormal(9, 3), (x) => x.fill(Number.POSITIVE_INFINITY, 7, 8));
        refused(() => orthonormalizer(E, 9, 3)(tall(9, 3), infinite), /row 2, column 1/, /Infinity/);
        refused(() => orthonormalizer(E, 9, 3)(tall(9, 3), tallNormal(8, 3)), /8×3/);
        const X = tallNormal(9, 3);
        refused(() => orthonormalizer(E, 9, 3)(X, X), /destination/);
      });
      test("takes CholeskyQR where it is safe and Gram–Schmidt where it is not", () => {
        const grams = (X: Tall): number => {
          const before = E.counters.flops;
          orthonormalizer(E, 400, 5)(tall(400, 5), X);
          return (E.counters.flops - before) / (400 * 5 * 6);
        };
        const choleskyQR = grams(tallConditioned(400, 5, 1e3));
        expect(choleskyQR).toBeGreaterThanOrEqual(2);
        expect(choleskyQR).toBeLessThan(8);
        expect(grams(tall(400, 5))).toBeGreaterThan(10);
      });
      test("makes no matrix after set-up", () => {
        const [Q, R, A, B] = [tall(40, 5), small(5, 5), tallNormal(40, 5), tall(40, 5)];
        const qr = orthonormalizer(E, 40, 5);
        const before = E.counters.matrices;
        qr(Q, A, R);
        qr(Q, B, R);
        expect(E.counters.matrices).toBe(before);
      });
    });

    describe.each(TALL)("polar factor of %i×%i", (n, p) => {
      test("YᵀY = I and YᵀX symmetric positive semidefinite, which are its definition", () => {
        const X = tallNormal(n, p);
        const Y = tallPoisoned(n, p);
        expect(polar(E, n, p)(Y, X)).toBe(p);
        expectOrthonormal(Y);
        const H = tmul(Y, X);
        const Ht = tmul(X, Y);
        expect(norm(minus(H, Ht))).toBeLessThanOrEqual(8 * EPS * Math.max(1, n) * norm(X));
        if (p > 0) expect(eigh(E, H).values[0]).toBeGreaterThanOrEqual(-8 * EPS * n * norm(X));
      });
    });

    describe("polar", () => {
      test.each([0, 1e-12, 1e-6, 1e-3, 0.1, 0.5, 5, 100])(
        "near the manifold, at distance %f, X = QS has polar factor Q",
        (t) => {
          const [Q, S] = [tall(200, 8), identity(8)];
          orthonormalizer(E, 200, 8)(Q, tallNormal(200, 8));
          const P = normal(8, 8);
          E.tmul(S, P, P, t / 8, 1);
          const Y = tallPoisoned(200, 8);
          expect(polar(E, 200, 8)(Y, mul(Q, S))).toBe(8);
          expectOrthonormal(Y);
          expect(norm(minus(Y, Q))).toBeLessThanOrEqual(1e-13);
        },
      );
      test.each([10, 1e3, 1e6, 1e10, 1e14])("orthonormal with semidefinite YᵀX at κ = %f", (condition) => {
        const X = tallConditioned(90, 9, condition);
        const Y = tallPoisoned(90, 9);
        polar(E, 90, 9)(Y, X);
        expectOrthonormal(Y);
        const H = tmul(Y, X);
        expect(norm(minus(H, tmul(X, Y)))).toBeLessThanOrEqual(8 * EPS * 90);
        expect(eigh(E, H).values[0]).toBeGreaterThanOrEqual(-8 * EPS * 90);
      });
      test("polar(XQ) = polar(X)·Q for orthogonal Q", () => {
        for (const condition of [2, 100, 1e4]) {
          const X = tallConditioned(80, 6, condition);
          const Q = small(6, 6, orthonormal(6, 6, 1));
          const project = polar(E, 80, 6);
          const [Y, Z] = [tall(80, 6), tall(80, 6)];
          project(Y, X);
          project(Z, mul(X, Q));
          expect(norm(minus(mul(Y, Q), Z))).toBeLessThanOrEqual(100 * EPS * 6 * condition);
        }
      });
      test.each([1e-300, 1e-160, 1e-150, 1e-20, 1e-8, 1e-5, 1e-3, 1e5, 1e20, 1e150, 1e300])(
        "does not depend on the scale %f",
        (c) => {
          const X = tallNormal(60, 6);
          const [Y, Z] = [tall(60, 6), tallPoisoned(60, 6)];
          const project = polar(E, 60, 6);
          project(Y, X);
          expect(project(Z, scaled(X, c))).toBe(6);
          expectOrthonormal(Z);
          expect(norm(minus(Y, Z))).toBeLessThanOrEqual(1e-13);
        },
      );
      test("rank-deficient input: completed, and the rank is told", () => {
        const X = mul(tallNormal(30, 4), normal(4, 7, 3));
        for (const [A, rank] of [
          [X, 4],
          [tall(9, 3), 0],
        ] as const) {
          const Y = tallPoisoned(A.rows, A.cols);
          expect(polar(E, A.rows, A.cols)(Y, A)).toBe(rank);
          expectOrthonormal(Y);
          const H = tmul(Y, A);
          expect(norm(minus(H, tmul(A, Y)))).toBeLessThanOrEqual(8 * EPS * 30 * norm(A));
          expect(eigh(E, H).values[0]).toBeGreaterThanOrEqual(-8 * EPS * 30 * norm(A));
        }
      });
      test("bad input, and no matrix made once both ways were taken", () => {
        refused(() => polar(E, 3, 5), /n ≥ p/);
        refused(() => polar(E, 9, 3)(tall(9, 3), withNaN(tallNormal(9, 3))), /NaN/);
        const [Y, X, O] = [tall(9, 3), tallNormal(9, 3), tall(9, 3)];
        const project = polar(E, 9, 3);
        project(Y, O);
        const before = E.counters.matrices;
        project(Y, X);
        project(Y, O);
        expect(E.counters.matrices).toBe(before);
      });
    });
  });
}
