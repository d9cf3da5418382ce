import { random } from "@expen/linalg";
import { jsEngine } from "@expen/linalg/engine";
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

describe("pca", () => {
  for (const standardise of [false, true]) {
    test(`wine${standardise ? ", standardised" : ""}: subspace, order and variances of an SVD`, async () => {
      const { A } = shipped("wine");
      const answer = await apps.pca(A, { p: 3, standardise, engine });
      const C = centred(ml(A));
      if (standardise) C.divRowVector(C.standardDeviation("column", { mean: new Array(13).fill(0) }));
      const { rightSingularVectors: V, diagonal } = new SingularValueDecomposition(C);
      const top = V.subMatrix(0, 12, 0, 2);
      expect(subspaceDistance(ml(answer.components), top)).toBeLessThan(1e-8);
      answer.variances.forEach((v, j) => {
        expect(Math.abs(v / (diagonal[j]! ** 2 / 177) - 1)).toBeLessThan(1e-10);
        // column by column, up to the sign
        const cosine = ml(answer.components).getColumnVector(j).dot(top.getColumnVector(j));
        expect(Math.abs(Math.abs(cosine) - 1)).toBeLessThan(1e-12);
      });
      const total = diagonal.reduce((s, v) => s + v * v, 0) / 177;
      expect(answer.explained.reduce((s, v) => s + v, 0)).toBeCloseTo(
        answer.variances.reduce((s, v) => s + v, 0) / total,
        12,
      );
      // the scores are uncorrelated, with these variances
      const S = ml(answer.scores);
      const covariance = S.transpose().mmul(S).div(177);
      expect(covariance.sub(Ml.diag(answer.variances)).norm("frobenius")).toBeLessThan(1e-8 * answer.variances[0]!);
      expect(answer.run.certificate.level).toBe("global");
    });
  }

  test("too many components, NaN and one sample are refused in a sentence", async () => {
    const A = plain(normal(5, 3, 1));
    await expect(apps.pca(A, { p: 4, engine })).rejects.toThrow(/p = 4 is above n = 3/);
    A.data[4] = Number.NaN;
    await expect(apps.pca(A, { p: 2, engine })).rejects.toThrow(/entry \(1, 1\) of A is NaN/);
    await expect(apps.pca(plain(normal(1, 3, 1)), { p: 1, engine })).rejects.toThrow(/A has 1 rows/);
    await expect(apps.pca([[1, 2]], { p: 1, engine })).rejects.toThrow(/A has 1 rows/);
  });
});

describe("robust pca", () => {
  /** 80 samples in a plane of ℝ⁸ with noise, 3 far away in one direction: most of the variance, less than half of the distance */
  function contaminated(seed: number): { A: Ml; Q: Ml } {
    const Q = orthogonal(8, 3, seed);
    const [plane, off] = [Q.subMatrix(0, 7, 0, 1), Q.getColumn(2)];
    const A = Ml.zeros(83, 8);
    A.setSubMatrix(normal(80, 2, seed, "good").mmul(plane.transpose()), 0, 0);
    for (let i = 80; i < 83; i++)
      A.setRow(
        i,
        off.map((v) => 12 * v),
      );
    return { A: A.add(normal(83, 8, seed, "noise").mul(0.02)), Q: plane };
  }

  test("the planted plane, in spite of outliers that change plain PCA", async () => {
    for (const seed of [1, 2, 3]) {
      const { A, Q } = contaminated(seed);
      const answer = await apps.robustPca(plain(A), { p: 2, centre: "none", engine });
      expect(subspaceDistance(ml(answer.components), Q)).toBeLessThan(0.05);
      const ordinary = await apps.pca(plain(A), { p: 2, centre: false, engine });
      expect(subspaceDistance(ml(ordinary.components), Q)).toBeGreaterThan(0.5);
      expect(Math.max(...answer.weights.slice(80))).toBeLessThan(0.2);
      expect(Math.min(...answer.weights.slice(0, 80))).toBeGreaterThan(0.5);
      expect(answer.run.certificate.level).toBe("second-order");
    }
  });

  test("the same point as iteratively reweighted eigenvectors", async () => {
    const { A } = contaminated(4);
    const delta = 0.05;
    const answer = await apps.robustPca(plain(A), { p: 2, centre: "none", delta, tol: 1e-10, engine });
    // w_i = 1/√(r_i² + δ²), X = leading eigenvectors of Σ w_i a_i a_iᵀ (a majorisation of the same f)
    let X = ml(answer.run.X).add(normal(8, 2, 9).mul(0.05));
    for (let k = 0; k < 400; k++) {
      const R = A.clone().sub(A.mmul(X).mmul(X.transpose()));
      const weighted = A.clone();
      for (let i = 0; i < A.rows; i++) {
        weighted.mulRow(i, (Math.hypot(...R.getRow(i)) ** 2 + delta ** 2) ** -0.25);
      }
      X = eigenvectors(weighted.transpose().mmul(weighted), 2).V;
    }
    expect(subspaceDistance(ml(answer.components), X)).toBeLessThan(1e-7);
    const R = A.clone().sub(A.mmul(X).mmul(X.transpose()));
    const f = R.to2DArray().reduce((s, row) => s + Math.hypot(...row, delta), 0) / A.rows;
    expect(Math.abs(answer.run.fval / f - 1)).toBeLessThan(1e-12);
  });

  test("with δ far above all distances it is plain PCA", async () => {
    const { A } = shipped("iris");
    const answer = await apps.robustPca(A, { p: 2, centre: "mean", delta: 1e4, tol: 1e-10, engine });
    const { V } = eigenvectors(
      centred(ml(A))
        .transpose()
        .mmul(centred(ml(A))),
      2,
    );
    expect(subspaceDistance(ml(answer.components), V)).toBeLessThan(1e-5);
  });
});

