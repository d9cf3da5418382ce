import { describe, expect, test } from "vitest";
import { LineQuadratics } from "../../src/solvers/line-quadratics.js";
import { randomStart } from "../../src/start.js";
import type { Matrix, Ray } from "../../src/types.js";
import { js as E, normal } from "../functions.js";

const EPS = 2 ** -52;
const norm = (A: Matrix): number => Math.sqrt(E.dot(A, A));
const [n, p] = [40, 6];
const X = randomStart(E, n, p, 1);
const K = E.matrix(p, p);
E.gram(K, X);
E.addDiagonal(K, -1);

/** K₁ and K₂ of the line along D, with K changed by e */
function coefficients(D: Matrix, e?: Matrix) {
  const line = new LineQuadratics(E);
  const [K1, K2, Kc, Z, changed] = [E.matrix(p, p), E.matrix(p, p), E.matrix(p, p), E.matrix(n, p), E.from(K)];
  if (e) E.axpby(changed, 1, e, 1);
  E.gram(K2, D);
  line.begin({ t: Number.NaN, max: 1, slope0: -1 } as Ray, D, 1);
  E.combine(Z, 1, X, line.c, D);
  E.gram(Kc, Z);
  E.addDiagonal(Kc, -1);
  line.linear(K1, Kc, changed, K2);
  return { line, K1, K2, K: changed };
}

function direction(size: number): Matrix {
  const D = normal(E, n, p, 2);
  E.axpby(D, 0, X, size / norm(D));
  return D;
}

describe.each([1e-12, 1e-3, 1, 1e5])("along a D of norm %d", (size) => {
  const D = direction(size);

  test("K₁ has the digits of the product XᵀD", () => {
    const { K1 } = coefficients(D);
    const direct = E.matrix(p, p);
    E.tmul(direct, X, D, 2);
    E.symmetrize(direct);
    E.axpby(direct, -1, K1, 1);
    expect(norm(direct)).toBeLessThan(20 * EPS * norm(X) * size);
  });

  test("K(t) is the Gram matrix of X + tD", () => {
    const { line, K1, K2 } = coefficients(D);
    const [Kt, Z, gram] = [E.matrix(p, p), E.matrix(n, p), E.matrix(p, p)];
    const t = { value: 0.7 / size };
    line.at(Kt, t, K, K1, K2);
    E.combine(Z, 1, X, t, D);
    E.gram(gram, Z);
    E.addDiagonal(gram, -1);
    E.axpby(gram, -1, Kt, 1);
    expect(norm(gram)).toBeLessThan(50 * EPS);
  });

  test("an error e of K becomes (1 − t/c)·e", () => {
    const e = normal(E, p, p, 3);
    E.symmetrize(e);
    E.axpby(e, 0, K, 1e-6 / norm(e));
    const [right, wrong] = [coefficients(D), coefficients(D, e)];
    const t = { value: 0.4 * right.line.c.value };
    const [a, b] = [E.matrix(p, p), E.matrix(p, p)];
    right.line.at(a, t, right.K, right.K1, right.K2);
    wrong.line.at(b, t, wrong.K, wrong.K1, wrong.K2);
    E.axpby(b, -1, a, 1);
    E.axpby(b, -0.6, e, 1);
    expect(norm(b)).toBeLessThan(1e-14);
  });
});

test("a direction of zeros does no harm", () => {
  const { K1 } = coefficients(E.matrix(n, p));
  expect(norm(K1)).toBeLessThan(20 * EPS);
});

describe("c", () => {
  const D = direction(0.5);
  const c = (t: number, max: number, slope0: number): number => {
    const line = new LineQuadratics(E);
    line.begin({ t, max, slope0 } as Ray, D, 100);
    return line.c.value;
  };
  const equal = Math.sqrt(p) / 0.5;

  test("is the first step as long as values of h tell it from 0", () => {
    expect(c(1e-3, 1, -1)).toBe(1e-3);
    expect(c(1e-3, 1e-4, -1)).toBe(1e-4);
  });

  test("is ‖X‖/‖D‖ where they do not, and where the line does not descend", () => {
    for (const [t, slope0] of [
      [1e-3, -1e-5],
      [1e-3, 1],
      [Number.NaN, -1],
    ] as const)
      expect(Math.abs(c(t, 1, slope0) / equal - 1)).toBeLessThan(1e-14);
  });
});

/** Steps t = ratio·c, K carried along; the largest difference to the Gram matrix and how often it was computed afresh */
function walk(ratio: (k: number) => number, steps: number, first: number) {
  const line = new LineQuadratics(E);
  const X = randomStart(E, n, p, 1);
  const [K1, K2, Kt, gram, Z] = [E.matrix(p, p), E.matrix(p, p), E.matrix(p, p), E.matrix(p, p), E.matrix(n, p)];
  const computed = (K: Matrix, X: Matrix): void => {
    E.gram(K, X);
    E.addDiagonal(K, -1);
  };
  const K = E.matrix(p, p);
  computed(K, X);
  line.accept();
  let [worst, afresh] = [0, 0];
  for (let k = 0; k < steps; k++) {
    // −2XK keeps X near the manifold
    const D = normal(E, n, p, k + 10);
    E.mul(D, X, K, -2, 1e-2);
    E.gram(K2, D);
    line.begin({ t: first, max: 1, slope0: -1 } as Ray, D, 1);
    E.combine(Z, 1, X, line.c, D);
    computed(Kt, Z);
    line.linear(K1, Kt, K, K2);
    const t = { value: ratio(k) * line.c.value };
    E.combine(Z, 1, X, t, D);
    if (t.value !== line.c.value) {
      if (line.precise(t.value, K2)) line.at(Kt, t, K, K1, K2);
      else {
        computed(Kt, Z);
        afresh++;
      }
    }
    line.accept();
    E.copy(X, Z);
    E.copy(K, Kt);
    computed(gram, X);
    E.axpby(gram, -1, K, 1);
    worst = Math.max(worst, norm(gram) / norm(X) ** 2);
  }
  return { worst, afresh };
}

describe("K carried from step to step", () => {
  test.each([
    ["always the first trial", () => 1, 0],
    ["half of it", () => 0.5, 0],
    ["twice", () => 2, 6],
    ["five times, where an error grows by 4 a step", () => 5, 100],
    ["now five times, now a fifth", (k: number) => (k % 2 ? 0.2 : 5), 100],
  ] as const)("keeps its digits: %s", (_name, ratio, most) => {
    const { worst, afresh } = walk(ratio, 200, 1e-3);
    expect(worst).toBeLessThan(100 * EPS);
    expect(afresh).toBeLessThanOrEqual(most);
  });

  test("and short steps on a line of equal parts add up", () => {
    const { worst, afresh } = walk(() => 1e-4, 300, Number.NaN);
    expect(worst).toBeLessThan(100 * EPS);
    expect(afresh).toBe(3);
  });
});
