import { describe, expect, test } from "vitest";
import { LineQuadratics } from "../../src/solvers/line-quadratics.js";
import { randomStart } from "../../src/start.js";
import type { Matrix } from "../../src/types.js";
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
  const [K1, K2, Z, changed] = [E.matrix(p, p), E.matrix(p, p), E.matrix(n, p), E.from(K)];
  if (e) E.axpby(changed, 1, e, 1);
  E.gram(K2, D);
  line.begin(K2);
  E.combine(Z, 1, X, line.c, D);
  E.gram(K1, Z);
  E.addDiagonal(K1, -1);
  line.linear(K1, changed, K2);
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
