/** Formulas that are ½⟨X, BXC⟩ + ⟨L, X⟩ + constant say so by themselves; those that only look like it do not. */
import { describe, expect, test } from "vitest";
import { A, type Formula, found, L, M, m, n, other, p, plain, sparse } from "../../bench/structure/formulas.js";
import * as T from "../../src/autodiff/index.js";
import { jsEngine } from "../../src/engines/js.js";
import { random } from "../../src/random.js";
import type { Engine, Objective, Tall } from "../../src/types.js";
import { opaque } from "../engines/opaque.js";
import { split } from "../engines/split.js";

const { add, compile, inner, mul, neg, norm2, sub, t, trace } = T;

const point = (E: Engine, seed: number, cols = p): Tall => {
  const X = E.tall(n, cols);
  E.write(X, random(seed, "point").normal);
  return X;
};

/** G ← BXC + L, returns ½⟨X, BXC⟩ + ⟨L, X⟩ + constant */
function byForm(E: Engine, { quadratic }: Objective, G: Tall, X: Tall): number {
  const { apply, C, L, constant = 0 } = quadratic!;
  const Y = E.tall(n, p);
  apply(Y, X);
  if (C) E.mul(G, Y, C);
  else E.copy(G, Y);
  const value = constant + 0.5 * E.dot(X, G) + (L ? E.dot(L, X) : 0);
  if (L) E.combine(G, 1, L, 1, G);
  return value;
}

describe.each(found)("found: %s", (_title, formula, expected) => {
  const kinds: [string, () => Engine][] = [
    ["js", jsEngine],
    ["opaque", () => opaque(jsEngine())],
    ["split", () => split(jsEngine())],
  ];
  test.each(kinds)("on %s: value and gradient are those of the tape, B is symmetric", (_name, open) => {
    const E = open();
    const f = compile(E, { n, p }, formula);
    const form = f.quadratic!;
    expect(form).toBeDefined();
    expect(form.C !== undefined).toBe(expected.C ?? false);
    expect(form.L !== undefined).toBe(expected.L ?? false);
    const [X, G, H] = [point(E, 1), E.tall(n, p), E.tall(n, p)];
    const value = f.fg(G, X);
    expect(Math.abs(byForm(E, f, H, X) - value)).toBeLessThanOrEqual(1e-12 * (Math.abs(value) + E.dot(G, G)));
    const size = Math.sqrt(E.dot(G, G));
    E.combine(H, 1, H, -1, G);
    expect(Math.sqrt(E.dot(H, H))).toBeLessThanOrEqual(1e-12 * size);
    // any number of columns, ⟨u, Bz⟩ = ⟨Bu, z⟩
    const [u, z, Bu, Bz] = [point(E, 2, 1), point(E, 3, 1), E.tall(n, 1), E.tall(n, 1)];
    form.apply(Bu, u);
    form.apply(Bz, z);
    const scale = Math.sqrt(E.dot(Bz, Bz) * E.dot(u, u)) + 1;
    expect(Math.abs(E.dot(u, Bz) - E.dot(Bu, z))).toBeLessThanOrEqual(1e-12 * scale);
    const kind = form.matrix && ("main" in form.matrix ? "tridiagonal" : "values" in form.matrix ? "sparse" : "dense");
    expect(kind).toBe(expected.matrix);
  });
});

test.each(other)("not found: %s", (_title, formula) => {
  expect(compile(jsEngine(), { n, p }, formula).quadratic).toBeUndefined();
});

test("the cost of a product is that of its factors", () => {
  const E = jsEngine();
  const flops = (formula: Formula): number => compile(E, { n, p }, formula).quadratic!.flops!;
  expect(flops((X) => norm2(mul(M, X)))).toBeLessThanOrEqual(4 * m * n + 2 * n);
  // MᵀM − Mᵀ11ᵀM/m: the second is an outer product of two vectors
  expect(flops((X) => norm2(sub(mul(M, X), T.scale(1 / m, T.colSums(mul(M, X))))))).toBeLessThanOrEqual(
    4 * m * n + 6 * n,
  );
  expect(flops((X) => inner(X, mul(sparse, X)))).toBeLessThanOrEqual(8 * n + 2 * n);
  expect(flops((X) => trace(mul(t(X), A, X)))).toBeGreaterThanOrEqual(2 * n * n);
});

test("products that cost more than twice a dense matrix are multiplied out, loops over data are one matrix", () => {
  const E = jsEngine();
  const of = (formula: Formula) => compile(E, { n, p }, formula).quadratic!;
  const dense = of((X) => trace(mul(t(X), A, X))).flops!;
  const difference = of((X) => norm2(sub(mul(A, X), mul(plain(n, n, 60), X))));
  const loop = of((X) => add(...Array.from({ length: 5 * n }, (_, k) => norm2(mul(t(plain(n, 1, k)), X)))));
  for (const { flops, matrix } of [difference, loop]) {
    expect(flops).toBeLessThanOrEqual(dense);
    expect(matrix).toBeDefined();
  }
});

test("where all quadratic terms cancel, as data are equal, the linear one is left", () => {
  const E = jsEngine();
  const copy = { ...A, data: A.data.slice() };
  const f = compile(E, { n, p }, (X) => add(inner(X, mul(A, X)), inner(L, X), neg(inner(X, mul(copy, X)))));
  const [X, Y] = [point(E, 1), E.tall(n, p)];
  f.quadratic!.apply(Y, X);
  expect(E.dot(Y, Y)).toBe(0);
  expect(E.read(f.quadratic!.L!)).toEqual(L.data);
});

test("a form follows its parameters", () => {
  const E = jsEngine();
  const f = compile(E, { n, p }, (X) =>
    add(mul(T.parameter("s", 2), trace(mul(t(X), A, X))), inner(T.parameter("L", L), X)),
  );
  const [X, G, H] = [point(E, 1), E.tall(n, p), E.tall(n, p)];
  for (const s of [2, 5]) {
    f.set("s", s);
    f.set("L", plain(n, p, s));
    const value = f.fg(G, X);
    expect(byForm(E, f, H, X)).toBeCloseTo(value, 9);
  }
});
