/** The contract of linalg: identities of each factorization, to rounding, on every engine; bad input is refused in a sentence. */
import { beforeAll, describe, expect, test } from "vitest";
import { EngineError } from "../../src/engines/engine.js";
import { cholesky } from "../../src/linalg/cholesky.js";
import { eigh } from "../../src/linalg/eigh.js";
import { expm } from "../../src/linalg/expm.js";
import { householderQR } from "../../src/linalg/householder.js";
import { polar } from "../../src/linalg/polar.js";
import { orthonormalizer } from "../../src/linalg/qr.js";
import { linearSolver, solve } from "../../src/linalg/solve.js";
import { svd } from "../../src/linalg/svd.js";
import { rightDivider } from "../../src/linalg/triangular.js";
import { fillNormal, random } from "../../src/random.js";
import type { Engine, Matrix } from "../../src/types.js";

const EPS = 2 ** -52;
const TALL = [[0, 0], [3, 0], [1, 1], [2, 2], [5, 1], [7, 7], [40, 3], [33, 33], [257, 20], [1000, 50]] as const; // biome-ignore format: shapes

export function linalgContract(title: string, open: () => Promise<Engine>): void {
  describe(`linalg contract: ${title}`, () => {
    let E: Engine;
    beforeAll(async () => {
      E = await open();
    });

    const normal = (rows: number, cols: number, seed = 1): Matrix => {
      const M = E.matrix(rows, cols);
      fillNormal(M, random(seed, `${rows}x${cols}`));
      return M;
    };
    const poisoned = (rows: number, cols: number): Matrix => {
      const M = E.matrix(rows, cols);
      M.data.fill(Number.NaN);
      return M;
    };
    const norm = (A: Matrix): number => Math.hypot(...A.data, 0);
    const mul = (A: Matrix, B: Matrix): Matrix => {
      const C = E.matrix(A.rows, B.cols);
      E.mul(C, A, B);
      return C;
    };
    const tmul = (A: Matrix, B: Matrix): Matrix => {
      const C = E.matrix(A.cols, B.cols);
      E.tmul(C, A, B);
      return C;
    };
    const minus = (A: Matrix, B: Matrix): Matrix => {
      const C = E.matrix(A.rows, A.cols);
      E.combine(C, 1, A, -1, B);
      return C;
    };
    const scaled = (A: Matrix, c: number): Matrix => {
      const C = E.matrix(A.rows, A.cols);
      E.axpby(C, c, A, 0);
      return C;
    };
    const identity = (p: number): Matrix => {
      const I = E.matrix(p, p);
      E.addDiagonal(I, 1);
      return I;
    };
    const diagonal = (...d: number[]): Matrix => {
      const D = E.matrix(d.length, d.length);
      d.forEach((value, i) => {
        D.data[i * d.length + i] = value;
      });
      return D;
    };
    /** n×p with singular values from 1 down to 1/condition */
    const conditioned = (n: number, p: number, condition: number): Matrix => {
      const [Q, P] = [E.matrix(n, p), E.matrix(p, p)];
      householderQR(E, Q, E.matrix(p, p), normal(n, p, 5));
      householderQR(E, P, E.matrix(p, p), normal(p, p, 6));
      const D = diagonal(...Array.from({ length: p }, (_, i) => condition ** (-i / Math.max(1, p - 1))));
      const A = E.matrix(n, p);
      E.mulT(A, mul(Q, D), P);
      return A;
    };
    const expectOrthonormal = (Q: Matrix): void => {
      const G = tmul(Q, Q);
      E.addDiagonal(G, -1);
      expect(norm(G)).toBeLessThanOrEqual(10 * EPS * Math.sqrt(Math.max(1, Q.cols)));
    };
    const expectUpper = (R: Matrix, least = Number.MIN_VALUE): void => {
      for (let i = 0; i < R.rows; i++) {
        for (let j = 0; j < i; j++) expect(R.data[i * R.cols + j]).toBe(0);
        expect(R.data[i * R.cols + i]).toBeGreaterThanOrEqual(least);
      }
    };
    const refused = (op: () => unknown, ...words: RegExp[]): void => {
      expect(op).toThrow(EngineError);
      for (const word of words) expect(op).toThrow(word);
    };
    const withNaN = (rows: number, cols: number): Matrix => {
      const A = normal(rows, cols);
      A.data[A.data.length - 1] = Number.NaN;
      return A;
    };

    describe("cholesky", () => {
      test.each([0, 1, 2, 5, 33, 100])("RᵀR = S for p = %i", (p) => {
        const S = tmul(normal(2 * p + 3, p), normal(2 * p + 3, p));
        const R = poisoned(p, p);
        expect(cholesky(E, R, S)).toBe(true);
        expectUpper(R);
        expect(norm(minus(tmul(R, R), S))).toBeLessThanOrEqual(8 * EPS * Math.max(1, p) * norm(S));
      });
      test("says no to indefinite, semidefinite, NaN and infinity", () => {
        const R = E.matrix(2, 2);
        for (const d of [
          [1, -1],
          [-1, 1],
          [1, 0],
          [0, 1],
          [1, Number.NaN],
          [Number.NaN, 1],
          [Number.POSITIVE_INFINITY, 1],
        ]) {
          expect(cholesky(E, R, diagonal(...d))).toBe(false);
        }
        refused(() => cholesky(E, R, E.matrix(2, 3)), /square/);
      });
    });

    describe("rightDivider", () => {
      test.each([1, 1e3, 1e12])("Y·R = X by rows for κ(R) = %f", (condition) => {
        const [Q, R] = [E.matrix(20, 20), E.matrix(20, 20)];
        householderQR(E, Q, R, conditioned(20, 20, condition));
        const [X, Y] = [normal(70, 20), poisoned(70, 20)];
        rightDivider(E, 20)(Y, X, R);
        expect(norm(minus(mul(Y, R), X))).toBeLessThanOrEqual(8 * EPS * 20 * norm(Y) * norm(R));
      });
    });

    describe.each(TALL)("QR of %i×%i", (n, p) => {
      test.each(["householder", "orthonormalizer"])("%s: QᵀQ = I, QR = A, R upper with positive diagonal", (kind) => {
        const A = normal(n, p);
        const [Q, R] = [poisoned(n, p), poisoned(p, p)];
        expect(kind === "householder" ? householderQR(E, Q, R, A) : orthonormalizer(E, n, p)(Q, A, R)).toBe(p);
        expectOrthonormal(Q);
        expectUpper(R);
        expect(norm(minus(mul(Q, R), A))).toBeLessThanOrEqual(8 * EPS * Math.max(1, n) * norm(A));
      });
      test("both give the one Q with positive diagonal", () => {
        const A = normal(n, p, 2);
        const [Q, P] = [E.matrix(n, p), E.matrix(n, p)];
        householderQR(E, Q, E.matrix(p, p), A);
        orthonormalizer(E, n, p)(P, A);
        const { s } = svd(E, A);
        const kappa = p > 0 ? s[0]! / s[p - 1]! : 1;
        expect(norm(minus(Q, P))).toBeLessThanOrEqual(8 * EPS * Math.max(1, n) * kappa);
      });
    });

    describe("orthonormalizer", () => {
      test.each([1, 1e4, 1e7, 1e8, 1e12, 1e15])("stays orthonormal and backward stable at κ = %f", (condition) => {
        const A = conditioned(120, 12, condition);
        const [Q, R] = [poisoned(120, 12), poisoned(12, 12)];
        orthonormalizer(E, 120, 12)(Q, A, R);
        expectOrthonormal(Q);
        expectUpper(R, 0);
        expect(norm(minus(mul(Q, R), A))).toBeLessThanOrEqual(8 * EPS * 120 * norm(A));
      });
      test.each([1e-300, 1e-170, 1e-155, 1e-150, 1e150, 1e160, 1e300])("Q does not depend on the scale %f", (c) => {
        const A = normal(60, 6);
        const [Q, P] = [poisoned(60, 6), E.matrix(60, 6)];
        const qr = orthonormalizer(E, 60, 6);
        qr(P, A);
        expect(qr(Q, scaled(A, c))).toBe(6);
        expectOrthonormal(Q);
        expect(norm(minus(Q, P))).toBeLessThanOrEqual(1e-12);
      });
      test("columns graded over 300 orders of magnitude are full rank", () => {
        const A = normal(50, 5);
        for (let i = 0; i < 50; i++) for (let j = 0; j < 5; j++) A.data[i * 5 + j]! *= 10 ** (75 * (2 - j));
        const Q = poisoned(50, 5);
        expect(orthonormalizer(E, 50, 5)(Q, A)).toBe(5);
        expectOrthonormal(Q);
      });
      test("rank-deficient input: Q is completed, QR = A, the rank is told", () => {
        const A = mul(normal(30, 4), normal(4, 7, 3));
        const zeroColumn = normal(30, 3);
        for (let i = 0; i < 30; i++) zeroColumn.data[i * 3] = 0;
        const shifted = E.matrix(4, 2);
        shifted.data[1] = 1;
        for (const [X, rank] of [
          [A, 4],
          [zeroColumn, 2],
          [shifted, 1],
          [E.matrix(9, 3), 0],
        ] as const) {
          const [Q, R] = [poisoned(X.rows, X.cols), poisoned(X.cols, X.cols)];
          expect(orthonormalizer(E, X.rows, X.cols)(Q, X, R)).toBe(rank);
          expectOrthonormal(Q);
          expectUpper(R, 0);
          expect(norm(minus(mul(Q, R), X))).toBeLessThanOrEqual(8 * EPS * 30 * norm(X));
        }
      });
      test("bad input", () => {
        refused(() => orthonormalizer(E, 3, 5), /n is 3/, /p is 5/);
        refused(() => orthonormalizer(E, 9, 3)(E.matrix(9, 3), withNaN(9, 3)), /row 8, column 2/, /NaN/);
        refused(() => orthonormalizer(E, 9, 3)(E.matrix(9, 3), normal(8, 3)), /8×3/);
        const X = normal(9, 3);
        refused(() => orthonormalizer(E, 9, 3)(X, X), /destination/);
        refused(() => householderQR(E, E.matrix(3, 5), E.matrix(5, 5), E.matrix(3, 5)), /3×5/);
      });
      test("makes no matrix after set-up", () => {
        const [Q, R, A, B] = [E.matrix(40, 5), E.matrix(5, 5), normal(40, 5), E.matrix(40, 5)];
        const qr = orthonormalizer(E, 40, 5);
        const before = E.counters.matrices;
        qr(Q, A, R);
        qr(Q, B, R);
        expect(E.counters.matrices).toBe(before);
      });
    });

    describe.each(TALL)("polar factor of %i×%i", (n, p) => {
      test("YᵀY = I and YᵀX symmetric positive semidefinite, which are its definition", () => {
        const X = normal(n, p);
        const Y = poisoned(n, p);
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
          const [Q, S] = [E.matrix(200, 8), identity(8)];
          orthonormalizer(E, 200, 8)(Q, normal(200, 8));
          const P = normal(8, 8);
          E.tmul(S, P, P, t / 8, 1);
          const Y = poisoned(200, 8);
          expect(polar(E, 200, 8)(Y, mul(Q, S))).toBe(8);
          expectOrthonormal(Y);
          expect(norm(minus(Y, Q))).toBeLessThanOrEqual(1e-13);
        },
      );
      test.each([10, 1e3, 1e6, 1e10, 1e14])("orthonormal with semidefinite YᵀX at κ = %f", (condition) => {
        const X = conditioned(90, 9, condition);
        const Y = poisoned(90, 9);
        polar(E, 90, 9)(Y, X);
        expectOrthonormal(Y);
        const H = tmul(Y, X);
        expect(norm(minus(H, tmul(X, Y)))).toBeLessThanOrEqual(8 * EPS * 90);
        expect(eigh(E, H).values[0]).toBeGreaterThanOrEqual(-8 * EPS * 90);
      });
      test("polar(XQ) = polar(X)·Q for orthogonal Q", () => {
        for (const condition of [2, 100, 1e4]) {
          const X = conditioned(80, 6, condition);
          const Q = E.matrix(6, 6);
          orthonormalizer(E, 6, 6)(Q, normal(6, 6));
          const project = polar(E, 80, 6);
          const [Y, Z] = [E.matrix(80, 6), E.matrix(80, 6)];
          project(Y, X);
          project(Z, mul(X, Q));
          expect(norm(minus(mul(Y, Q), Z))).toBeLessThanOrEqual(100 * EPS * 6 * condition);
        }
      });
      test.each([1e-300, 1e-160, 1e-150, 1e-20, 1e20, 1e150, 1e300])("does not depend on the scale %f", (c) => {
        const X = normal(60, 6);
        const [Y, Z] = [E.matrix(60, 6), poisoned(60, 6)];
        const project = polar(E, 60, 6);
        project(Y, X);
        expect(project(Z, scaled(X, c))).toBe(6);
        expectOrthonormal(Z);
        expect(norm(minus(Y, Z))).toBeLessThanOrEqual(1e-13);
      });
      test("rank-deficient input: completed, and the rank is told", () => {
        const X = mul(normal(30, 4), normal(4, 7, 3));
        for (const [A, rank] of [
          [X, 4],
          [E.matrix(9, 3), 0],
        ] as const) {
          const Y = poisoned(A.rows, A.cols);
          expect(polar(E, A.rows, A.cols)(Y, A)).toBe(rank);
          expectOrthonormal(Y);
          const H = tmul(Y, A);
          expect(norm(minus(H, tmul(A, Y)))).toBeLessThanOrEqual(8 * EPS * 30 * norm(A));
          expect(eigh(E, H).values[0]).toBeGreaterThanOrEqual(-8 * EPS * 30 * norm(A));
        }
      });
      test("bad input, and no matrix made once both ways were taken", () => {
        refused(() => polar(E, 3, 5), /n ≥ p/);
        refused(() => polar(E, 9, 3)(E.matrix(9, 3), withNaN(9, 3)), /NaN/);
        const [Y, X, O] = [E.matrix(9, 3), normal(9, 3), E.matrix(9, 3)];
        const project = polar(E, 9, 3);
        project(Y, O);
        const before = E.counters.matrices;
        project(Y, X);
        project(Y, O);
        expect(E.counters.matrices).toBe(before);
      });
    });

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
      });
      test.each([1e-160, 1e160])("does not depend on the scale %f", (c) => {
        const S = tmul(normal(9, 5), normal(9, 5));
        const [a, b] = [eigh(E, S).values, eigh(E, scaled(S, c)).values];
        for (let i = 0; i < 5; i++) expect(Math.abs(b[i]! / c - a[i]!)).toBeLessThanOrEqual(100 * EPS * a[4]!);
      });
      test("a repeated eigenvalue and the Laplacian's closed form 2 − 2cos(kπ/(n+1))", () => {
        expect([...eigh(E, diagonal(3, 1, 3, 1)).values]).toEqual([1, 1, 3, 3]);
        const L = diagonal(...new Array<number>(12).fill(2));
        for (let i = 0; i < 11; i++) L.data[i * 12 + i + 1] = L.data[(i + 1) * 12 + i] = -1;
        eigh(E, L).values.forEach((value, k) => {
          expect(Math.abs(value - (2 - 2 * Math.cos(((k + 1) * Math.PI) / 13)))).toBeLessThanOrEqual(50 * EPS);
        });
      });
      test("bad input", () => {
        refused(() => eigh(E, E.matrix(2, 3)), /2×3/, /square/);
        refused(() => eigh(E, withNaN(3, 3)), /NaN/);
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
        const back = E.matrix(m, n);
        E.mulT(back, mul(U, diagonal(...s)), V);
        expect(norm(minus(back, A))).toBeLessThanOrEqual(8 * EPS * Math.max(1, m, n) * norm(A));
        for (let i = 0; i < k; i++) expect(s[i]).toBeGreaterThanOrEqual(s[i + 1] ?? 0);
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
        expect([...svd(E, E.matrix(4, 2)).s]).toEqual([0, 0]);
        refused(() => svd(E, withNaN(4, 3)), /NaN/);
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
        solve(E, X, A, B);
        expect(norm(minus(mul(A, X), B))).toBeLessThanOrEqual(8 * EPS * Math.max(1, p) * norm(A) * norm(X));
      });
      test("inputs stay as they are; rows and columns may be badly scaled; pivoting is needed", () => {
        const A = diagonal(1e-200, 1, 1e200);
        A.data[1] = 1e-200;
        const [copy, X] = [E.from(A), E.matrix(3, 1)];
        solve(E, X, A, mul(A, E.from({ rows: 3, cols: 1, data: Float64Array.of(1, 2, 3) })));
        [1, 2, 3].forEach((x, i) => {
          expect(X.data[i]).toBeCloseTo(x, 13);
        });
        expect([...A.data]).toEqual([...copy.data]);
        const swap = E.from({ rows: 2, cols: 2, data: Float64Array.of(0, 1, 1, 0) });
        const Y = E.matrix(2, 2);
        solve(E, Y, swap, identity(2));
        expect([...Y.data]).toEqual([0, 1, 1, 0]);
      });
      test("singular and bad input", () => {
        const singular = mul(normal(6, 3), normal(3, 6));
        refused(() => solve(E, E.matrix(6, 2), singular, normal(6, 2)), /singular/, /6×6/);
        refused(() => solve(E, E.matrix(2, 1), E.matrix(2, 2), E.matrix(2, 1)), /singular/);
        refused(() => solve(E, E.matrix(3, 1), withNaN(3, 3), E.matrix(3, 1)), /NaN/);
        refused(() => solve(E, E.matrix(3, 1), E.matrix(3, 2), E.matrix(3, 1)), /square/);
        refused(() => solve(E, E.matrix(3, 1), identity(3), E.matrix(2, 1)), /2×1/);
      });
      test("a kept solver makes no matrix", () => {
        const [A, B, X] = [normal(5, 5), normal(5, 2), E.matrix(5, 2)];
        const run = linearSolver(E, 5, 2);
        const before = E.counters.matrices;
        run(X, A, B);
        expect(E.counters.matrices).toBe(before);
      });
    });

    describe("expm", () => {
      const exp = (A: Matrix): Matrix => {
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
        const At = E.matrix(10, 10);
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
          expect(Math.abs(D.data[i * 6]! / Math.exp(d) - 1)).toBeLessThanOrEqual(1e-13);
        });
        const N = E.from({ rows: 3, cols: 3, data: Float64Array.of(0, 2, 5, 0, 0, 3, 0, 0, 0) });
        const expected = [1, 2, 8, 0, 1, 3, 0, 0, 1];
        exp(N).data.forEach((y, i) => {
          expect(y).toBeCloseTo(expected[i]!, 13);
        });
        const R = exp(E.from({ rows: 2, cols: 2, data: Float64Array.of(0, -1, 1, 0) }));
        expect(R.data[0]).toBeCloseTo(Math.cos(1), 14);
        expect(R.data[2]).toBeCloseTo(Math.sin(1), 14);
        expect([...exp(E.matrix(2, 2)).data]).toEqual([1, 0, 0, 1]);
      });
      test("bad input", () => {
        refused(() => exp(withNaN(3, 3)), /NaN/);
        refused(() => exp(diagonal(1, 800)), /overflow/);
        refused(() => exp(diagonal(1, 1e308)), /overflow/);
        refused(() => expm(E, 3)(E.matrix(3, 3), E.matrix(3, 2)), /3×2/);
      });
    });
  });
}
