/** Cuts of graphs and averages of rotations, against closed forms. */

import type { Matrix } from "@expen/linalg";
import { random } from "@expen/linalg";
import { jsEngine } from "@expen/linalg/engine";
import { ml, plain } from "@expen/testing/applications/support";
import * as apps from "expen/apps";
import { Matrix as Ml, SingularValueDecomposition } from "ml-matrix";
import { describe, expect, test } from "vitest";

const engine = jsEngine();
const matrix = (rows: number[][]): Matrix => plain(new Ml(rows));

describe("maximum cut", () => {
  const graph = (n: number, edges: readonly (readonly [number, number])[]): Matrix => {
    const W = Ml.zeros(n, n);
    for (const [i, j] of edges) {
      W.set(i, j, 1);
      W.set(j, i, 1);
    }
    return plain(W);
  };
  const ring = (n: number) => Array.from({ length: n }, (_, i) => [i, (i + 1) % n] as const);
  const petersen = [...ring(5), ...[0, 1, 2, 3, 4].flatMap((i) => [[i, i + 5], [5 + i, 5 + ((i + 2) % 5)]] as const)]; // biome-ignore format: edges
  const complete = [0, 1, 2, 3, 4, 5, 6].flatMap((i) => Array.from({ length: i }, (_, j) => [i, j] as const));

  // where all nodes are alike the relaxation is n/4·(degree − smallest eigenvalue)
  test.each([
    ["ring of 5", 5, ring(5), (5 * (1 + Math.cos(Math.PI / 5))) / 2, 4],
    ["ring of 9", 9, ring(9), (9 * (1 + Math.cos(Math.PI / 9))) / 2, 8],
    ["ring of 8", 8, ring(8), 8, 8],
    ["Petersen's graph", 10, petersen, 12.5, 12],
    ["complete graph of 7", 7, complete, 49 / 4, 12],
  ] as const)("%s: the relaxation in closed form, and the largest cut", async (_name, n, edges, relaxation, cut) => {
    const answer = await apps.maxCut(graph(n, edges), { tol: 1e-8, engine });
    expect(answer.relaxation).toBeCloseTo(relaxation, 9);
    expect(answer.gapBound).toBeLessThan(1e-6);
    expect(answer.bound).toBeGreaterThanOrEqual(relaxation - 1e-12);
    expect(answer.cut).toBe(cut);
    expect(edges.filter(([i, j]) => answer.sides[i] !== answer.sides[j])).toHaveLength(cut);
  });

  test("the bound holds after a run that was stopped at once", async () => {
    const answer = await apps.maxCut(graph(10, petersen), { maxIterations: 1, engine });
    expect(answer.relaxation).toBeLessThan(12.5);
    expect(answer.bound).toBeGreaterThan(12.5);
    await expect(apps.maxCut(matrix([[0, 1], [0, 0]]), { engine })).rejects.toThrow(/not symmetric at \(1, 0\)/); // biome-ignore format: a matrix
    await expect(apps.maxCut(matrix([[1]]), { engine })).rejects.toThrow(/node 0 has an edge to itself/);
  });
});

describe("averages of rotations", () => {
  /** about an axis, by Rodrigues' formula */
  function rotation(axis: readonly number[], angle: number): Ml {
    const size = Math.hypot(...axis);
    const [x, y, z] = axis.map((v) => v / size) as [number, number, number];
    const N = new Ml([[0, -z, y], [z, 0, -x], [-y, x, 0]]); // biome-ignore format: a matrix
    return Ml.eye(3)
      .add(Ml.mul(N, Math.sin(angle)))
      .add(N.mmul(N).mul(1 - Math.cos(angle)));
  }
  const r = random(7, "rotations");
  const turn = (most: number): Ml => rotation([r.normal(), r.normal(), r.normal()], most * r.uniform());
  const R = turn(3);

  test("chordal: the nearest rotation to the arithmetic mean, also where that is a reflection", async () => {
    for (const spread of [0.5, Math.PI]) {
      const all = Array.from({ length: 11 }, () => R.mmul(turn(spread)));
      const mean = all.reduce((sum, Q) => sum.add(Q), Ml.zeros(3, 3)).div(11);
      const { leftSingularVectors: U, rightSingularVectors: V } = new SingularValueDecomposition(mean);
      const sign = Math.sign(Math.round(det(U) * det(V)));
      const expected = U.mmul(Ml.diag([1, 1, sign])).mmul(V.transpose());
      const answer = await apps.meanRotation(all.map(plain), { tol: 1e-10, engine });
      expect(ml(answer.rotation).sub(expected).norm("frobenius")).toBeLessThan(1e-7);
      expect(det(ml(answer.rotation))).toBeCloseTo(1, 12);
      expect(answer.distances[0]).toBeCloseTo(ml(answer.rotation).sub(all[0]!).norm("frobenius"), 10);
    }
  });

  test("geodesic: for rotations about one axis the mean angle, unlike the chordal mean", async () => {
    const angles = [-0.4, 0.3, 1.9];
    const all = angles.map((angle) => plain(R.mmul(rotation([1, 2, 3], angle))));
    const expected = R.mmul(rotation([1, 2, 3], 0.6));
    const geodesic = await apps.meanRotation(all, { kind: "geodesic", tol: 1e-10, engine });
    expect(ml(geodesic.rotation).sub(expected).norm("frobenius")).toBeLessThan(1e-8);
    const chordal = await apps.meanRotation(all, { engine });
    expect(ml(chordal.rotation).sub(expected).norm("frobenius")).toBeGreaterThan(0.01);
  });

  test("median: four outliers in ten hardly move it", async () => {
    const good = Array.from({ length: 12 }, () => R.mmul(turn(0.02)));
    const bad = Array.from({ length: 8 }, () => R.mmul(rotation([1, 0, 0], 1.5 + 0.1 * r.normal())));
    const all = [...good, ...bad].map(plain);
    const { rotation: median } = await apps.meanRotation(all, { kind: "median", engine });
    expect(ml(median).sub(R).norm("frobenius")).toBeLessThan(0.05);
    const { rotation: mean } = await apps.meanRotation(all, { engine });
    expect(ml(mean).sub(R).norm("frobenius")).toBeGreaterThan(0.3);
  });

  test("matrices that are no rotations, and angles for n ≠ 3, are refused", async () => {
    await expect(apps.meanRotation([plain(Ml.diag([1, 1, -1]))], { engine })).rejects.toThrow(
      /matrix 1 is no rotation/,
    );
    await expect(apps.meanRotation([plain(Ml.eye(2))], { kind: "geodesic", engine })).rejects.toThrow(/these are 2×2/);
    await expect(apps.meanRotation([], { engine })).rejects.toThrow(/there are no rotations/);
  });
});

const det = (M: Ml): number => {
  const [[a, b, c], [d, e, f], [g, h, i]] = M.to2DArray() as [number[], number[], number[]];
  return a! * (e! * i! - f! * h!) - b! * (d! * i! - f! * g!) + c! * (d! * h! - e! * g!);
};