describe("sparse pca", () => {
  /** Two hidden factors, each on its own 5 of 20 variables */
  function blocks(seed: number): Ml {
    const r = random(seed, "blocks");
    return new Ml(
      Array.from({ length: 200 }, () => {
        const [u, v] = [2 * r.normal(), 1.5 * r.normal()];
        return Array.from({ length: 20 }, (_, j) => (j < 5 ? u : j < 10 ? v : 0) + 0.3 * r.normal());
      }),
    );
  }

  test("the planted supports, orthonormal components, a certificate", async () => {
    const answer = await apps.sparsePca(plain(blocks(1)), { p: 2, weight: 0.5, engine });
    expect(answer.support).toEqual([
      [0, 1, 2, 3, 4],
      [5, 6, 7, 8, 9],
    ]);
    expect(answer.zeros).toBeCloseTo(0.75, 12);
    const X = ml(answer.components);
    expect(X.transpose().mmul(X).sub(Ml.eye(2)).norm("frobenius")).toBeLessThan(1e-12);
    expect(answer.run.certificate.level).toBe("stationary");
    expect(answer.run.stationarity).toBeLessThan(1e-6);
    const dense = await apps.sparsePca(plain(blocks(1)), { p: 2, weight: 0, engine });
    expect(dense.zeros).toBeLessThan(0.1);
  });

  test("one component: the fixed point x = S_w(Cx)/‖S_w(Cx)‖", async () => {
    const A = blocks(2);
    const [w, C] = [0.8, centred(A).transpose().mmul(centred(A)).div(199)];
    const answer = await apps.sparsePca(plain(A), { p: 1, weight: w, engine });
    let x = eigenvectors(C, 1).V;
    for (let k = 0; k < 2000; k++) {
      const y = C.mmul(x);
      const shrunk = new Ml(y.to2DArray().map(([v]) => [Math.sign(v!) * Math.max(0, Math.abs(v!) - w)]));
      x = shrunk.div(shrunk.norm("frobenius"));
    }
    const value =
      -0.5 * x.transpose().mmul(C).mmul(x).get(0, 0) + w * x.to1DArray().reduce((s, v) => s + Math.abs(v), 0);
    expect(Math.abs(answer.value - value)).toBeLessThan(1e-9 * Math.abs(value));
    expect(subspaceDistance(ml(answer.components), x)).toBeLessThan(1e-5);
  });
});

