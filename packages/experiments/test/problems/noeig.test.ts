import { fillNormal, random } from "@expen/linalg";
import { eigh } from "@expen/linalg/dense";
import { jsEngine, smallOf } from "@expen/linalg/engine";
import { objectiveContract } from "@expen/testing/contracts/objective";
import { columns } from "@expen/testing/problems/eigenvectors";
import { minimize, stiefel } from "expen";
import { describe, expect, test } from "vitest";
import { noeig } from "../../src/paper/noeig.js";

objectiveContract("noeig", (E) => noeig(E, { n: 23, p: 4 }));
objectiveContract("noeig, α = 100", (E) => noeig(E, { n: 12, p: 12, alpha: 100 }));
objectiveContract("noeig, α = −0.5", (E) => noeig(E, { n: 9, p: 1, alpha: -0.5 }));
objectiveContract("noeig, α = 0", (E) => noeig(E, { n: 15, p: 3, alpha: 0 }), {
  minimiser: ({ n, p }) =>
    columns(
      Array.from({ length: p }, (_, k) =>
        Array.from({ length: n }, (_, i) => Math.sqrt(2 / (n + 1)) * Math.sin(((k + 1) * (i + 1) * Math.PI) / (n + 1))),
      ),
    ),
});

describe("(4.3), noeig", () => {
  test("equals its definition with a dense L⁻¹", () => {
    const E = jsEngine();
    const [n, p, alpha] = [7, 3, 1.7];
    const X = E.tall(n, p);
    fillNormal(X, random(3));
    const x = (i: number, j: number): number => (i < 0 || i >= n ? 0 : X.data[i * p + j]!);
    let f = 0;
    const rho = new Float64Array(n);
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < p; j++) {
        f += 0.5 * x(i, j) * (2 * x(i, j) - x(i - 1, j) - x(i + 1, j));
        rho[i]! += x(i, j) ** 2;
      }
    }
    // (L⁻¹)_ij = min(i, j)·(n + 1 − max(i, j))/(n + 1), counted from 1
    for (let i = 1; i <= n; i++) {
      for (let j = 1; j <= n; j++) {
        const green = (Math.min(i, j) * (n + 1 - Math.max(i, j))) / (n + 1);
        f += 0.25 * alpha * rho[i - 1]! * green * rho[j - 1]!;
      }
    }
    expect(Math.abs(noeig(E, { n, p, alpha }).objective.f(X) - f)).toBeLessThan(1e-13 * f);
  });

  test("a minimum spans the lowest eigenvectors of its own Hamiltonian H(ρ) = L + α·Diag(L⁻¹ρ)", async () => {
    const E = jsEngine();
    const [n, p, alpha] = [12, 2, 1];
    const { X } = await minimize(noeig(E, { n, p, alpha }).objective, { on: stiefel(n, p), engine: E, tol: 1e-10 });
    const rho = Float64Array.from({ length: n }, (_, i) => X.data[i * p]! ** 2 + X.data[i * p + 1]! ** 2);
    const H = E.small(n, n);
    for (let i = 0; i < n; i++) {
      if (i > 0) H.data[i * n + i - 1] = H.data[(i - 1) * n + i] = -1;
      const green = (j: number) => ((Math.min(i, j) + 1) * (n - Math.max(i, j))) / (n + 1);
      H.data[i * n + i] = 2 + alpha * rho.reduce((sum, r, j) => sum + green(j) * r, 0);
    }
    const lowest = eigh(E, H).vectors;
    const inner = E.small(p, n);
    E.tmul(inner, smallOf(E, X), lowest);
    // XXᵀ = VVᵀ for the p lowest: nothing of X lies along the others
    const beside = inner.data.filter((_, k) => k % n >= p);
    expect(Math.hypot(...beside)).toBeLessThan(1e-8);
  });

  test("bad options are one sentence", () => {
    const E = jsEngine();
    expect(() => noeig(E, { n: 3, p: 4 })).toThrow(/p = 4 is above n = 3/);
    expect(() => noeig(E, { n: 3, p: 0 })).toThrow(/p is 0/);
    expect(() => noeig(E, { n: 2.5, p: 1 })).toThrow(/n is 2\.5/);
    expect(() => noeig(E, { n: 3, p: 1, alpha: Number.NaN })).toThrow(/alpha is NaN/);
  });
});
