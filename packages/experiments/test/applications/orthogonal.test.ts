import { orientation } from "@expen/apps/objectives";
import { jsEngine } from "@expen/linalg/engine";
import {
  centred,
  eigenvectors,
  ml,
  normal,
  orthogonal,
  permutationError,
  plain,
  shipped,
  subspaceDistance,
} from "@expen/testing/applications/support";
import * as apps from "expen/apps";
import { Matrix as Ml, SingularValueDecomposition } from "ml-matrix";
import { describe, expect, test } from "vitest";
import { sparseCombinations } from "../../src/problems/dictionary.js";
import { commonEigenvectors } from "../../src/problems/jointdiag.js";

const engine = jsEngine();

describe("procrustes", () => {
  test("square: U·Vᵀ of AᵀB, with a proof, whichever component it lies in", async () => {
    for (const seed of [1, 2, 3, 4]) {
      const [A, B] = [normal(12, 4, seed, "A"), normal(12, 4, seed, "B")];
      const { X, residual, run } = await apps.procrustes(plain(A), plain(B), { engine, tol: 1e-9 });
      const { leftSingularVectors: U, rightSingularVectors: V } = new SingularValueDecomposition(A.transpose().mmul(B));
      expect(ml(X).sub(U.mmul(V.transpose())).norm("frobenius")).toBeLessThan(1e-7);
      expect(residual).toBeCloseTo(A.mmul(ml(X)).sub(B).norm("frobenius"), 9);
      expect(run.certificate.level).toBe("global");
    }
  });

  test("tall: a planted solution without residual", async () => {
    const [A, Q] = [normal(20, 8, 1, "A"), orthogonal(8, 3, 1)];
    const { X, relativeResidual } = await apps.procrustes(plain(A), plain(A.mmul(Q)), { engine, tol: 1e-9 });
    expect(ml(X).sub(Q).norm("frobenius")).toBeLessThan(1e-7);
    expect(relativeResidual).toBeLessThan(1e-8);
  });
});

describe("align", () => {
  /** Kabsch and Umeyama: R = U·Diag(1, …, ±1)·Vᵀ */
  function umeyama(A: Ml, B: Ml, reflections: boolean, scaling: boolean): { R: Ml; s: number } {
    const [a, b] = [centred(A), centred(B)];
    const svd = new SingularValueDecomposition(a.transpose().mmul(b));
    const [U, V, d] = [svd.leftSingularVectors, svd.rightSingularVectors, A.columns];
    const signs = new Array<number>(d).fill(1);
    if (!reflections && orientation(plain(U)) * orientation(plain(V)) < 0) signs[d - 1] = -1;
    const R = U.mmul(Ml.diag(signs)).mmul(V.transpose());
    const s = scaling ? svd.diagonal.reduce((t, v, j) => t + v * signs[j]!, 0) / a.norm("frobenius") ** 2 : 1;
    return { R, s };
  }

  for (const [reflections, scaling] of [
    [false, false],
    [false, true],
    [true, true],
  ] as const) {
    test(`noise, ${reflections ? "reflections" : "rotations only"}${scaling ? ", scale" : ""}: the closed form, certified`, async () => {
      for (const seed of [1, 2, 3, 4, 5, 6]) {
        const Q = orthogonal(3, 3, seed); // either component: half of the cases are mirrored
        const A = normal(30, 3, seed, "A");
        const B = A.mmul(Q)
          .mul(1.7)
          .add(normal(30, 3, seed, "noise").mul(0.1))
          .addRowVector([4, -2, 1]);
        const options = { reflections, scaling, engine, tol: 1e-9, seed };
        const answer = await apps.align(plain(A), plain(B), options);
        const { R, s } = umeyama(A, B, reflections, scaling);
        expect(ml(answer.rotation).sub(R).norm("frobenius")).toBeLessThan(1e-7);
        expect(answer.scale).toBeCloseTo(s, 9);
        if (!reflections) expect(orientation(answer.rotation)).toBe(1);
        expect(answer.run.certificate.level).toBe("global");
        expect([answer.run.iterations, answer.run.reason.text]).toEqual([
          0,
          expect.stringMatching(/^closed form: UVᵀ/),
        ]);
        // a solver that is named runs, to the same rotation
        const { rotation, run } = await apps.align(plain(A), plain(B), { ...options, solver: "rcg" });
        expect(ml(rotation).sub(R).norm("frobenius")).toBeLessThan(1e-7);
        expect(run.certificate.level).toBe("global");
        const moved = A.mmul(R).mul(s).addRowVector(Array.from(answer.translation));
        expect(answer.rms).toBeCloseTo(moved.sub(B).norm("frobenius") / Math.sqrt(30), 9);
      }
    });
  }

  test("sets of different size are refused", async () => {
    await expect(apps.align(plain(normal(5, 3, 1)), plain(normal(6, 3, 1)), { engine })).rejects.toThrow(
      /target is 6×3 but must be 5×3/,
    );
  });
});

