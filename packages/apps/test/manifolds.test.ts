/** Applications on products, generalised Stiefel manifolds, Grassmannians and rotations, against other ways to the same answer. */

import type { Matrix } from "@expen/linalg";
import { random } from "@expen/linalg";
import { sparseFromTriplets } from "@expen/linalg/arrays";
import { jsEngine, smallOf } from "@expen/linalg/engine";
import {
  centred,
  eigenvectors,
  ml,
  normal,
  orthogonal,
  plain,
  shipped,
  subspaceDistance,
} from "@expen/testing/applications/support";
import * as apps from "expen/apps";
import { Matrix as Ml, SingularValueDecomposition } from "ml-matrix";
import { describe, expect, test } from "vitest";

const engine = jsEngine();
const part = (A: Ml, from: number, to: number): Matrix => plain(A.subMatrix(0, A.rows - 1, from, to));

function expectNear(values: readonly number[], expected: ArrayLike<number>, tolerance: number): void {
  for (const [j, v] of values.entries()) expect(Math.abs(v - expected[j]!)).toBeLessThan(tolerance);
}

/** Eigenvalues of A·x = λ·B·x, rising, from R⁻ᵀAR⁻¹ with B = RᵀR */
function dense(A: Ml, B: Ml): Float64Array {
  const n = A.rows;
  const R = engine.small(n, n);
  expect(engine.factor.cholesky(R, smallOf(engine, plain(B)))).toBe(true);
  const [Y, C] = [smallOf(engine, plain(A)), engine.small(n, n)];
  engine.factor.divide(Y, R);
  const turned = smallOf(engine, plain(ml({ rows: n, cols: n, data: engine.read(Y) }).transpose()));
  engine.factor.divide(turned, R);
  const w = new Float64Array(n);
  engine.factor.eigh(C, w, turned);
  return w;
}

/** Canonical correlations: singular values of R₁⁻ᵀC₁₂R₂⁻¹ */
function denseCorrelations(A1: Matrix, A2: Matrix): Float64Array {
  const whitened = [A1, A2].map((A) => {
    const C = centred(ml(A));
    const R = engine.small(A.cols, A.cols);
    engine.factor.cholesky(R, smallOf(engine, plain(C.transpose().mmul(C))));
    const Y = smallOf(engine, plain(C));
    engine.factor.divide(Y, R);
    return ml({ rows: A.rows, cols: A.cols, data: engine.read(Y) });
  });
  const M = smallOf(engine, plain(whitened[0]!.transpose().mmul(whitened[1]!)));
  const k = Math.min(A1.cols, A2.cols);
  const s = new Float64Array(k);
  engine.factor.svd(engine.small(A1.cols, k), s, engine.small(A2.cols, k), M);
  return s;
}

describe("generalised eigenvalues", () => {
  const N = normal(40, 40, 1);
  const A = N.clone().add(N.transpose());
  const Q = orthogonal(40, 40, 2);
  const B = Q.mmul(Ml.diag(Array.from({ length: 40 }, (_, i) => 100 ** (i / 39)))).mmul(Q.transpose());
  const symmetric = plain(B.clone().add(B.transpose()).div(2));

  test.each([false, true])("cond(B) = 100, largest %s: the eigenvalues of a dense solution", async (largest) => {
    const answer = await apps.generalizedEigen(plain(A), symmetric, { p: 4, largest, engine });
    const all = dense(A, ml(symmetric));
    const expected = largest ? [...all].reverse().slice(0, 4) : [...all].slice(0, 4);
    expectNear(answer.values, expected, 1e-11 * Math.abs(expected[0]!));
    expect(answer.residual).toBeLessThan(1e-7);
    const X = ml(answer.vectors);
    expect(X.transpose().mmul(ml(symmetric)).mmul(X).sub(Ml.eye(4)).norm("frobenius")).toBeLessThan(1e-12);
    expect(answer.certificate.level).toBe("complete");
  });

  test("linear finite elements on an interval, sparse: the eigenvalues known in closed form", async () => {
    // stiffness tridiag(−1, 2, −1)/h and mass h·tridiag(1, 4, 1)/6: λ_k = (6/h²)(1 − cos kπh)/(2 + cos kπh)
    const n = 30;
    const h = 1 / (n + 1);
    const tridiagonal = (side: number, main: number) => {
      const at = Array.from({ length: 3 * n }, (_, k) => [Math.floor(k / 3), Math.floor(k / 3) + (k % 3) - 1] as const);
      const inside = at.filter(([, j]) => j >= 0 && j < n);
      const [rows, cols] = [0, 1].map((side) => inside.map((pair) => pair[side]!));
      return sparseFromTriplets(
        n,
        n,
        rows!,
        cols!,
        inside.map(([i, j]) => (i === j ? main : side)),
      );
    };
    const answer = await apps.generalizedEigen(tridiagonal(-1 / h, 2 / h), tridiagonal(h / 6, (4 * h) / 6), {
      p: 3,
      engine,
    });
    for (const [k, v] of answer.values.entries()) {
      const c = Math.cos((k + 1) * Math.PI * h);
      expect(Math.abs(v / ((6 / h ** 2) * ((1 - c) / (2 + c))) - 1)).toBeLessThan(1e-9);
    }
  });

  test("a B that is not positive definite is refused in a sentence", async () => {
    const wrong = plain(Ml.diag([1, -1, 1]));
    await expect(apps.generalizedEigen(plain(Ml.eye(3)), wrong, { p: 1, engine })).rejects.toThrow(/positive definite/);
    const skewed = { rows: 3, cols: 3, data: Float64Array.from([1, 2, 0, 0, 1, 0, 0, 0, 1]) };
    await expect(apps.generalizedEigen(skewed, plain(Ml.eye(3)), { p: 1, engine })).rejects.toThrow(
      /A is not symmetric/,
    );
    await expect(apps.generalizedEigen(plain(Ml.eye(3)), plain(Ml.eye(2)), { p: 1, engine })).rejects.toThrow(
      /B is 2×2 but A is 3×3/,
    );
  });
});

