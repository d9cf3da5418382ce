import { existsSync, readFileSync } from "node:fs";
import type { Engine } from "@expen/linalg";
import { EngineError } from "@expen/linalg";
import { smallOf } from "@expen/linalg/engine";
import { blasHere } from "@expen/testing/contracts/blas-here";
import { engineContract } from "@expen/testing/contracts/engine";
import { linalgContract } from "@expen/testing/contracts/linalg";
import { normal, normalSmall } from "@expen/testing/functions";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { blasEngine } from "../src/blas/engine.js";
import { blasLapack } from "../src/blas/lapack.js";
import { openBlasLibrary } from "../src/blas/library.js";

const { absent, title } = await blasHere({});

describe.skipIf(absent)(title, () => {
  engineContract("blas", () => blasEngine());
  linalgContract("blas", () => blasEngine());

  describe("blas", () => {
    let E: Engine;
    beforeAll(async () => {
      E = await blasEngine();
    });

    test("the description has the library and the number of threads", () => {
      expect(E.name).toBe("blas");
      expect(E.description).toMatch(/, 1 thread,.* elementwise|threads as the library decides/);
    });

    // 3 by MRRR, 15 by inverse iteration where no eigenvalue stands for a part of the matrix
    test.each([3, 15])(
      "the %i lowest eigenvectors alone are those of eigh, of simple and multiple eigenvalues",
      (k) => {
        const p = 60;
        const S = normalSmall(E, p, p, 3);
        E.symmetrize(S);
        const matrix = (entry: (i: number, j: number) => number) =>
          E.small(
            p,
            p,
            Float64Array.from({ length: p * p }, (_, l) => entry(Math.floor(l / p), l % p)),
          );
        // Wilkinson's matrices of 20 rows, glued: pairs and triples of eigenvalues that agree to all digits
        const glued = matrix((i, j) =>
          i === j ? Math.abs((i % 20) - 9.5) : Math.abs(i - j) > 1 ? 0 : i % 20 && j % 20 ? 1 : 1e-7,
        );
        const graded = matrix((i, j) => 10 ** (-0.1 * (i + j)) * (1 + Number(i === j)));
        const outer = matrix((i, j) => Number(i === j) - 1 / p);
        for (const A of [S, matrix((i, j) => 2 * Number(i === j)), glued, graded, outer, E.small(p, p)]) {
          const [all, few] = [new Float64Array(p), new Float64Array(k)];
          E.factor.eigh(E.small(p, p), all, A);
          const [V, AV, K] = [E.small(p, k), E.small(p, k), E.small(k, k)];
          expect(E.factor.lowest!(V, few, E.read(A))).toBe(true);
          const size = Math.abs(all[0]!) + Math.abs(all[p - 1]!);
          for (let j = 0; j < k; j++) expect(Math.abs(few[j]! - all[j]!)).toBeLessThanOrEqual(1e-14 * p * size);
          E.gram(K, V);
          E.addDiagonal(K, -1);
          expect(Math.sqrt(E.dot(K, K))).toBeLessThanOrEqual(1e-13 * p);
          E.mul(AV, A, V);
          const w = E.small(k, k);
          const lambda = new Float64Array(k * k);
          for (let j = 0; j < k; j++) lambda[j * (k + 1)] = few[j]!;
          E.write(w, lambda);
          E.mul(AV, V, w, -1, 1);
          expect(Math.sqrt(E.dot(AV, AV))).toBeLessThanOrEqual(1e-14 * p * size);
        }
        expect(() => E.factor.lowest!(E.small(3, 1), new Float64Array(1), new Float64Array(4))).toThrow(/lowest/);
      },
    );

    test("the lowest eigenvectors: failure where entries or their squares are not finite", () => {
      const p = 12;
      for (const odd of [Number.NaN, Number.POSITIVE_INFINITY, 1e200, 1e-200]) {
        for (const at of [0, p - 1, p * p - 1]) {
          const s = new Float64Array(p * p);
          for (let i = 0; i < p && odd !== 1e-200; i++) s[i * (p + 1)] = i;
          s[at] = odd;
          expect(E.factor.lowest!(E.small(p, 3), new Float64Array(3), s), `${odd} at ${at}`).toBe(false);
        }
      }
    });

    test("a large symmetric matrix times one or two columns: the product is that of gemm", () => {
      const n = 1500;
      const a = Float64Array.from({ length: n * n }, (_, k) => Math.sin(Math.floor(k / n) * (k % n)));
      const other = a.slice();
      other[1]! += 1;
      for (const [numbers, cols, known] of [
        [a, 1, {}],
        [a, 2, {}],
        [a, 2, { symmetric: true }],
        [a, 3, {}],
        [other, 2, {}],
      ] as const) {
        const [A, B] = [E.operator({ rows: n, cols: n, data: numbers, ...known }), E.small(n, n, numbers)];
        const [x, y] = [n * cols, n * cols].map((size, k) =>
          Float64Array.from({ length: size }, (_, i) => Math.cos(i + k)),
        );
        for (const op of ["apply", "applyT"] as const) {
          const [X, Y, Z] = [E.small(n, cols, x), E.small(n, cols, y), E.small(n, cols, y)];
          A[op](Y, X, -0.5, 2);
          if (op === "apply") E.mul(Z, B, X, -0.5, 2);
          else E.tmul(Z, B, X, -0.5, 2);
          E.combine(Z, 1, Z, -1, Y);
          expect(Math.sqrt(E.dot(Z, Z))).toBeLessThanOrEqual(1e-13 * n);
        }
      }
    });

    test("A ← R⁻ᵀAR⁻¹ and X ← R⁻¹X are inverted by products with R", () => {
      for (const [p, k] of [
        [1, 1],
        [70, 4],
      ] as const) {
        const [A, M, R] = [normalSmall(E, p, p, 5), normalSmall(E, 2 * p, p, 6), E.small(p, p)];
        E.symmetrize(A);
        E.gram(R, M);
        expect(E.factor.cholesky(R, R)).toBe(true);
        const [reduced, T, back] = [E.small(p, p, E.read(A)), E.small(p, p), E.small(p, p)];
        E.factor.reduce!(reduced, R);
        const numbers = E.read(reduced);
        for (let i = 0; i < p; i++) for (let j = 0; j < i; j++) expect(numbers[i * p + j]).toBe(numbers[j * p + i]);
        E.mul(T, reduced, R);
        E.tmul(back, R, T);
        E.combine(back, 1, back, -1, A);
        expect(Math.sqrt(E.dot(back, back) / E.dot(A, A))).toBeLessThan(1e-12);
        const [X, Z] = [normalSmall(E, p, k, 7), E.small(p, k)];
        const before = E.small(p, k, E.read(X));
        E.factor.divideLeft!(X, R);
        E.mul(Z, R, X);
        E.combine(Z, 1, Z, -1, before);
        expect(Math.sqrt(E.dot(Z, Z) / E.dot(before, before))).toBeLessThan(1e-12);
      }
      expect(() => E.factor.reduce!(E.small(3, 3), E.small(2, 2))).toThrow(/reduce/);
      expect(() => E.factor.divideLeft!(E.small(3, 1), E.small(2, 2))).toThrow(/divideLeft/);
    });

    test("a product in blocks is the product as a whole", () => {
      // pieces by rows, by inner length, and by both, each with a remainder; 101 columns are never cut
      for (const [m, n, k] of [
        [2111, 30, 30],
        [30, 30, 2111],
        [701, 3, 1303],
        [603, 100, 203],
      ] as const) {
        const [A, At, few] = [normalSmall(E, m, k, 1), E.small(k, m), normalSmall(E, k, n, 2)];
        for (let i = 0; i < m; i++) for (let l = 0; l < k; l++) At.data[l * m + i] = A.data[i * k + l]!;
        const [many, C0] = [E.small(k, 101), normalSmall(E, m, n, 4)];
        for (let l = 0; l < k; l++) many.data.set(few.data.subarray(n * l, n * l + n), 101 * l);
        for (const [product, factor] of [
          ["mul", A],
          ["tmul", At],
        ] as const) {
          const [C, D] = [smallOf(E, C0), E.small(m, 101)];
          for (let i = 0; i < m; i++) D.data.set(C.data.subarray(n * i, n * i + n), 101 * i);
          E[product](C, factor, few, 2, -0.5);
          E[product](D, factor, many, 2, -0.5);
          let worst = 0;
          for (let i = 0; i < C.data.length; i++) {
            worst = Math.max(worst, Math.abs(C.data[i]! - D.data[101 * Math.floor(i / n) + (i % n)]!));
          }
          expect(worst).toBeLessThan(1e-11);
          // the destination is not read if its coefficient is 0
          E.fill(C, Number.NaN);
          E[product](C, factor, few);
          expect(C.data.every(Number.isFinite)).toBe(true);
        }
      }
    });

    test("a symmetric product in strips, with and without a remainder, is the product as a whole", () => {
      for (const n of [40, 1400]) {
        for (const p of [1, 7, 8, 9, 16, 30, 32, 33, 39, 40, 41, 50, 63, 64, 65, 100, 200, 201]) {
          const [A, S0] = [normal(E, n, p, 1), normalSmall(E, p, p, 2)];
          E.symmetrize(S0);
          const [S, T] = [smallOf(E, S0), smallOf(E, S0)];
          const apart = (): number => S.data.reduce((worst, v, i) => Math.max(worst, Math.abs(v - T.data[i]!)), 0);
          E.gram(S, A, -0.5);
          E.tmul(T, A, A, 1, -0.5);
          expect(apart(), `${n}×${p}`).toBeLessThan(1e-11);
          // the destination is not read
          E.fill(S, Number.NaN);
          E.gram(S, A);
          E.tmul(T, A, A);
          expect(apart(), `${n}×${p}`).toBeLessThan(1e-11);
        }
      }
    });

    const pages = "/sys/kernel/mm/transparent_hugepage/enabled";
    test.runIf(existsSync(pages))("large pages are requested, also for memory that has yet to grow", () => {
      const lines = readFileSync("/proc/self/smaps", "utf8").split("\n");
      let [at, advised] = ["", 0];
      for (const line of lines) {
        if (/^[0-9a-f]+-[0-9a-f]+ /.test(line)) at = line.split(" ")[0]!;
        const [from, to] = at.split("-").map((address) => Number.parseInt(address, 16)) as [number, number];
        if (/^VmFlags:.* hg/.test(line)) advised += to - from;
      }
      expect(advised).toBeGreaterThanOrEqual(2 ** 32);
    });

    test("LAPACK calls refuse matrices that native code would not check", async (context) => {
      const library = await openBlasLibrary(undefined, 1);
      if (!library.lapack) return context.skip("this BLAS has no LAPACK");
      const lapack = blasLapack({ ...library, lapack: library.lapack }, () => {}, 1);
      const good = E.small(3, 3);
      const single = { rows: 3, cols: 3, data: new Float32Array(9) as unknown as Float64Array };
      const short = { rows: 3, cols: 3, data: new Float64Array(4) };
      const gone = { rows: 3, cols: 3, data: new Float64Array(9) };
      structuredClone(gone.data, { transfer: [gone.data.buffer] });
      for (const bad of [single, short, gone]) {
        expect(() => lapack.potrf(bad)).toThrow(EngineError);
        expect(() => lapack.syevd(bad, E.tall(3, 1), true)).toThrow(/syevd: a matrix is 3×3 with Float/);
        expect(() => lapack.gesdd(good, bad, E.tall(3, 1), E.small(3, 3))).toThrow(EngineError);
        expect(() => lapack.gesv(good, bad)).toThrow(EngineError);
        expect(() => lapack.trsm(good, bad)).toThrow(EngineError);
      }
      expect(() => lapack.syevd(good, E.tall(2, 1), true)).toThrow(/3×1/);
      expect(() => lapack.gesdd(E.small(2, 3), good, E.tall(3, 1), good)).toThrow(/2×3/);
      expect(() => lapack.potrf(null as never)).toThrow();
    });

    test("products refuse a matrix whose numbers were replaced by a Float32Array", () => {
      const [A, S] = [E.small(20, 20), E.small(20, 20)];
      const forged = { ...A, data: new Float32Array(400) as unknown as Float64Array };
      expect(() => E.gram(S, forged)).toThrow(/Float32Array/);
      expect(() => E.mul(S, forged, A)).toThrow(/Float32Array/);
    });
  });
});

describe("a file that is no BLAS is refused in one sentence", () => {
  afterEach(() => vi.unstubAllEnvs());

  const refused = async (library: string, ...words: RegExp[]): Promise<void> => {
    const error = await blasEngine({ library }).catch((e: Error) => e);
    expect(error).toBeInstanceOf(EngineError);
    for (const word of words) expect((error as Error).message).toMatch(word);
  };
  const linux = process.platform === "linux";

  test("a path that does not exist", () => refused("/no/such/libblas.so", /\/no\/such\/libblas\.so/, /EXPEN_BLAS/));
  test("a file that is no library", () => refused(import.meta.filename, /blas\.test\.ts/, /could not be loaded/));
  test.runIf(linux)("a library without the symbols", () => refused("libm.so.6", /libm\.so\.6/, /cblas_dgemm/));

  test("the path from EXPEN_BLAS", async () => {
    vi.stubEnv("EXPEN_BLAS", "/no/such/blas-of-env");
    await expect(blasEngine()).rejects.toThrow(/blas-of-env/);
  });

  test("an invalid number of threads", async () => {
    for (const threads of [0, -1, 1.5, Number.NaN, 1e6])
      await expect(blasEngine({ threads })).rejects.toThrow(/threads is/);
  });
});