test("dictionary: planted orthonormal atoms, up to order and sign", async () => {
  const { Q, Y } = sparseCombinations(10, 2000, 2, 3);
  const { atoms, codes, kurtosis, run } = await apps.dictionary(Y, { engine });
  expect(permutationError(ml(Q).transpose().mmul(ml(atoms)))).toBeLessThan(0.1);
  expect(ml(codes).mmul(ml(atoms).transpose()).sub(ml(Y)).norm("frobenius")).toBeLessThan(
    1e-10 * ml(Y).norm("frobenius"),
  );
  for (const k of kurtosis) expect(k).toBeGreaterThan(8);
  expect(run.certificate.level).toBe("second-order");
  // samples of one atom each: exact
  const single = sparseCombinations(8, 200, 1, 5);
  const exact = await apps.dictionary(single.Y, { engine, tol: 1e-10 });
  expect(permutationError(ml(single.Q).transpose().mmul(ml(exact.atoms)))).toBeLessThan(1e-6);
});

describe("joint diagonalization", () => {
  /** Jacobi angles of Cardoso and Souloumiac (1996): plane by plane, the closed-form rotation */
  function jacobiAngles(matrices: Ml[]): Ml {
    const A = matrices.map((M) => M.clone());
    const n = A[0]!.rows;
    const V = Ml.eye(n);
    for (let sweep = 0, moved = true; moved && sweep < 200; sweep++) {
      moved = false;
      for (let p = 0; p < n; p++) {
        for (let q = p + 1; q < n; q++) {
          let [ton, toff] = [0, 0];
          for (const M of A) {
            const [g, h] = [M.get(p, p) - M.get(q, q), M.get(p, q) + M.get(q, p)];
            ton += g * g - h * h;
            toff += 2 * g * h;
          }
          const theta = 0.5 * Math.atan2(toff, ton + Math.hypot(ton, toff));
          const [c, s] = [Math.cos(theta), Math.sin(theta)];
          if (Math.abs(s) < 1e-14) continue;
          moved = true;
          const G = Ml.eye(n);
          G.set(p, p, c);
          G.set(q, q, c);
          G.set(q, p, s);
          G.set(p, q, -s);
          A.forEach((M, k) => {
            A[k] = G.transpose().mmul(M).mmul(G);
          });
          V.setSubMatrix(V.mmul(G), 0, 0);
        }
      }
    }
    return V;
  }

  test("noisy matrices: as good as Jacobi angles, and the same columns", async () => {
    const { matrices } = commonEigenvectors(6, 5, 2);
    const noisy = matrices.map((M, k) => {
      const N = normal(6, 6, k, "noise").mul(0.05);
      return ml(M).add(N.add(N.transpose()));
    });
    const o = { engine, tol: 1e-9, certificate: "second-order" } as const;
    const { X, diagonals, offDiagonal, run } = await apps.jointDiagonalization(noisy.map(plain), o);
    const J = jacobiAngles(noisy);
    expect(permutationError(J.transpose().mmul(ml(X)))).toBeLessThan(1e-6);
    const off = noisy.reduce((s, M) => {
      const D = J.transpose().mmul(M).mmul(J);
      return s + D.norm("frobenius") ** 2 - D.diagonal().reduce((t, v) => t + v * v, 0);
    }, 0);
    const total = noisy.reduce((s, M) => s + M.norm("frobenius") ** 2, 0);
    expect(Math.abs(offDiagonal - off / total)).toBeLessThan(1e-12);
    noisy.forEach((M, k) => {
      const D = ml(X).transpose().mmul(M).mmul(ml(X)).diagonal();
      D.forEach((v, j) => {
        expect(diagonals.data[k * 6 + j]).toBeCloseTo(v, 10);
      });
    });
    expect(run.certificate.level).toBe("second-order");
  });

  test("common eigenvectors: diagonal to rounding", async () => {
    const { Q, matrices } = commonEigenvectors(7, 4, 1);
    const { X, offDiagonal } = await apps.jointDiagonalization(matrices, { engine });
    expect(offDiagonal).toBeLessThan(1e-12);
    expect(permutationError(ml(Q).transpose().mmul(ml(X)))).toBeLessThan(1e-5);
  });

  test("common eigenvectors: every start is a solution", async () => {
    const { matrices } = commonEigenvectors(7, 4, 3);
    const begun: number[] = [];
    const iteration = ({ k, f }: { k: number; f: number }): void => void (k === 0 && begun.push(f));
    const { run } = await apps.jointDiagonalization(matrices, { engine, starts: 3, events: { iteration } });
    expect(begun).toHaveLength(3);
    for (const f of begun) expect(Math.abs(f - run.fval)).toBeLessThan(1e-10 * Math.abs(run.fval));
  });
});