describe("ica", () => {
  /** Laplace, uniform and two-valued sources under a random mixing */
  function mixture(seed: number): { S: Ml; A: Ml } {
    const r = random(seed, "sources");
    const rows = Array.from({ length: 4000 }, () => {
      const u = r.uniform() - 0.5;
      const laplace = -Math.sign(u) * Math.log(1 - 2 * Math.abs(u));
      return [laplace, 2 * r.uniform() - 1, r.uniform() < 0.5 ? -1 : 1, r.normal() ** 3];
    });
    const S = new Ml(rows);
    return { S, A: S.mmul(normal(4, 4, seed, "mixing")).addRowVector([3, -1, 2, 5]) };
  }
  const standard = (S: Ml): Ml => {
    const C = centred(S);
    return C.divRowVector(C.standardDeviation("column", { mean: new Array(C.columns).fill(0), unbiased: false }));
  };

  for (const contrast of ["logcosh", "kurtosis"] as const) {
    test(`${contrast}: planted sources with heavy and light tails, up to order and sign`, async () => {
      const { S, A } = mixture(1);
      const answer = await apps.ica(plain(A), { contrast, engine });
      const correlations = standard(S).transpose().mmul(ml(answer.sources)).div(S.rows);
      for (let j = 0; j < 4; j++) {
        const column = correlations.getColumn(j).map(Math.abs);
        expect(Math.max(...column)).toBeGreaterThan(0.99);
      }
      expect(
        new Set(
          [0, 1, 2, 3].map((j) =>
            correlations
              .getColumn(j)
              .map(Math.abs)
              .findIndex((c) => c > 0.9),
          ),
        ).size,
      ).toBe(4);
      // A = 1·centreᵀ + sources·mixingᵀ
      const back = ml(answer.sources).mmul(ml(answer.mixing).transpose()).addRowVector(Array.from(answer.centre));
      expect(back.sub(A).norm("frobenius") / A.norm("frobenius")).toBeLessThan(1e-12);
      expect(answer.run.certificate.level).toBe("second-order");
    });
  }

  test("FastICA's first steps end when columns hardly rotate: early for clear sources, late for Gaussian noise", async () => {
    const steps = async (A: Ml): Promise<number> => {
      const { run } = await apps.ica(plain(A), { starts: 1, engine });
      return Number(/^(\d+) steps of FastICA/.exec(run.notes.find((note) => note.includes("FastICA"))!)![1]);
    };
    expect(await steps(mixture(3).A)).toBeLessThan(10);
    expect(await steps(normal(300, 12, 4))).toBeGreaterThan(10);
  });

  test("a fixed point of FastICA: w ∝ E z g(wᵀz) − E g'(wᵀz)·w, orthonormalised", async () => {
    const { A } = mixture(2);
    const answer = await apps.ica(plain(A), { tol: 1e-9, engine });
    const Z = ml(answer.sources);
    // in the coordinates of the answer the unmixing is the identity; deflation-free FastICA must return to it from nearby
    let W = Ml.eye(4).add(normal(4, 4, 5).mul(0.05));
    const polar = (M: Ml): Ml => {
      const { leftSingularVectors: U, rightSingularVectors: V } = new SingularValueDecomposition(M);
      return U.mmul(V.transpose());
    };
    for (let k = 0; k < 200; k++) {
      const Y = Z.mmul(W);
      const g = Ml.zeros(Y.rows, 4);
      const slope = [0, 0, 0, 0];
      for (let i = 0; i < Y.rows; i++) {
        for (let j = 0; j < 4; j++) {
          g.set(i, j, Math.tanh(Y.get(i, j)));
          slope[j]! += (1 - Math.tanh(Y.get(i, j)) ** 2) / Y.rows;
        }
      }
      const next = Z.transpose().mmul(g).div(Y.rows).sub(W.clone().mulRowVector(slope));
      W = polar(next);
    }
    // symmetric FastICA weighs the sources alike, ours by their contrast: equal only as far as the sample is independent
    const distance = Math.max(...W.to1DArray().map((v, k) => Math.abs(Math.abs(v) - (k % 5 === 0 ? 1 : 0))));
    expect(distance).toBeLessThan(0.03);
  });

  test("more sources than the data has directions are refused", async () => {
    const A = normal(50, 2, 1).mmul(normal(2, 3, 2));
    await expect(apps.ica(plain(A), { engine })).rejects.toThrow(/only 2 independent directions/);
  });

  test("fewer samples than columns: m − 1 directions, without those of roundoff", async () => {
    const { normal } = random(3, "wide");
    const A = { rows: 4, cols: 9, data: Float64Array.from({ length: 36 }, normal) };
    await expect(apps.ica(A, { engine })).rejects.toThrow(/only 3 independent directions/);
  });

  test("an argument that is no matrix, or has a wrong number of entries, is refused in one sentence", async () => {
    const none = undefined as never;
    const short = { rows: 4, cols: 3, data: new Float64Array(11) };
    const one = { rows: 1, cols: 3, data: Float64Array.of(1, 2, 3) };
    await expect(apps.ica(none, { engine })).rejects.toThrow(/ica: A: a matrix is needed, this is/);
    await expect(apps.ica(short, { engine })).rejects.toThrow("ica: A is 4×3 but has 11 numbers.");
    await expect(apps.procrustes(one, none, { engine })).rejects.toThrow(
      /procrustes: B: a matrix is needed, this is undefined/,
    );
    await expect(apps.align(none, one, { engine })).rejects.toThrow(
      /align: source: a matrix is needed, this is undefined/,
    );
    await expect(apps.factorRotation(none, { engine })).rejects.toThrow(
      /factor-rotation: L: a matrix is needed, this is undefined/,
    );
    await expect(apps.factorRotation(one, { engine })).rejects.toThrow(/at least 2 variables/);
  });
});
