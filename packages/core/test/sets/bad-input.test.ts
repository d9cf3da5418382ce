/** One sentence for each mistake in `subjectTo`. */

import type { Tall } from "@expen/linalg";
import { formula, square } from "@expen/tape";
import { expect, test } from "vitest";
import { complexStiefel, product, sphere } from "../../src/manifolds/named.js";
import { stiefel } from "../../src/manifolds/stiefel.js";
import { minimize } from "../../src/minimize.js";
import { atMost, bounds, equal, nonnegative } from "../../src/sets/subject.js";

const f = {
  f: (X: Tall) => X.data.reduce((s, x, i) => s + (i + 1) * x, 0),
  grad: (G: Tall) => G.data.set(G.data.map((_, i) => i + 1)),
};
const run = (subjectTo: unknown, more = {}) => minimize(f, { on: sphere(4), subjectTo: subjectTo as never, ...more });
const g = (member: object = {}) => ({
  size: 2,
  value: (out: Float64Array) => void out.fill(-1),
  adjoint: () => undefined,
  ...member,
});
const matrix = { rows: 2, cols: 2, data: new Float64Array(4) };

test.each<[string, () => unknown, RegExp]>([
  ["nothing", () => run([]), /^subjectTo: it is empty; leave it out, or give constraints\.$/],
  ["no list", () => run(nonnegative()), /^subjectTo is an object; it must be an array\.$/],
  ["a number in the list", () => run([1]), /^subjectTo: entry 0 is 1; give atMost\(g\), /],
  [
    "bounds that cross",
    () => run([bounds(1, 0)]),
    /^bounds: the lower bound 1 is above the upper bound 0 in entry \(0, 0\)\.$/,
  ],
  [
    "a bound of another shape",
    () => run([bounds(matrix, 1)]),
    /^bounds: a bound is 2×2 but X is 4×1; give that shape\.$/,
  ],
  [
    "a bound that is NaN",
    async () => run([bounds(Number.NaN, 1)]),
    /^bounds: lower is NaN; give a number, ±Infinity, or a matrix\.$/,
  ],
  [
    "a bound with a row too short",
    async () => run([bounds([[0, 1], [0]], 1)]),
    /^bounds: lower: row 1 has 1 numbers, row 0 has 2\.$/,
  ],
  [
    "a bound that is a text",
    async () => run([bounds("0" as never, 1)]),
    /^bounds: lower is the string '0'; give a number/,
  ],
  [
    "a column too many",
    () => run([nonnegative({ columns: [1] })]),
    /^nonnegative: columns has 1; X has the columns 0 to 0\.$/,
  ],
  ["a part that is not there", () => run([bounds(0, 1, { part: "U" })]), /^bounds: part is 'U'; /],
  [
    "an option that is not there",
    async () => run([nonnegative({ rows: 1 } as never)]),
    /^nonnegative: there is no option 'rows'; /,
  ],
  [
    "no size",
    async () => run([atMost(g({ size: undefined }))]),
    /^atMost: size is undefined; it must be a whole number, 1 or more: /,
  ],
  ["no adjoint", async () => run([equal(g({ adjoint: undefined }))]), /^equal: adjoint is undefined; give formula/],
  ["a function", async () => run([atMost((() => 1) as never)]), /^atMost: it is a function; give formula/],
  [
    "a constant that is a text",
    async () => run([atMost(g(), "1" as never)]),
    /^atMost: the constant is the string '1'; give a finite number\.$/,
  ],
  [
    "an infinite constant",
    () => run([atMost(g(), Number.POSITIVE_INFINITY)]),
    /^atMost: the constant is Infinity; give a finite number\.$/,
  ],
  [
    "a size above the values written",
    () => run([atMost(g({ value: (out: Float64Array) => void (out[0] = 1) }))]),
    /^atMost: value 1 of 2 is NaN at the start; write all of them into out, or give another size\.$/,
  ],
  [
    "a value that is returned",
    () => run([atMost(g({ value: () => [1, 2] }))]),
    /^atMost: value returns an array; it must write into its first argument\.$/,
  ],
  [
    "an adjoint that is not that of the value",
    () => run([atMost(g({ size: 4, value: (out: Float64Array, X: Tall) => out.set(X.data) }))]),
    /^atMost\(g, 0\): adjoint does not belong to value: along a random direction Jᵀw gives 0, differences of the values .*\.$/,
  ],
  ["another solver", () => run([nonnegative()], { solver: "cg" }), /^subjectTo: the solver is 'cg'|^solver 'cg'/],
  ["a β", () => run([nonnegative()], { beta: 1 }), /^subjectTo: beta has no meaning beside it; leave it out\.$/],
  [
    "a tolerance of zero",
    () => run([nonnegative()], { constraintTolerance: 0 }),
    /^constraintTolerance is 0; it must be /,
  ],
  ["bounds of complex numbers", () => run([bounds(0, 1)], { on: complexStiefel(4, 2) }), /complex/],
])("%s", async (_what, call, sentence) => {
  await expect(async () => call()).rejects.toThrow(sentence);
});

test("the parts of a product are named where one is missing", async () => {
  type Parts = { U: Tall; V: Tall };
  const own = {
    f: ({ U, V }: Parts) => U.data[0]! + V.data[0]!,
    grad: (G: Parts) => {
      for (const { data } of [G.U, G.V]) data.fill(0)[0] = 1;
    },
  };
  const on = product({ U: stiefel(3, 1), V: sphere(2) });
  const run = minimize(own, { on, subjectTo: [bounds(0, 1, { part: "W" })] });
  await expect(run).rejects.toThrow("bounds: part is 'W'; the parts of product are U, V.");
  const { violation, fval } = await minimize(own, {
    on,
    subjectTo: [
      atMost(
        formula(({ U }) => square(U)),
        2,
      ),
    ],
  });
  expect(violation).toBe(0);
  expect(fval).toBeCloseTo(-2, 9);
});
