/** What users write from habits of other libraries, on manifolds and in formulas: the right answer, or one sentence. */
import { jsEngine } from "@expen/linalg/engine";
import { minimize } from "@expen/solvers";
import { compile, type Expr, formula, inner, mul, norm2, parameter, sub, sum, t, trace } from "@expen/tape";
import { expect, test } from "vitest";
import { complexStiefel, product, specialOrthogonal, sphere } from "../../src/manifolds/named.js";
import { power } from "../../src/manifolds/powers.js";
import { simplex } from "../../src/manifolds/simplex.js";
import { stiefel } from "../../src/manifolds/stiefel.js";
import { randomStart } from "../../src/run/random-start.js";

const quartic = formula((X: Expr) => norm2(mul(t(X), [[2, 1, 0], [1, 5, 0], [0, 0, 9]], X))); // biome-ignore format: a matrix

test("a random point of any manifold is that of a run with the same seed", async () => {
  const on = stiefel(3, 2);
  const run = await minimize(quartic, { on, seed: 5, maxIterations: 0 });
  const isStart = (data: Float64Array) => data.every((x, i) => Math.abs(x - run.X.data[i]!) < 1e-14);
  expect(isStart(randomStart(on, 5).data)).toBe(true);
  expect(isStart(randomStart(on).data)).toBe(false);
  const { re, im } = randomStart(complexStiefel(3, 1), 2);
  expect(Math.hypot(...re.data, ...im.data)).toBeCloseTo(1, 14);
  const { R, w } = randomStart(product({ R: power(specialOrthogonal(2), 3), w: simplex(4) }), 1);
  expect([R.rows, R.cols]).toEqual([6, 2]);
  expect(w.data.reduce((total, x) => total + x, 0)).toBeCloseTo(1, 14);
  const E = jsEngine();
  expect(isStart(E.read(randomStart(E, 3, 2, 5)))).toBe(true);
  expect(() => randomStart({} as never)).toThrow(/^randomStart: the manifold is an object; it must say where X lives/);
});

test.each([
  ["a sentence", "enough", "enough"],
  ["true", true, "the rule `stop` ended the run"],
  ["a reason", { kind: "value" as const, converged: true, text: "low enough" }, "low enough"],
])("a rule to stop may return %s", async (_name, end, text) => {
  const { reason, iterations } = await minimize(quartic, { on: stiefel(3, 2), stop: ({ k }) => k >= 2 && end });
  expect([iterations, reason.text]).toEqual([2, text]);
  expect(reason.converged).toBe(typeof end === "object");
});

test("parameters take rows of numbers, at first and later", () => {
  const E = jsEngine();
  const f = compile(E, { n: 3, p: 1 }, (x) => inner(parameter("b", [[1], [0], [2]]), x));
  const x = E.tall(3, 1, [1, 1, 1]);
  expect(f.f(x)).toBe(3);
  f.set("b", [[0], [4], [1]]);
  expect(f.f(x)).toBe(5);
  expect(() => f.set("b", [[1, 2]])).toThrow(/^set: parameter 'b' is 3×1 but the new value is 1×2\.$/);
  expect(() => f.set("b", undefined as never)).toThrow(
    /^set: the value of 'b' is undefined; give a number or a matrix/,
  );
  const misused = parameter as (value: unknown) => never;
  expect(() => misused([[1]])).toThrow(/^parameter: its name is an array; write parameter\("B", B\)/);
});

test("Xᵀ as a property is told how it is written", async () => {
  const f = formula((X: Expr) => trace(mul((X as unknown as { T: Expr }).T, X)));
  const run = () => minimize(f, { on: sphere(3) });
  await expect(run).rejects.toThrow(
    /an argument is undefined; give an expression, a number or a matrix \(Xᵀ is t\(X\)\)/,
  );
  await expect(() =>
    minimize(
      formula((X: Expr) => sum(sub(X, null as never))),
      { on: sphere(3) },
    ),
  ).rejects.toThrow(/an argument is null/);
});