describe("canonical correlations", () => {
  const wine = ml(shipped("wine").A);
  const iris = ml(shipped("iris").A);
  test.each([
    ["iris: sepals and petals", part(iris, 0, 1), part(iris, 2, 3), 2],
    ["wine: six measurements and seven", part(wine, 0, 5), part(wine, 6, 12), 3],
  ] as const)("%s: those of whitened data", async (_name, A1, A2, p) => {
    // enough for the whole tangent space, 27 dimensions for wine: the run takes fewer evaluations
    const certificateBudget = 30;
    const answer = await apps.canonicalCorrelation(A1, A2, { p, ridge: 0, tol: 1e-9, engine, certificateBudget });
    const expected = denseCorrelations(A1, A2);
    expectNear(answer.correlations, expected, 1e-10);
    // scores: uncorrelated with variance 1, and the j-th pair correlated by the j-th number
    const [S, T] = [ml(answer.firstScores), ml(answer.secondScores)];
    const m = A1.rows - 1;
    expect(S.transpose().mmul(S).div(m).sub(Ml.eye(p)).norm("frobenius")).toBeLessThan(1e-10);
    expect(S.transpose().mmul(T).div(m).sub(Ml.diag(answer.correlations)).norm("frobenius")).toBeLessThan(1e-9);
    expect(answer.run.certificate.level).toBe("second-order");
  });
});

describe("truncated singular values", () => {
  test("dense and sparse, wide and tall: values and vectors of a full decomposition", async () => {
    for (const [m, n] of [
      [30, 12],
      [12, 30],
    ] as const) {
      // biome-ignore format: shapes in a row
      const A = normal(m, n, 3);
      A.mul(0);
      const r = random(4, "entries");
      const entries = Array.from({ length: 100 }, () => [r.integer(m), r.integer(n), r.normal()] as const);
      for (const [i, j, v] of entries) A.set(i, j, A.get(i, j) + v);
      const [i, j, v] = [0, 1, 2].map((c) => entries.map((e) => e[c]!));
      const k = Math.min(m, n);
      const s = new Float64Array(k);
      engine.factor.svd(engine.small(m, k), s, engine.small(n, k), smallOf(engine, plain(A)));
      for (const given of [plain(A), sparseFromTriplets(m, n, i!, j!, v!)]) {
        const { U, V, values, certificate } = await apps.truncatedSvd(given, { p: 3, engine });
        expectNear(values, s, 1e-12 * s[0]!);
        expect(
          A.mmul(ml(V))
            .sub(ml(U).mmul(Ml.diag(values)))
            .norm("frobenius"),
        ).toBeLessThan(1e-7 * s[0]!);
        expect(
          A.transpose()
            .mmul(ml(U))
            .sub(ml(V).mmul(Ml.diag(values)))
            .norm("frobenius"),
        ).toBeLessThan(1e-7 * s[0]!);
        expect(certificate.level).toBe("complete");
      }
    }
    await expect(apps.truncatedSvd(plain(normal(4, 3, 1)), { p: 4, engine })).rejects.toThrow(/p = 4 is above n = 3/);
  });
});

