import { jsEngine } from "@expen/linalg/engine";
import { centred, eigenvectors, ml, plain, shipped } from "@expen/testing/applications/support";
import * as apps from "expen/apps";
import { Matrix as Ml } from "ml-matrix";
import { describe, expect, test } from "vitest";

const engine = jsEngine();

describe("factor rotation", () => {
  /** Kaiser's plane rotations: in each plane the angle that maximises the orthomax criterion in closed form */
  function planeRotations(L: Ml, gamma: number): Ml {
    const [A, v, k] = [L.clone(), L.rows, L.columns];
    for (let sweep = 0, moved = true; moved && sweep < 500; sweep++) {
      moved = false;
      for (let p = 0; p < k; p++) {
        for (let q = p + 1; q < k; q++) {
          const [x, y] = [A.getColumn(p), A.getColumn(q)];
          let [a, b, c, d] = [0, 0, 0, 0];
          x.forEach((xi, i) => {
            const [u, w] = [xi * xi - y[i]! * y[i]!, 2 * xi * y[i]!];
            a += u;
            b += w;
            c += u * u - w * w;
            d += 2 * u * w;
          });
          const angle = Math.atan2(d - (2 * gamma * a * b) / v, c - (gamma * (a * a - b * b)) / v) / 4;
          if (Math.abs(angle) < 1e-13) continue;
          moved = true;
          const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
          A.setColumn(
            p,
            x.map((xi, i) => cos * xi + sin * y[i]!),
          );
          A.setColumn(
            q,
            x.map((xi, i) => -sin * xi + cos * y[i]!),
          );
        }
      }
    }
    return A;
  }
  const criterion = (A: Ml, gamma: number): number => {
    let [fourth, columns] = [0, 0];
    for (let j = 0; j < A.columns; j++) {
      const squares = A.getColumn(j).map((x) => x * x);
      fourth += squares.reduce((s, u) => s + u * u, 0);
      columns += squares.reduce((s, u) => s + u, 0) ** 2;
    }
    return fourth - (gamma / A.rows) * columns;
  };
  /** principal loadings of the wine data: eigenvectors times deviations of the correlation matrix */
  function loadings(k: number): Ml {
    const C = centred(ml(shipped("wine").A));
    C.divRowVector(C.standardDeviation("column", { mean: new Array(13).fill(0) }));
    const { V, values } = eigenvectors(C.transpose().mmul(C).div(177), k);
    return V.mulRowVector(values.map(Math.sqrt));
  }

  for (const kind of ["varimax", "quartimax", "equamax", "parsimax"] as const) {
    test(`${kind} of the wine data's loadings: Kaiser's plane rotations`, async () => {
      const L = loadings(3);
      const answer = await apps.factorRotation(plain(L), { kind, normalise: false, tol: 1e-10, engine });
      const planes = planeRotations(L, answer.gamma);
      expect(Math.abs(answer.criterion / criterion(planes, answer.gamma) - 1)).toBeLessThan(1e-10);
      expect(criterion(ml(answer.loadings), answer.gamma)).toBeCloseTo(answer.criterion, 9);
      const overlap = planes.transpose().mmul(ml(answer.loadings));
      const lengths = overlap.to2DArray().map((_, j) => Math.hypot(...planes.getColumn(j)));
      const own = answer.variances.map(Math.sqrt);
      const cosines = new Ml(overlap.to2DArray().map((row, i) => row.map((x, j) => x / (lengths[i]! * own[j]!))));
      for (let j = 0; j < 3; j++) expect(Math.max(...cosines.getColumn(j).map(Math.abs))).toBeCloseTo(1, 8);
      expect(ml(answer.rotation).transpose().mmul(ml(answer.rotation)).sub(Ml.eye(3)).norm("frobenius")).toBeLessThan(
        1e-12,
      );
      expect(L.mmul(ml(answer.rotation)).sub(ml(answer.loadings)).norm("frobenius")).toBeLessThan(1e-12);
    });
  }

  test("Kaiser's normalisation rotates rows of length 1", async () => {
    const L = loadings(4);
    const answer = await apps.factorRotation(plain(L), { tol: 1e-10, engine });
    const rows = new Ml(L.to2DArray().map((row) => row.map((x) => x / Math.hypot(...row))));
    expect(Math.abs(answer.criterion / criterion(planeRotations(rows, 1), 1) - 1)).toBeLessThan(1e-10);
    expect(answer.run.certificate.level).toBe("second-order");
  });
});
