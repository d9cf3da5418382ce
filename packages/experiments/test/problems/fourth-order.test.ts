import type { Matrix } from "@expen/linalg";
import { gaussian, random, unitSymmetric } from "@expen/linalg";
import { jsEngine } from "@expen/linalg/engine";
import { objectiveContract } from "@expen/testing/contracts/objective";
import { columns } from "@expen/testing/problems/eigenvectors";
import { describe, expect, test } from "vitest";
import { dictionary, sparseCombinations } from "../../src/problems/dictionary.js";
import { commonEigenvectors, jointdiag } from "../../src/problems/jointdiag.js";

/** The p columns of Q with the largest weights. */
function best(Q: Matrix, weights: Float64Array, p: number): Matrix {
  const order = Array.from(weights.keys()).sort((i, j) => weights[j]! - weights[i]!);
  return columns(order.slice(0, p).map((k) => Array.from({ length: Q.rows }, (_, i) => Q.data[i * Q.cols + k]!)));
}

for (const [n, p] of [
  [9, 3],
  [5, 5],
] as const) {
  const joint = commonEigenvectors(n, 5, 1);
  objectiveContract(`jointdiag ${n}×${p}`, (E) => jointdiag(E, { n, p }), {
    minimiser: () => best(joint.Q, joint.strengths, p),
  });
  const words = sparseCombinations(n, 10 * n, 1, 1);
  objectiveContract(`dictionary of single atoms ${n}×${p}`, (E) => dictionary(E, { n, p, atoms: 1 }), {
    minimiser: () => best(words.Q, words.moments, p),
  });
}
objectiveContract("jointdiag with noise", (E) => jointdiag(E, { n: 8, p: 3, count: 2, noise: 0.1 }));
objectiveContract("jointdiag, given", (E) =>
  jointdiag(E, { n: 6, p: 2, A: [unitSymmetric(6, random(1)), unitSymmetric(6, random(2))] }),
);
objectiveContract("dictionary", (E) => dictionary(E, { n: 8, p: 3 }));
objectiveContract("dictionary, given", (E) => dictionary(E, { n: 6, p: 6, Y: gaussian(20, 6, random(3)) }));

describe("fourth-order problems", () => {
  test("one symmetric matrix, p = n: jointdiag's optimum is −½‖A‖²", () => {
    const { matrices } = commonEigenvectors(6, 1, 1);
    const square = matrices[0]!.data.reduce((sum, v) => sum + v * v, 0);
    expect(jointdiag(jsEngine(), { n: 6, p: 6, count: 1 }).optimum).toBeCloseTo(-0.5 * square, 12);
  });
  test("dictionary equals its definition", () => {
    const E = jsEngine();
    const Y = { rows: 2, cols: 2, data: Float64Array.of(1, 2, 3, 4) };
    const X = E.tall(2, 1, [1, -1]);
    expect(dictionary(E, { n: 2, p: 1, Y }).objective.f(X)).toBe(-(1 + 1) / 8);
  });
  test("samples have the required number of atoms", () => {
    const { Q, Y } = sparseCombinations(7, 30, 2, 5);
    for (let i = 0; i < 30; i++) {
      const used = Array.from({ length: 7 }, (_, k) => {
        let s = 0;
        for (let j = 0; j < 7; j++) s += Y.data[i * 7 + j]! * Q.data[j * 7 + k]!;
        return Math.abs(s) > 1e-12;
      });
      expect(used.filter(Boolean).length).toBe(2);
    }
  });
  test("bad options are one sentence", () => {
    const E = jsEngine();
    expect(() => jointdiag(E, { n: 4, p: 2, count: 0 })).toThrow(/count is 0/);
    expect(() => jointdiag(E, { n: 4, p: 2, A: [] })).toThrow(/empty list/);
    expect(() => jointdiag(E, { n: 4, p: 2, A: [gaussian(4, 4, random(1))] })).toThrow(/A\[0\] is not symmetric/);
    expect(() => dictionary(E, { n: 4, p: 2, atoms: 5 })).toThrow(/atoms is 5.*at most n = 4/);
  });
});
