/** Flags: dimension, classes, and a second order that sees turns between the groups and none inside of them. */
import { random } from "@expen/linalg";
import { jsEngine } from "@expen/linalg/engine";
import { minimize } from "@expen/solvers";
import { add, type Expr, formula, inner, mul, scale, square, sum, t, trace } from "@expen/tape";
import { opaque } from "@expen/testing/engines/opaque";
import { split } from "@expen/testing/engines/split";
import { describe, expect, test } from "vitest";
import { flag } from "../../src/manifolds/flag.js";
import { product, sphere } from "../../src/manifolds/named.js";

const eigenvalues = [9, 8, 6, 5, 4, 2, 1];
const n = eigenvalues.length;
const diagonal = (numbers: readonly number[]): number[][] =>
  numbers.map((value, i) => numbers.map((_, j) => (i === j ? value : 0)));
/** −tr XᵀAXN with a weight for each group: −Σ weights·largest eigenvalues of A is the minimum */
const weighted = (weights: readonly number[]) =>
  formula((X: Expr) => scale(-1, trace(mul(t(X), diagonal(eigenvalues), X, diagonal(weights)))));
/** The unit vectors of these rows as columns */
const columns = (rows: readonly number[]): number[][] =>
  eigenvalues.map((_, i) => rows.map((row) => (i === row ? 1 : 0)));

describe.each([
  ["js", jsEngine],
  ["opaque", () => opaque(jsEngine())],
  ["split", () => split(jsEngine())],
] as const)("on %s", (_name, engine) => {
  test("nested eigenspaces, with a certificate of second order for the dimension of the flag", async () => {
    const on = flag(n, [1, 2]);
    const run = await minimize(weighted([2, 1, 1]), { on, engine: engine(), certificate: "second-order", tol: 1e-8 });
    expect(run.fval).toBeCloseTo(-(2 * 9 + 8 + 6), 9);
    expect([run.certificate.level, run.notes]).toEqual(["second-order", []]);
  });

  test("eigenvectors in the wrong groups are a saddle: a turn between groups leads down, though none across the span does", async () => {
    // V₂ is right, and V₁ is spanned by its third eigenvector
    const start = columns([2, 0, 1]);
    const options = { on: flag(n, [1, 2]), start, engine: engine(), certificate: "second-order" } as const;
    const { fval, notes, certificate } = await minimize(weighted([2, 1, 1]), options);
    expect(notes.join()).toMatch(/left a saddle at f = -29/);
    expect(fval).toBeCloseTo(-(2 * 9 + 8 + 6), 9);
    expect(certificate.level).toBe("second-order");
    // with equal weights it is the minimum: turns inside the span change nothing
    const alike = await minimize(weighted([1, 1, 1]), options);
    expect([alike.iterations, alike.certificate.level, alike.notes]).toEqual([0, "global", []]);
  });
});

test("the dimension counts what leads to other flags", () => {
  const dimension = (dims: number[]): number => flag(9, dims).bind(jsEngine()).on.dimension;
  expect(dimension([3])).toBe(3 * 6);
  expect(dimension([1, 1, 1])).toBe(9 * 3 - 6);
  expect(dimension([1, 2])).toBe(9 * 3 - 6 - 1);
  expect(dimension([4, 5])).toBe(4 * 5);
});

test("a turn stays in the class, and directions across lead out of it: none is XΩ with Ω inside a group", () => {
  const { E, on } = flag(8, [2, 3]).bind(jsEngine());
  const { turn, across } = on.traits.quotient!;
  const [x, y, Z, M] = [on.point(), on.point(), E.tall(8, 5), E.small(5, 5)];
  on.random(x, random(1, "x"));
  turn(y.X, x.X);
  E.tmul(M, x.X, y.X);
  const Q = E.read(M);
  const isOwn = (i: number, j: number): boolean => i < 2 === j < 2;
  for (const [k, q] of Q.entries()) if (!isOwn(Math.floor(k / 5), k % 5)) expect(Math.abs(q)).toBeLessThan(1e-14);
  expect(Math.hypot(...Q)).toBeCloseTo(Math.sqrt(5), 12);
  expect(Math.abs(Q[1]!)).toBeGreaterThan(1e-3);
  E.write(Z, random(2, "Z").normal);
  across(Z, x);
  E.tmul(M, x.X, Z);
  const W = E.read(M);
  for (const [k, w] of W.entries()) {
    const [i, j] = [Math.floor(k / 5), k % 5];
    expect(Math.abs(w + W[5 * j + i]!)).toBeLessThan(1e-14);
    if (isOwn(i, j)) expect(Math.abs(w)).toBeLessThan(1e-14);
  }
  // it is a projector
  const again = E.tall(8, 5);
  E.copy(again, Z);
  across(again, x);
  E.combine(again, 1, again, -1, Z);
  expect(E.dot(again, again)).toBeLessThan(1e-28);
});

test("f that depends on the basis of a group is said to be no function of flags; a flag is a part of a product", async () => {
  const odd = await minimize(
    formula((X: Expr) => add(sum(square(square(X))), inner(X, X))),
    { on: flag(5, [2, 1]) },
  );
  expect(odd.notes.join()).toMatch(
    /f is no function on flag: it changes by .* of itself under turns of the columns of a group/,
  );
  const both = await minimize(
    formula(({ F, s }: { F: Expr; s: Expr }) => add(scale(-1, trace(mul(t(F), diagonal(eigenvalues), F))), sum(s))),
    { on: product({ F: flag(n, [2]), s: sphere(4) }) as never },
  );
  expect(both.fval).toBeCloseTo(-17 - 2, 8);
});

test.each<[string, () => unknown, RegExp]>([
  [
    "no groups",
    () => flag(5, []),
    /^flag: dims is .*; give the dimensions of the groups, as in flag\(100, \[1, 2\]\)\.$/,
  ],
  ["a number", () => flag(5, 2 as never), /^flag: dims is 2; give the dimensions/],
  ["an empty group", () => flag(5, [1, 0]), /^flag: dims\[1\] is 0; it must be a whole number, 1 or more\.$/],
  ["too many columns", () => flag(3, [2, 2]), /^flag: p = 4 is above n = 3; 4 orthonormal columns need n ≥ p\.$/],
])("%s: one sentence", (_name, call, sentence) => expect(call).toThrow(sentence));
