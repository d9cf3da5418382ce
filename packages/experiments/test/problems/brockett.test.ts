import type { Matrix } from "@expen/linalg";
import { fillNormal, gaussian, plain, random, unitSymmetric } from "@expen/linalg";
import { sparseFromTriplets, sparseToDense } from "@expen/linalg/arrays";
import { jsEngine } from "@expen/linalg/engine";
import { objectiveContract } from "@expen/testing/contracts/objective";
import { columns, eigen } from "@expen/testing/problems/eigenvectors";
import { describe, expect, test } from "vitest";
import { brockett } from "../../src/paper/brockett.js";

/** X = [b-eigenvectors by the pairing rule]·[c-eigenvectors]ᵀ */
function paired(B: Matrix, C: Matrix): Matrix {
  const [b, c] = [eigen(B), eigen(C)];
  const [n, p] = [B.rows, C.rows];
  const negative = c.values.filter((v) => v < 0).length;
  const X = plain(n, p);
  for (let k = 0; k < p; k++) {
    const u = b.vector(k < negative ? n - 1 - k : p - 1 - k);
    const v = c.vector(k);
    for (let i = 0; i < n; i++) for (let j = 0; j < p; j++) X.data[i * p + j]! += u[i]! * v[j]!;
  }
  return X;
}

const [n, p, seed] = [17, 5, 4];
const B = unitSymmetric(n, random(seed, "brockett B"));
const C = unitSymmetric(p, random(seed, "brockett C"));
const path = sparseFromTriplets(
  n,
  n,
  Array.from({ length: 2 * (n - 1) }, (_, k) => (k % 2 ? k >> 1 : (k >> 1) + 1)),
  Array.from({ length: 2 * (n - 1) }, (_, k) => (k % 2 ? (k >> 1) + 1 : k >> 1)),
  new Float64Array(2 * (n - 1)).fill(-1),
);

objectiveContract("brockett", (E) => brockett(E, { n, p, seed }), { minimiser: () => paired(B, C) });
objectiveContract("brockett, p = n", (E) => brockett(E, { n: 6, p: 6, seed: 2 }), {
  minimiser: () => paired(unitSymmetric(6, random(2, "brockett B")), unitSymmetric(6, random(2, "brockett C"))),
});
objectiveContract("brockett, p = 1", (E) => brockett(E, { n: 8, p: 1 }));
objectiveContract("brockett, sparse B", (E) => brockett(E, { n, p: 2, B: path, C: columns([[3, 0], [0, 1]]) }), {
  minimiser: () => paired(sparseToDense(path), columns([[3, 0], [0, 1]])),
}); // biome-ignore format: matrices in rows

describe("(4.4), brockett", () => {
  test("the instance has unit spectral norms and the same bits on every call", () => {
    for (const S of [B, C]) {
      const { values } = eigen(S);
      expect(Math.abs(Math.max(-values[0]!, values.at(-1)!) - 1)).toBeLessThan(4e-15);
    }
    expect(unitSymmetric(n, random(seed, "brockett B")).data).toEqual(B.data);
  });

  test("sparse and dense B agree", () => {
    const E = jsEngine();
    const X = E.tall(n, p);
    fillNormal(X, random(1));
    const s = brockett(E, { n, p, B: path });
    const d = brockett(E, { n, p, B: sparseToDense(path) });
    expect(s.objective.f(X)).toBeCloseTo(d.objective.f(X), 13);
    expect(s.optimum).toBe(d.optimum);
  });

  test("a large sparse B is solved without the closed form, which would take minutes", () => {
    const E = jsEngine();
    const [large, i] = [100_000, Array.from({ length: 100_000 }, (_, k) => k)];
    const problem = brockett(E, { n: large, p: 1, B: sparseFromTriplets(large, large, i, i, i), C: columns([[2]]) });
    const X = E.tall(large, 1);
    X.data[7] = 1;
    expect(problem.objective.f(X)).toBe(7);
    expect(problem.optimum).toBeUndefined();
  });

  test("refuses matrices that are not symmetric or have wrong sizes", () => {
    const E = jsEngine();
    expect(() => brockett(E, { n, p, B: gaussian(n, n, random(1)) })).toThrow(/B is not symmetric/);
    expect(() => brockett(E, { n, p, C: plain(4, 4) })).toThrow(/C is 4×4 but must be 5×5/);
  });
});