describe("discriminant", () => {
  /** λ ← ratio of the leading eigenvectors of S_b − λS_w (Wang et al. 2007): monotone, to the global maximum */
  function traceRatio(A: Ml, labels: Float64Array, p: number): { X: Ml; ratio: number } {
    const n = A.columns;
    const [Sb, Sw] = [Ml.zeros(n, n), Ml.zeros(n, n)];
    const mean = new Ml([A.mean("column")]);
    for (const c of new Set(labels)) {
      const rows = [...labels.keys()].filter((i) => labels[i] === c);
      const own = A.subMatrixRow(rows);
      const d = new Ml([own.mean("column")]).sub(mean);
      Sb.add(d.transpose().mmul(d).mul(rows.length));
      Sw.add(centred(own).transpose().mmul(centred(own)));
    }
    let [X, ratio] = [eigenvectors(Sb, p).V, 0];
    for (let k = 0; k < 100; k++) {
      ratio = X.transpose().mmul(Sb).mmul(X).trace() / X.transpose().mmul(Sw).mmul(X).trace();
      X = eigenvectors(Sb.clone().sub(Sw.clone().mul(ratio)), p).V;
    }
    return { X, ratio };
  }

  for (const name of ["iris", "wine"] as const) {
    test(`${name}: the result of the iterative trace ratio, proved to be the maximum`, async () => {
      const { A, labels } = shipped(name);
      const answer = await apps.discriminant(A, labels, { p: 2, ridge: 0, engine });
      const { X, ratio } = traceRatio(ml(A), labels, 2);
      expect(Math.abs(answer.ratio / ratio - 1)).toBeLessThan(1e-9);
      // f is flat there: a ratio that is right to 1e-9 leaves some 3e-5 in the directions
      expect(subspaceDistance(ml(answer.directions), X)).toBeLessThan(1e-4);
      expect(answer.gapBound).toBeLessThan(1e-6 * ratio);
    });
  }

  test("one class and missing labels are refused", async () => {
    const A = plain(normal(6, 3, 1));
    await expect(apps.discriminant(A, [1, 1, 1, 1, 1, 1], { p: 1, engine })).rejects.toThrow(/all labels are 1/);
    await expect(apps.discriminant(A, [1, 2], { p: 1, engine })).rejects.toThrow(/2 labels for 6 samples/);
  });
});
