/** Applications on unitary matrices, unit columns and rotations, against closed forms. */
import { Matrix as Ml, SingularValueDecomposition } from "ml-matrix";
import { describe, expect, test } from "vitest";
import { jsEngine } from "../../src/engines/js.js";
import * as apps from "../../src/entries/apps.js";
import { random } from "../../src/random.js";
import type { Matrix } from "../../src/types.js";
import { ml, normal, orthogonal, plain } from "./support.js";

const engine = jsEngine();
const matrix = (rows: number[][]): Matrix => plain(new Ml(rows));
const kron = (A: Ml, B: Ml): Ml => A.kroneckerProduct(B);
const zero = (n: number): Matrix => plain(Ml.zeros(n, n));

/** [[Re, −Im], [Im, Re]]: products of these are those of complex matrices */
function realForm({ re, im }: { re: Matrix; im: Matrix }): Ml {
  const [A, B] = [ml(re), ml(im)];
  const M = Ml.zeros(2 * A.rows, 2 * A.columns);
  M.setSubMatrix(A, 0, 0);
  M.setSubMatrix(A, A.rows, A.columns);
  M.setSubMatrix(B, A.rows, 0);
  M.setSubMatrix(Ml.mul(B, -1), 0, A.columns);
  return M;
}

describe("nearest unitary matrix", () => {
  test.each([
    [4, 4],
    [7, 3],
  ])("%d×%d: the polar factor, of the real matrix with twice the rows", async (n, p) => {
    // biome-ignore format: one a line
    const Z = { re: plain(normal(n, p, 1)), im: plain(normal(n, p, 2)) };
    const { unitary, distance, run } = await apps.nearestUnitary(Z, { tol: 1e-10, engine });
    const {
      leftSingularVectors: U,
      rightSingularVectors: V,
      diagonal: s,
    } = new SingularValueDecomposition(realForm(Z));
    expect(realForm(unitary).sub(U.mmul(V.transpose())).norm("frobenius")).toBeLessThan(1e-8);
    // every singular value is there twice
    expect(distance ** 2).toBeCloseTo(s.reduce((sum, v) => sum + (v - 1) ** 2, 0) / 2, 10);
    expect(run.certificate.level).toBe("second-order");
  });
});

describe("gate synthesis", () => {
  const gates: Record<string, { re: Matrix; im: Matrix; cnots: number }> = {
    // the numbers of CNOTs that are needed: Vidal and Dawson 2004
    "a gate on each qubit": {
      re: plain(kron(orthogonal(2, 2, 1), orthogonal(2, 2, 2))),
      im: zero(4),
      cnots: 0,
    },
    "controlled Z": { re: plain(Ml.diag([1, 1, 1, -1])), im: zero(4), cnots: 1 },
    "controlled phase": { re: plain(Ml.diag([1, 1, 1, 0])), im: plain(Ml.diag([0, 0, 0, 1])), cnots: 2 },
    swap: { re: matrix([[1, 0, 0, 0], [0, 0, 1, 0], [0, 1, 0, 0], [0, 0, 0, 1]]), im: zero(4), cnots: 3 }, // biome-ignore format: one a line
  };

  test.each(Object.entries(gates))("%s: fidelity 1, and less with fewer CNOTs", async (_name, { re, im, cnots }) => {
    const answer = await apps.gateSynthesis({ re, im }, { cnots, tol: 1e-8, engine });
    expect(1 - answer.fidelity).toBeLessThan(1e-12);
    // the circuit multiplied out is the gate, up to a phase
    const C = realForm({ re: matrix([[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 1], [0, 0, 1, 0]]), im: zero(4) }); // biome-ignore format: a matrix
    const layer = ({ A, B }: (typeof answer.gates)[number]): Ml =>
      realForm({
        re: plain(kron(ml(A.re), ml(B.re)).sub(kron(ml(A.im), ml(B.im)))),
        im: plain(kron(ml(A.re), ml(B.im)).add(kron(ml(A.im), ml(B.re)))),
      });
    const circuit = answer.gates.slice(1).reduce((V, gate) => V.mmul(C).mmul(layer(gate)), layer(answer.gates[0]!));
    const overlap = realForm({ re, im }).transpose().mmul(circuit);
    const [a, b] = [overlap.get(0, 0), overlap.get(4, 0)];
    const phase = realForm({ re: plain(Ml.eye(4).mul(a)), im: plain(Ml.eye(4).mul(b)) });
    expect(overlap.sub(phase).norm("frobenius")).toBeLessThan(1e-6);
    if (cnots === 0) return;
    const fewer = await apps.gateSynthesis({ re, im }, { cnots: cnots - 1, starts: 3, engine });
    expect(fewer.fidelity).toBeLessThan(0.9);
  });

  test("swap without a CNOT: the largest fidelity, 1/4", async () => {
    const { re, im } = gates.swap!;
    const answer = await apps.gateSynthesis({ re, im }, { cnots: 0, starts: 3, tol: 1e-8, engine });
    expect(answer.fidelity).toBeCloseTo(0.25, 10);
    await expect(apps.gateSynthesis({ re: plain(Ml.ones(4, 4)), im }, { engine })).rejects.toThrow(/is not unitary/);
  });
});

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

  test("the bound is one: a run that was stopped at once", async () => {
    const answer = await apps.maxCut(graph(10, petersen), { maxIterations: 1, engine });
    expect(answer.relaxation).toBeLessThan(12.5);
    expect(answer.bound).toBeGreaterThan(12.5);
    await expect(apps.maxCut(matrix([[0, 1], [0, 0]]), { engine })).rejects.toThrow(/not symmetric at \(1, 0\)/); // biome-ignore format: a matrix
    await expect(apps.maxCut(matrix([[1]]), { engine })).rejects.toThrow(/node 0 has an edge to itself/);
  });
});

test("unit-norm dictionary: more atoms than dimensions, found from sparse combinations", async () => {
  const [n, k, m] = [6, 8, 400];
  const D = normal(n, k, 5);
  for (let j = 0; j < k; j++) D.mulColumn(j, 1 / D.getColumnVector(j).norm("frobenius"));
  const C = Ml.zeros(m, k);
  const r = random(6, "codes");
  for (let i = 0; i < m; i++) C.set(i, r.integer(k), r.normal() + Math.sign(r.normal()));
  const Y = plain(C.mmul(D.transpose()));
  const { atoms, relativeResidual, run } = await apps.unitDictionary(Y, { atoms: k, weight: 0.05, tol: 1e-4, engine });
  expect(run.status).toBe("converged");
  expect(relativeResidual).toBeLessThan(0.1);
  for (let j = 0; j < k; j++) expect(ml(atoms).getColumnVector(j).norm("frobenius")).toBeCloseTo(1, 12);
  const overlap = ml(atoms).transpose().mmul(D);
  const found = Array.from({ length: k }, (_, j) => Math.max(...overlap.getColumn(j).map(Math.abs)));
  expect(Math.min(...found)).toBeGreaterThan(0.999);
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

  test("geodesic: angles about one axis have their mean, which the chordal one has not", async () => {
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

  test("what is no rotation, and angles of other dimensions, are refused", async () => {
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
