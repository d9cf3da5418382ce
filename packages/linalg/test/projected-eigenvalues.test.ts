import { randomStart } from "@expen/core";
import { opaque } from "@expen/testing/engines/opaque";
import { split } from "@expen/testing/engines/split";
import { expect, test } from "vitest";
import { complementOf } from "../src/arrays/complement.js";
import type { Tall } from "../src/contracts/matrix.js";
import { norm } from "../src/dense/norm.js";
import { projectedEnds } from "../src/dense/projected-eigenvalues.js";
import { eigenvalues } from "../src/dense/symmetric-eigenvalues.js";
import { jsEngine } from "../src/engine/js.js";
import { random } from "../src/random.js";

const engines = [jsEngine(), opaque(jsEngine()), split(jsEngine())];
const normals = (count: number, seed: number): Float64Array => {
  const r = random(seed, "normals");
  return Float64Array.from({ length: count }, () => r.normal());
};

test.each([
  [7, 0],
  [7, 3],
  [40, 20],
  [40, 39],
])("the last columns of Q span the complement of a range, m = %i, q = %i", (m, q) => {
  const E = engines[0]!;
  const U = E.read(randomStart(E, m, Math.max(q, 1), 1));
  const T = new Float64Array(m * m);
  for (let i = 0; i < m; i++)
    for (let j = 0; j < m; j++) for (let k = 0; k < q; k++) T[i * m + j]! += U[i * q + k]! * U[j * q + k]!;
  const { embed, coordinates } = complementOf(T, m, q);
  for (let c = q; c < m; c++) {
    const z = new Float64Array(m);
    z[c] = 1;
    embed(z);
    for (let k = 0; k < q; k++) {
      expect(Math.abs(z.reduce((sum, v, i) => sum + v * U[i * q + k]!, 0))).toBeLessThan(1e-13);
    }
    coordinates(z);
    z.forEach((v, i) => void expect(Math.abs(v - (i === c ? 1 : 0))).toBeLessThan(1e-13));
  }
});

test.each(engines)("the ends of the spectrum on the tangent space, with the vector of the lowest ($name)", (E) => {
  for (const [n, p] of [
    [6, 1],
    [6, 3],
    [5, 5],
    [2, 2],
  ] as const) {
    const X = randomStart(E, n, p, 3);
    const A = E.small(n, n, normals(n * n, n));
    E.symmetrize(A);
    const S = E.small(p, p);
    const project = (Z: Tall): void => {
      E.tmul(S, X, Z);
      E.symmetrize(S);
      E.mul(Z, X, S, -1, 1);
    };
    const { apply } = E.operator({ rows: n, cols: n, data: E.read(A) });
    const N = n * p - (p * (p + 1)) / 2;
    const { lowest: ends, vector } = projectedEnds(E, n, p, (Y, D) => apply(Y, D), project, N);
    // the normal space goes to 100
    const K = new Float64Array((n * p) ** 2);
    const [D, H] = [E.tall(n, p), E.tall(n, p)];
    for (let k = 0; k < n * p; k++) {
      E.write(
        D,
        Float64Array.from({ length: n * p }, (_, i) => (i === k ? 1 : 0)),
      );
      project(D);
      apply(H, D);
      project(H);
      const [h, d] = [E.read(H), E.read(D)];
      for (let i = 0; i < n * p; i++) K[i * n * p + k] = h[i]! + 100 * ((i === k ? 1 : 0) - d[i]!);
    }
    const all = eigenvalues(E, E.small(n * p, n * p, K));
    expect(Math.abs(ends.value - all[0]!)).toBeLessThan(1e-12);
    expect(Math.abs(ends.highest - all[N - 1]!)).toBeLessThan(1e-12);
    expect(ends.asymmetry).toBeLessThan(1e-13);
    const V = E.tall(n, p);
    vector(V);
    apply(H, V);
    project(H);
    E.combine(H, 1, H, -ends.value, V);
    expect(norm(E, V)).toBeCloseTo(1, 12);
    expect(norm(E, H)).toBeLessThan(1e-11);
  }
});

test.each(engines)("the norm of numbers without squares, of which none are taken for 0 or infinity ($name)", (E) => {
  const numbers = normals(15, 2);
  const length = Math.hypot(...numbers);
  for (const scale of [1, 2 ** -470, 2 ** -548, 2 ** -900, 2 ** 510, 2 ** 548, 2 ** 1000]) {
    for (const kind of ["tall", "small"] as const) {
      const A = E[kind](
        5,
        3,
        numbers.map((v) => scale * v),
      );
      expect(Math.abs(norm(E, A) / scale - length)).toBeLessThan(1e-14 * length);
    }
  }
  expect(norm(E, E.tall(4, 2))).toBe(0);
  expect(norm(E, E.tall(1, 1, [Number.NaN]))).toBeNaN();
  expect(norm(E, E.tall(1, 1, [Number.POSITIVE_INFINITY]))).toBe(Number.POSITIVE_INFINITY);
});