describe("tucker", () => {
  const ranks = [3, 2, 2] as const;
  const [a, b, c] = [12, 10, 8];

  /** core ×₁U ×₂V ×₃W with noise, as slices */
  function planted(noise: number, seed: number): { slices: Matrix[]; U: Ml; V: Ml } {
    const [U, V, W] = [
      orthogonal(a, ranks[0], seed),
      orthogonal(b, ranks[1], seed + 1),
      orthogonal(c, ranks[2], seed + 2),
    ];
    const core = [normal(3, 2, seed + 3), normal(3, 2, seed + 4)];
    const slices = Array.from({ length: c }, (_, k) => {
      const inner = Ml.add(Ml.mul(core[0]!, W.get(k, 0)), Ml.mul(core[1]!, W.get(k, 1)));
      return plain(
        U.mmul(inner)
          .mmul(V.transpose())
          .add(normal(a, b, 100 * seed + k).mul(noise)),
      );
    });
    return { slices, U, V };
  }

  /** Higher-order orthogonal iteration: leading singular vectors of each unfolding times the other two, in turn */
  function hooi(slices: Matrix[], start: { V: Matrix; W: Matrix }, rounds: number): number {
    let [V, W] = [ml(start.V), ml(start.W)];
    const T = slices.map(ml);
    const left = (M: Ml, r: number): Ml => eigenvectors(M.mmul(M.transpose()), r).V;
    const beside = (blocks: Ml[]): Ml =>
      new Ml(blocks[0]!.to2DArray().map((_, i) => blocks.flatMap((B) => B.getRow(i))));
    const mixed = (W: Ml): Ml[] =>
      Array.from({ length: W.columns }, (_, z) =>
        T.reduce((sum, S, k) => sum.add(Ml.mul(S, W.get(k, z))), Ml.zeros(a, b)),
      );
    let square = 0;
    for (let round = 0; round < rounds; round++) {
      const U = left(beside(mixed(W).map((S) => S.mmul(V))), ranks[0]);
      V = left(beside(mixed(W).map((S) => S.transpose().mmul(U))), ranks[1]);
      W = left(new Ml(T.map((S) => U.transpose().mmul(S).mmul(V).to1DArray())), ranks[2]);
      square = mixed(W).reduce((sum, S) => sum + U.transpose().mmul(S).mmul(V).norm("frobenius") ** 2, 0);
    }
    const total = T.reduce((sum, S) => sum + S.norm("frobenius") ** 2, 0);
    return Math.sqrt(Math.max(0, 1 - square / total));
  }

  test("without noise: the planted factors", async () => {
    const { slices, U, V } = planted(0, 1);
    const answer = await apps.tucker(slices, { ranks, engine });
    expect(answer.relativeError).toBeLessThan(1e-7);
    expect(subspaceDistance(ml(answer.U), U)).toBeLessThan(1e-7);
    expect(subspaceDistance(ml(answer.V), V)).toBeLessThan(1e-7);
  });

  test("with noise: error below that of the start, and equal to that of alternating least squares", async () => {
    for (const seed of [2, 3, 4]) {
      const { slices } = planted(0.2, seed);
      const answer = await apps.tucker(slices, { ranks, tol: 1e-9, certificateBudget: 60, engine });
      expect(answer.relativeError).toBeLessThan(answer.startError - 1e-6);
      const higherOrder = { V: answer.V, W: answer.W };
      // no round of alternating least squares from the answer goes below it, and from other starts not either
      expect(hooi(slices, higherOrder, 20)).toBeGreaterThan(answer.relativeError - 1e-12);
      const other = { V: plain(orthogonal(b, ranks[1], 50 + seed)), W: plain(orthogonal(c, ranks[2], 60 + seed)) };
      expect(hooi(slices, other, 200)).toBeGreaterThan(answer.relativeError - 1e-9);
      expect(answer.run.certificate.level).toBe("second-order");
      // the core is what the factors make of the array
      const core = answer.core.reduce((sum, C) => sum + ml(C).norm("frobenius") ** 2, 0);
      const total = slices.reduce((sum, S) => sum + ml(S).norm("frobenius") ** 2, 0);
      expect(Math.sqrt(1 - core / total)).toBeCloseTo(answer.relativeError, 12);
    }
  });

  test("ranks that exceed the sizes are refused", async () => {
    await expect(apps.tucker([plain(normal(3, 3, 1))], { ranks: [2, 2, 2], engine })).rejects.toThrow(
      /rank 3 is 2; it must be a whole number from 1 to 1/,
    );
  });
});

