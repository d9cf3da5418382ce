import { expect, test } from "vitest";
import { euclidean } from "../../src/geometry/euclidean.js";
import { lbfgs } from "../../src/solvers/lbfgs.js";
import { lbfgsMemory } from "../../src/solvers/lbfgs-memory.js";
import { trialRay } from "../../src/solvers/ray.js";
import type { Matrix } from "../../src/types.js";
import { js as E, normal, rayleigh } from "../functions.js";

/** Pairs (s, y = As) of a positive definite A, and the two-loop recursion as the definition of H·g. */
function pairsOf(count: number) {
  const Q = normal(E, 10, 10, 1);
  const A = E.matrix(10, 10);
  E.gram(A, Q);
  E.addDiagonal(A, 0.5);
  return Array.from({ length: count }, (_, i) => {
    const s = normal(E, 10, 1, 20 + i);
    const y = E.matrix(10, 1);
    E.apply(y, A, s);
    return { s, y };
  });
}

function twoLoop(pairs: { s: Matrix; y: Matrix }[], g: Matrix): Matrix {
  const q = E.from(g);
  const alphas: number[] = [];
  for (const { s, y } of [...pairs].reverse()) {
    const a = E.dot(s, q) / E.dot(s, y);
    alphas.unshift(a);
    E.axpby(q, -a, y, 1);
  }
  const { s, y } = pairs.at(-1)!;
  const r = E.matrix(10, 1);
  E.axpby(r, E.dot(s, y) / E.dot(y, y), q, 0);
  pairs.forEach(({ s, y }, i) => {
    E.axpby(r, alphas[i]! - E.dot(y, r) / E.dot(s, y), s, 1);
  });
  return r;
}

test.each([1, 3, 4, 5, 9])("the compact form equals the two-loop recursion with %i pairs and room for 4", (count) => {
  const memory = lbfgsMemory(E, 10, 1, 4);
  const pairs = pairsOf(count);
  const zero = E.matrix(10, 1);
  for (const { s, y } of pairs) {
    // s = t·D with t = 2, y = Gnew − Gold
    const D = E.matrix(10, 1);
    E.axpby(D, 0.5, s, 0);
    expect(memory.update(2, D, y, zero, 0)).toBe(true);
  }
  expect(memory.size).toBe(Math.min(4, count));
  const [g, d] = [normal(E, 10, 1, 99), E.matrix(10, 1)];
  memory.direction(d, g);
  const expected = twoLoop(pairs.slice(-4), g);
  E.axpby(d, 1, expected, 1);
  expect(Math.sqrt(E.dot(d, d))).toBeLessThan(1e-11 * Math.sqrt(E.dot(expected, expected)));
});

test("along a run, where products come from differences of gradients, it is the two-loop recursion still", () => {
  const [{ s: x }] = pairsOf(1) as [{ s: Matrix; y: Matrix }];
  const A = E.matrix(10, 10);
  E.gram(A, normal(E, 10, 10, 1));
  E.addDiagonal(A, 0.5);
  const memory = lbfgsMemory(E, 10, 1, 3);
  const pairs: { s: Matrix; y: Matrix }[] = [];
  let [g, gnew] = [E.matrix(10, 1), E.matrix(10, 1)];
  const d = E.matrix(10, 1);
  E.apply(g, A, x);
  for (let k = 0; k < 9; k++) {
    memory.direction(d, g);
    if (pairs.length > 0) {
      const expected = twoLoop(pairs.slice(-3), g);
      E.axpby(expected, 1, d, 1);
      expect(Math.sqrt(E.dot(expected, expected))).toBeLessThan(1e-9 * Math.sqrt(E.dot(d, d)));
    }
    const t = 0.3 + 0.1 * k;
    E.axpby(x, t, d, 1);
    E.apply(gnew, A, x);
    const [s, y] = [E.matrix(10, 1), E.matrix(10, 1)];
    E.axpby(s, t, d, 0);
    E.combine(y, 1, gnew, -1, g);
    pairs.push({ s, y });
    expect(memory.update(t, d, gnew, g, 0)).toBe(true);
    [g, gnew] = [gnew, g];
  }
});

test("a pair with curvature below the threshold is not stored and disturbs nothing", () => {
  const memory = lbfgsMemory(E, 10, 1, 2);
  const zero = E.matrix(10, 1);
  for (const { s, y } of pairsOf(2)) memory.update(1, s, y, zero, 0);
  const [g, before, after] = [normal(E, 10, 1, 99), E.matrix(10, 1), E.matrix(10, 1)];
  memory.direction(before, g);
  const { s, y } = pairsOf(3)[2]!;
  expect(memory.update(1, s, zero, y, 0)).toBe(false);
  memory.direction(after, g);
  expect([...after.data]).toEqual([...before.data]);
});

test("superlinear on a quadratic once the memory covers it; makes no matrix after its first step", () => {
  const Q = normal(E, 6, 6, 1);
  const A = E.matrix(6, 6);
  E.gram(A, Q);
  E.addDiagonal(A, 1);
  const f = rayleigh(E, A, 1);
  const steps = lbfgs(E, 6, 1, { memory: 8 })(trialRay(E, f, euclidean(E), normal(E, 6, 1, 2)));
  steps.next();
  steps.next();
  const { matrices } = E.counters;
  let last = { k: 0, gnorm: 1 };
  for (const s of steps) {
    last = s;
    if (s.gnorm < 1e-12 || s.k > 60) break;
  }
  expect(last.k).toBeLessThan(40);
  expect(last.gnorm).toBeLessThan(1e-12);
  expect(E.counters.matrices).toBe(matrices);
});
