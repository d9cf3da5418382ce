/** The bound for missed eigenvectors: its identity for known eigenvectors, after restarts, and its separator. */

import type { Tall } from "@expen/linalg";
import { random } from "@expen/linalg";
import { orthonormalizer } from "@expen/linalg/dense";
import { jsEngine } from "@expen/linalg/engine";
import { expect, test } from "vitest";
import { krylovBasis } from "../src/krylov/basis.js";
import { missBound, separator } from "../src/krylov/miss-bound.js";
import { columnsOf, projection, residualNorms } from "../src/krylov/projection.js";

test("Q₀ᵀU = M·QᵀU for the eigenvectors U of a double eigenvalue, in a space that was restarted twice", () => {
  const E = jsEngine();
  const [n, b, most, kept] = [120, 2, 16, 6];
  // μ has multiplicity two, in rows 3 and 40
  const mu = 0.4037;
  const spectrum = Float64Array.from({ length: n }, (_, i) => (i === 3 || i === 40 ? mu : i / n));
  const D = E.tall(n, 1, spectrum);
  const U = (Q: Tall): number => {
    const q = E.read(Q);
    return q[3 * b]! * q[40 * b + 1]! - q[3 * b + 1]! * q[40 * b]!;
  };
  const basis = krylovBasis(E, n, b, 8);
  const T = projection(E, most, b);
  const [Y, Q0, h, r] = [E.tall(n, b), E.tall(n, b), new Float64Array(most * b), new Float64Array(b * b)];
  E.write(Y, random(1, "block").normal);
  orthonormalizer(E, n, b)(Q0, Y);
  const bound = missBound(n, b, 0, mu);
  basis.append(Q0);
  const began = U(Q0);
  let W = Q0;
  for (let space = 0; space < 3; space++) {
    for (;;) {
      E.scaleRows(Y, D, W);
      W = basis.orthogonalize(h, r, Y);
      T.extend(h, b);
      if (basis.size + b > most) break;
      basis.append(W);
    }
    const pairs = T.ritzPairs();
    const ritz = { ...pairs, r, residual: residualNorms(pairs, r, b) };
    const missed = bound.probability(ritz);
    // n/2·|det M| for b = 2
    expect(missed / ((n / 2) * Math.abs(began / U(W)))).toBeCloseTo(1, 8);
    const chosen = Array.from({ length: kept }, (_, j) => j);
    bound.restart(ritz, chosen);
    basis.rotate(columnsOf(ritz.s, basis.size, chosen), kept);
    T.restart(chosen.map((j) => ritz.theta[j]!));
    basis.append(W);
  }
});

test("the separator is below the last wanted value, further copies of which do not matter", () => {
  const values = Float64Array.of(0, 1, 3, 3, 3, 4);
  expect(separator(values, 4, 1e-3)).toBe(2);
  expect(separator(values, 2, 1e-3)).toBe(0.5);
  // all together: half the way to the next
  expect(separator(Float64Array.of(1, 1, 1, 5), 2, 1e-3)).toBe(-1);
  expect(separator(Float64Array.of(1, 1), 2, 0.5)).toBe(0.75);
});