describe("completion", () => {
  test("a planted matrix of rank 3 from four entries in ten, dense and sparse", async () => {
    const [m, n, p] = [60, 40, 3];
    const M = normal(m, p, 1).mmul(normal(p, n, 2));
    const r = random(3, "known");
    const holes = plain(M);
    for (let k = 0; k < m * n; k++) if (r.uniform() > 0.4) holes.data[k] = Number.NaN;
    const at = [...holes.data.keys()].filter((k) => !Number.isNaN(holes.data[k]!));
    const sparse = sparseFromTriplets(
      m,
      n,
      at.map((k) => Math.floor(k / n)),
      at.map((k) => k % n),
      at.map((k) => holes.data[k]!),
    );
    for (const given of [holes, sparse]) {
      const answer = await apps.completion(given, { p, ridge: 1e-12, tol: 1e-9, engine });
      expect(ml(answer.completed).sub(M).norm("frobenius") / M.norm("frobenius")).toBeLessThan(1e-6);
      const V = new SingularValueDecomposition(M).rightSingularVectors.subMatrix(0, n - 1, 0, p - 1);
      expect(subspaceDistance(ml(answer.basis), V)).toBeLessThan(1e-6);
      expect(answer.run.run.on).toBe("grassmann(40, 3)");
      expect(answer.run.notes.join()).not.toMatch(/changes/);
    }
    holes.data.fill(Number.NaN);
    await expect(apps.completion(holes, { p, engine })).rejects.toThrow(/no entry is known/);
  });

  test("all entries known: the error of truncated singular values", async () => {
    const M = normal(20, 12, 5);
    const answer = await apps.completion(plain(M), { p: 4, ridge: 1e-14, tol: 1e-9, engine });
    const s = new SingularValueDecomposition(M).diagonal;
    const rest = Math.sqrt(s.slice(4).reduce((sum, v) => sum + v * v, 0) / s.reduce((sum, v) => sum + v * v, 0));
    expect(Math.abs(answer.relativeResidual - rest)).toBeLessThan(1e-9);
  });
});

test("completion with p = n: the subspace is unique, so that no step is taken", async () => {
  const M = plain(normal(12, 5, 71));
  for (let k = 0; k < 60; k += 7) M.data[k] = Number.NaN;
  const { run } = await apps.completion(M, { p: 5, engine });
  expect([run.status, run.iterations, run.certificate.level]).toEqual(["converged", 0, "second-order"]);
  expect(run.reason.text).toMatch(/no directions/);
});

test("every application refuses in one sentence an argument that is no matrix", async () => {
  const one = { p: 1, engine };
  const calls: ((given: never) => Promise<unknown>)[] = [
    (A) => apps.pca(A, one),
    (A) => apps.robustPca(A, one),
    (A) => apps.sparsePca(A, { ...one, weight: 1 }),
    (A) => apps.ica(A, one),
    (A) => apps.procrustes(A, A, { engine }),
    (A) => apps.align(A, A, { engine }),
    (A) => apps.dictionary(A, one),
    (A) => apps.jointDiagonalization(A, { engine }),
    (A) => apps.factorRotation(A, { engine }),
    (A) => apps.discriminant(A, A, one),
    (A) => apps.generalizedEigen(A, A, one),
    (A) => apps.canonicalCorrelation(A, A, one),
    (A) => apps.truncatedSvd(A, one),
    (A) => apps.tucker(A, { ranks: [1, 1, 1], engine }),
    (A) => apps.completion(A, one),
    (A) => apps.maxCut(A, { engine }),
    (A) => apps.meanRotation(A, { engine }),
  ];
  for (const call of calls) {
    for (const given of [null, undefined, "data.csv", {}, [["a"]]]) {
      await expect(call(given as never)).rejects.toThrow(
        / is (null|undefined|the string|an object|an array|"a").*(must be|give|needed)/,
      );
    }
  }
  await expect(apps.hartreeFock(null as never)).rejects.toThrow(/the molecule has no h/);
});
