/** R of B = RᵀR for dense, sparse and tridiagonal B. */

import type { Engine, Matrix, Sparse, Tall } from "@expen/linalg";
import { random } from "@expen/linalg";
import { constantTridiagonal, EPS, sparseFromTriplets } from "@expen/linalg/arrays";
import { jsEngine } from "@expen/linalg/engine";
import { opaque } from "@expen/testing/engines/opaque";
import { split } from "@expen/testing/engines/split";
import { describe, expect, test } from "vitest";
import { generalizedStiefel } from "../../src/manifolds/named.js";

const n = 40;

/** Definite by its diagonal, with entries in random places */
function sparse(): Sparse {
  const r = random(5, "places");
  const [i, j, values]: [number[], number[], number[]] = [[], [], []];
  const degree = new Float64Array(n);
  for (let k = 0; k < 2 * n; k++) {
    const [a, b] = [Math.floor(r.uniform() * n), Math.floor(r.uniform() * n)];
    if (a === b) continue;
    i.push(a, b);
    j.push(b, a);
    values.push(-1, -1);
    degree[a]! += 1;
    degree[b]! += 1;
  }
  for (let a = 0; a < n; a++) {
    i.push(a);
    j.push(a);
    values.push(degree[a]! + 0.01);
  }
  return sparseFromTriplets(n, n, i, j, values);
}

function dense(): Matrix {
  const E = jsEngine();
  const [G, S] = [E.small(2 * n, n), E.small(n, n)];
  E.write(G, random(1, "dense").normal);
  E.gram(S, G);
  return { rows: n, cols: n, data: E.read(S) };
}

const ENGINES: [string, () => Engine][] = [
  ["js", jsEngine],
  ["opaque", () => opaque(jsEngine())],
  ["split", () => split(jsEngine())],
];
const METRICS = { dense: dense(), sparse: sparse(), tridiagonal: constantTridiagonal(n, -1, 2, -1) };

describe.each(ENGINES)("on %s", (_, engine) => {
  test.each(Object.entries(METRICS))("%s: RᵀRX = BX, and `solve` and `solveT` undo `apply` and `applyT`", (_, B) => {
    const E = engine();
    const p = 3;
    const { operator, factor: R } = generalizedStiefel(B, p).bind(E).on.traits.metric!;
    const [X, Y, Z, BX] = Array.from({ length: 4 }, () => E.tall(n, p)) as [Tall, Tall, Tall, Tall];
    E.write(X, random(3, "X").normal);
    const size = Math.sqrt(E.dot(X, X));
    operator!.apply(BX, X);
    R!.apply(Z, X);
    R!.applyT(Y, Z);
    const norm = Math.sqrt(E.dot(BX, BX));
    expect(distance(Y, BX)).toBeLessThan(10 * EPS * n * norm);
    // the condition of R is the root of that of B, at most some thousands
    R!.solve(Y, Z);
    expect(distance(Y, X)).toBeLessThan(1e4 * EPS * n * size);
    R!.applyT(Z, X);
    R!.solveT(Y, Z);
    expect(distance(Y, X)).toBeLessThan(1e4 * EPS * n * size);

    function distance(A: Tall, C: Tall): number {
      E.combine(A, 1, A, -1, C);
      return Math.sqrt(E.dot(A, A));
    }
  });
});

test("a dense factor of many rows is solved with by substitution, as with its inverse", () => {
  const [E, m] = [jsEngine(), 150];
  const { normal } = random(4, "large");
  const [G, S] = [E.small(2 * m, m), E.small(m, m)];
  E.write(G, normal);
  E.gram(S, G);
  const R = generalizedStiefel({ rows: m, cols: m, data: E.read(S) }, 1).bind(E).on.traits.metric!.factor!;
  // one column is substituted, two are multiplied with R⁻¹
  const [z, x] = [E.tall(m, 1), E.tall(m, 1)];
  const [Z, X] = [E.tall(m, 2), E.tall(m, 2)];
  E.write(z, normal);
  E.write(
    Z,
    Float64Array.from({ length: 2 * m }, (_, k) => E.read(z)[k >> 1]!),
  );
  for (const solve of [R.solve, R.solveT]) {
    solve(x, z);
    solve(X, Z);
    const [one, both] = [E.read(x), E.read(X)];
    for (let i = 0; i < m; i++) expect(both[2 * i]! - one[i]!).toBeCloseTo(0, 12);
  }
});

test("a tridiagonal B is refused with the entry or the pivot", () => {
  const bind = (B: Parameters<typeof generalizedStiefel>[0]) => () => generalizedStiefel(B, 2).bind(jsEngine());
  expect(bind(constantTridiagonal(5, -1, 2, -2))).toThrow(/not symmetric: \(1, 0\) is -1.00 and \(0, 1\) is -2.00/);
  expect(bind(constantTridiagonal(5, -1, 1, -1))).toThrow(/not positive definite: the pivot of row 1 .* is 0/);
  expect(bind(constantTridiagonal(5, -1, Number.NaN, -1))).toThrow(/an entry of B is NaN; every entry must be finite/);
});

test("a sparse B whose factor has many times its numbers is taken by its action", () => {
  // random places: L fills up
  const r = random(9, "fill");
  const size = 2000;
  const [i, j, values]: [number[], number[], number[]] = [[], [], []];
  for (let k = 0; k < 8 * size; k++) {
    const [a, b] = [Math.floor(r.uniform() * size), Math.floor(r.uniform() * size)];
    i.push(a, b);
    j.push(b, a);
    values.push(-1, -1);
  }
  for (let a = 0; a < size; a++) {
    i.push(a);
    j.push(a);
    values.push(80);
  }
  const { metric } = generalizedStiefel(sparseFromTriplets(size, size, i, j, values), 2).bind(jsEngine()).on.traits;
  expect(metric!.operator).toBeDefined();
  expect(metric!.factor).toBeUndefined();
});
