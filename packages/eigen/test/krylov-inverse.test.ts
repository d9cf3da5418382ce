/** Eigenproblems by Krylov spaces of (B − σI)⁻¹: few solves, no missed eigenvectors, and detection of a wrong declared matrix */

import { quadraticObjective } from "@expen/core";
import type { Engine, Matrix, Sparse, Tall, Tridiagonal } from "@expen/linalg";
import { constantTridiagonal } from "@expen/linalg/arrays";
import { jsEngine } from "@expen/linalg/engine";
import { drain } from "@expen/testing/contracts/solver";
import { opaque } from "@expen/testing/engines/opaque";
import { grid, half, type Quadratic, run } from "@expen/testing/solvers/krylov";
import { describe, expect, test } from "vitest";

describe("in Krylov spaces of an inverse", () => {
  /** with the matrix of B, so that it may be factorized */
  function declared(E: Engine, p: number, matrix: Sparse | Tridiagonal, A: Matrix | Sparse | Tridiagonal = matrix) {
    const { apply, flops, rows } = E.operator(A);
    const form = { apply: (Y: Tall, X: Tall) => apply(Y, X), flops, matrix };
    return quadraticObjective(E, rows, p, form) as Quadratic;
  }
  const { A: large, values: all } = grid(15);

  test.each([
    ["js", jsEngine],
    ["opaque", () => opaque(jsEngine())],
  ] as [string, () => Engine][])("of a sparse B: few solves, nothing missed, what is said is so: %s", (_name, open) => {
    const E = open();
    const [p, tolerance] = [18, 1e-7];
    const f = declared(E, p, large);
    const { X, f: value, gnorm, notes } = run(E, f, tolerance);
    expect(gnorm).toBeLessThanOrEqual(tolerance);
    expect(Math.abs(value - half(all.slice(0, p)))).toBeLessThanOrEqual(1e-11);
    expect(notes!.sigma).toBeLessThan(all[0]!);
    expect(notes!.solves).toBeLessThanOrEqual(11 * p);
    const [G, S, K] = [E.tall(f.n, p), E.small(p, p), E.small(p, p)];
    f.fg(G, X);
    E.tmul(S, X, G);
    E.mul(G, X, S, -1, 1);
    expect(Math.abs(Math.sqrt(E.dot(G, G)) - gnorm)).toBeLessThanOrEqual(1e-12);
    E.gram(K, X);
    E.addDiagonal(K, -1);
    expect(Math.sqrt(E.dot(K, K))).toBeLessThanOrEqual(1e-12);
  });

  test("a tridiagonal B takes linear time, and the minimum is proved", async () => {
    const E = jsEngine();
    const [size, p] = [3000, 6];
    const result = await drain(E, declared(E, p, constantTridiagonal(size, -1, 2, -1)), { tol: 1e-8 });
    const lambda = Array.from({ length: p }, (_, k) => 4 * Math.sin(((k + 1) * Math.PI) / (2 * size + 2)) ** 2);
    expect(Math.abs(result.fval - half(lambda))).toBeLessThanOrEqual(1e-10);
    expect(result.notes.join()).toMatch(/Krylov spaces of \(B − σI\)⁻¹/);
    expect(result.certificate.level).toBe("global");
  });

  test("the largest eigenvalues, without a tight bound of the spectrum: Lanczos steps find a shift", () => {
    const E = jsEngine();
    const minus = { ...large, values: large.values.map((v) => -v) };
    const { f: value, notes } = run(E, declared(E, 18, minus), 1e-6);
    expect(Math.abs(value + half(all.slice(-18)))).toBeLessThanOrEqual(1e-9);
    expect(notes!.solves).toBeGreaterThan(0);
  });

  test("a declared matrix that differs from `apply` is detected, and the run continues with products with B", () => {
    const E = jsEngine();
    const { A: laplacian, values } = grid(9);
    const other = { ...laplacian, values: laplacian.values.map((v, k) => (v > 0 ? v + (k % 3) : v)) };
    const { f: value, gnorm } = run(E, declared(E, 3, other, laplacian), 1e-6);
    expect(gnorm).toBeLessThanOrEqual(1e-6);
    expect(Math.abs(value - half(values.slice(0, 3)))).toBeLessThanOrEqual(1e-9);
  });
});
