import { Matrix as Ml } from "ml-matrix";
import { describe, expect, test } from "vitest";
import { jsEngine } from "../../src/engines/js.js";
import * as apps from "../../src/entries/apps.js";
import { eigenvectors, ml, subspaceDistance } from "./support.js";

const engine = jsEngine();

describe("kohn-sham", () => {
  test("the self-consistent field iteration ends at the same orbitals", async () => {
    const [n, p, alpha] = [12, 2, 1];
    const answer = await apps.kohnSham({ n, p, alpha, engine, tol: 1e-10 });
    const L = Ml.zeros(n, n);
    for (let i = 0; i < n; i++) {
      L.set(i, i, 2);
      if (i > 0) L.set(i, i - 1, -1);
      if (i < n - 1) L.set(i, i + 1, -1);
    }
    const { eigenvectorMatrix: W, realEigenvalues: w } = (() => {
      const { V, values } = eigenvectors(L, n);
      return { eigenvectorMatrix: V, realEigenvalues: values };
    })();
    const inverse = W.mmul(Ml.diag(w.map((v) => 1 / v))).mmul(W.transpose());
    let rho = new Ml(Array.from({ length: n }, () => [p / n]));
    let [X, energies] = [Ml.zeros(n, p), [] as number[]];
    // simple mixing: without it the iteration jumps between two densities
    for (let k = 0; k < 600; k++) {
      const H = L.clone().add(Ml.diag(inverse.mmul(rho).mul(alpha).to1DArray()));
      const { V, values } = eigenvectors(H.mul(-1), p);
      X = V;
      energies = values.map((v) => -v);
      const next = new Ml(X.to2DArray().map((row) => [row.reduce((s, x) => s + x * x, 0)]));
      rho = rho.mul(0.9).add(next.mul(0.1));
    }
    expect(subspaceDistance(ml(answer.orbitals), X)).toBeLessThan(1e-6);
    answer.orbitalEnergies.forEach((e, j) => {
      expect(e).toBeCloseTo(energies[j]!, 7);
    });
    expect(answer.residual).toBeLessThan(1e-8);
    const density = rho.to1DArray();
    answer.density.forEach((v, i) => {
      expect(v).toBeCloseTo(density[i]!, 7);
    });
  });

  test("the paper's value for p = 10 at every n", async () => {
    const { energy, density } = await apps.kohnSham({ n: 250, p: 10, engine });
    expect(Math.abs(energy - 35.70857)).toBeLessThan(1e-5);
    expect(density.reduce((s, v) => s + v, 0)).toBeCloseTo(10, 10);
  });
});
