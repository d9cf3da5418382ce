/** One sentence for what cannot be: where X lives, and B. */

import type { Matrix, Tall } from "@expen/linalg";
import { jsEngine } from "@expen/linalg/engine";
import { minimize } from "@expen/solvers";
import { formula, mul, t, trace } from "@expen/tape";
import { expect, test } from "vitest";
import { complexStiefel, generalizedStiefel, product } from "../../src/manifolds/named.js";
import { stiefel } from "../../src/manifolds/stiefel.js";

const square = (...data: number[]): Matrix => ({ rows: 2, cols: 2, data: Float64Array.from(data) });
/** Linear in X: no matter which */
const f = {
  fg(G: Tall, X: Tall) {
    G.data.fill(1);
    return X.data.reduce((s, x) => s + x, 0);
  },
};
const on = (B: unknown) => () => minimize(f, { on: generalizedStiefel(B as Matrix, 1), engine: jsEngine() });
const run = (options: unknown) => () => minimize(f, options as { on: ReturnType<typeof stiefel> });
/** [a b; b c] */
const sparse = (a: number, b: number, c: number) => ({
  rows: 2,
  cols: 2,
  pointers: Int32Array.of(0, 2, 4),
  indices: Int32Array.of(0, 1, 0, 1),
  values: Float64Array.of(a, b, b, c),
});
const negative = { rows: 2, apply: (Y: Tall, X: Tall) => Y.data.set(X.data.map((x) => -x)) };

test.each<[string, () => unknown, RegExp]>([
  ["B a number", on(5), /^generalizedStiefel: B is 5; give a matrix, or .*\.$/],
  ["no B", on(undefined), /^generalizedStiefel: B is undefined; give a matrix/],
  ["B null", on(null), /^generalizedStiefel: B is null; give a matrix/],
  ["B an empty object", on({}), /^generalizedStiefel: B is an object without rows; give a matrix/],
  ["rows of different lengths", on([[1, 0], [0]]), /^generalizedStiefel: B: row 1 has 1 numbers, row 0 has 2\.$/],
  [
    "NaN in B",
    on(square(1, 0, 0, Number.NaN)),
    /^generalizedStiefel: entry \(1, 1\) of B is NaN; every entry must be finite\.$/,
  ],
  ["∞ in B", on(square(1, 0, 0, Number.POSITIVE_INFINITY)), /entry \(1, 1\) of B is Infinity; /],
  ["B too short", on(square(1, 0)), /B is 2×2 but has 2 numbers; it must have 4\.$/],
  [
    "an action that is not symmetric",
    on({ rows: 2, apply: (Y: Tall, X: Tall) => Y.data.set([2 * X.data[0]! + X.data[1]!, 2 * X.data[1]!]) }),
    /^generalizedStiefel: B is not symmetric/,
  ],
  [
    "B indefinite",
    on(square(1, 0, 0, -1)),
    /not positive definite: pivot 1 of its Cholesky factorization is -1\.00\.$/,
  ],
  [
    "a sparse B with a negative diagonal",
    on(sparse(1, 0, -3)),
    /^generalizedStiefel: B is not positive definite: entry \(1, 1\) is -3\.00\.$/,
  ],
  ["a sparse B, indefinite by what is off its diagonal", on(sparse(1, 2, 1)), /the pivot of row [01] .* is -3\.00\.$/],
  ["a sparse B with NaN", on(sparse(1, Number.NaN, 1)), /an entry of B is NaN; every entry must be finite\.$/],
  [
    "a sparse B that is not symmetric",
    on({ ...sparse(1, 2, 9), values: Float64Array.of(1, 2, 3, 9) }),
    /B is not symmetric; /,
  ],
  [
    "a matrix's f for complex points",
    () => minimize(f as never, { on: complexStiefel(3, 1), engine: jsEngine() }),
    /; a point of complex-stiefel is \{ re, im \}$/,
  ],
  [
    "a matrix's f for a product",
    () => minimize(f as never, { on: product({ U: stiefel(3, 1) }), engine: jsEngine() }),
    /; a point of product is \{ U \}$/,
  ],
  [
    "a matrix's formula for complex points",
    () =>
      minimize(formula(((X: never) => trace(mul(t(X), X))) as never), { on: complexStiefel(3, 1), engine: jsEngine() }),
    /^compile: the function returns a complex number; it must return a real one, as re\(…\) of it at /,
  ],
  [
    "an action that is negative",
    on(negative),
    /B is not positive definite; ⟨X, BX⟩ is -.* for a random X, and must be above 0\.$/,
  ],
  ["no options", run(undefined), /^on is undefined; it must say where X lives, stiefel\(n, p\) or another manifold\.$/],
  ["no on", run({}), /^on is undefined; /],
  ["on a text", run({ on: "stiefel(2, 1)" }), /^on is 'stiefel\(2, 1\)'; /],
  ["on a function", run({ on: stiefel }), /^on is function; /],
  [
    "no engine",
    run({ on: stiefel(2, 1), engine: null }),
    /^engine is null; give one that openEngine opened, or its name\.$/,
  ],
  [
    "no start",
    run({ on: stiefel(2, 1), start: null }),
    /^start: a matrix is needed, this is null; give an array of rows, /,
  ],
  [
    "a name that no engine has",
    run({ on: stiefel(2, 1), engine: "wsam" }),
    /^engine: 'wsam' is none of .*; did you mean 'wasm'\?$/,
  ],
  ["a part that is a number", () => product({ U: 5 as never }), /^product: U is number; it must say where X lives/],
  ["no parts", () => product(undefined as never), /^product: it has no parts; /],
])("%s", async (_, act, sentence) => {
  await expect((async () => act())()).rejects.toThrow(sentence);
});
