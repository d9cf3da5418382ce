/** Many problems in one call: each result is that of a run by itself, to the bit. */

import type { Engine, Matrix } from "@expen/linalg";
import { gaussian, random } from "@expen/linalg";
import { determinant } from "@expen/testing/manifold-cases";
import {
  complexStiefel,
  type Formula,
  ManyError,
  minimize,
  minimizeMany,
  openEngine,
  product,
  specialOrthogonal,
  stiefel,
  type UserObjective,
} from "expen";
import { jsEngine } from "expen/engines";
import { type Expr, formula, hadamard, mul, norm2, scale, square, sub, sum, t, trace } from "expen/tape";
import { describe, expect, test } from "vitest";

interface Cloud {
  P: Matrix;
  Q: Matrix;
}

/** Points and the same points turned by a rotation, with noise */
function cloud(seed: number, points = 7): Cloud {
  const P = gaussian(3, points, random(seed, "P"));
  const R = gaussian(3, 3, random(seed, "R"));
  const Q = { rows: 3, cols: points, data: new Float64Array(3 * points) };
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j < points; j++) {
      for (let k = 0; k < 3; k++) Q.data[i * points + j]! += R.data[3 * i + k]! * P.data[k * points + j]!;
    }
  }
  return { P, Q };
}
const clouds = (count: number): Cloud[] => Array.from({ length: count }, (_, k) => cloud(k + 1));
const kabsch = formula((R, { P, Q }) => norm2(sub(mul(R, P!), Q!)));
const kabschOf = ({ P, Q }: Cloud): Formula => formula((R: Expr) => norm2(sub(mul(R, P), Q)));
const rows = ({ rows, cols, data }: Matrix): number[][] =>
  Array.from({ length: rows }, (_, i) => [...data.slice(i * cols, (i + 1) * cols)]);

describe("each result is that of minimize for the item alone", () => {
  test.each(["js", "wasm"] as const)("a formula with an item, on %s", async (name) => {
    const E = await openEngine(name);
    const data = clouds(6);
    const { results, converged } = await minimizeMany(kabsch, { on: specialOrthogonal(3), data, engine: E });
    expect(converged).toBe(6);
    for (const [k, item] of data.entries()) {
      const alone = await minimize(kabschOf(item), { on: specialOrthogonal(3), engine: E });
      // numbers of an item are parameters, which the formula of one item folds into its constants
      expect(results[k]!.fval).toBeCloseTo(alone.fval, 9);
      expect(determinant(results[k]!.X.data, 3)).toBeCloseTo(1, 12);
      expect(results[k]!.certificate.level).toBe(alone.certificate.level);
      expect(results[k]!.run.seed).toBe(1);
    }
    E.dispose();
  });

  test("a function of the item, to the bit", async () => {
    const brockett =
      (item: number) =>
      (E: Engine): UserObjective => {
        const A = E.operator({ rows: 8, cols: 8, data: symmetric(8, item) });
        const [C, AX] = [E.small(2, 2, [2, 0, 0, 1]), E.tall(8, 2)];
        return {
          fg(G, X) {
            A.apply(AX, X);
            E.mul(G, AX, C);
            return 0.5 * E.dot(G, X);
          },
        };
      };
    const E = jsEngine();
    const options = { on: stiefel(8, 2), engine: E };
    const { results } = await minimizeMany((item: number, _: number, E) => brockett(item)(E), {
      ...options,
      data: [5, 6, 7],
    });
    for (const [k, item] of [5, 6, 7].entries()) {
      const alone = await minimize(brockett(item), options);
      expect([...results[k]!.X.data]).toEqual([...alone.X.data]);
      expect(results[k]!.evaluations).toEqual(alone.evaluations);
    }
  });

  test("items of rows, numbers, lists and other shapes; a product and a complex manifold", async () => {
    const [small, large] = [cloud(1, 4), cloud(2, 9)];
    const data = [small, large, small].map(({ P, Q }) => ({ pair: [rows(P), rows(Q)], weight: 2 }));
    const f = formula((R, { pair, weight }) => mul(weight!, norm2(sub(mul(R, pair![0]!), pair![1]!))));
    const { results } = await minimizeMany(f, { on: specialOrthogonal(3), data });
    const single = await minimizeMany(kabsch, { on: specialOrthogonal(3), data: [small, large] });
    expect(results[0]!.fval).toBeCloseTo(2 * single.results[0]!.fval, 9);
    expect(results[1]!.fval).toBeCloseTo(2 * single.results[1]!.fval, 9);
    expect(results[2]!.fval).toBe(results[0]!.fval);

    const A = [3, 4].map((seed) => gaussian(5, 4, random(seed)));
    const best = await minimizeMany(
      formula(({ U, V }: Record<string, Expr>, a: never) => trace(mul(t(U!), a, V!))),
      { on: product({ U: stiefel(5, 2), V: stiefel(4, 2) }), data: A },
    );
    const singular = await minimizeMany(
      formula((X, a) => scale(-1, norm2(mul(t(X), a)))),
      { on: stiefel(5, 1), data: A },
    );
    // −(σ₁ + σ₂) and −σ₁²
    for (const k of [0, 1]) {
      expect(-best.results[k]!.fval).toBeGreaterThan(Math.sqrt(-singular.results[k]!.fval));
      expect(-best.results[k]!.fval).toBeLessThan(2 * Math.sqrt(-singular.results[k]!.fval));
    }
    const H = [1, 2].map((seed) => ({ rows: 3, cols: 3, data: symmetric(3, seed) }));
    const complex = await minimizeMany(
      formula(({ re, im }: Record<string, Expr>, a: never) =>
        trace(sub(mul(t(re!), a, re!), scale(-1, mul(t(im!), a, im!)))),
      ),
      { on: complexStiefel(3, 1), data: H },
    );
    const real = await minimizeMany(
      formula((x, a) => trace(mul(t(x), a, x))),
      { on: stiefel(3, 1), data: H },
    );
    for (const k of [0, 1]) expect(complex.results[k]!.fval).toBeCloseTo(real.results[k]!.fval, 8);
  });

  test("count gives the number of the problem", async () => {
    const f = formula((x, k) => trace(mul(t(x), mul(k, x))));
    const { results } = await minimizeMany(f, { on: stiefel(4, 2), count: 3 });
    expect(results.map(({ fval }) => Math.round(fval))).toEqual([0, 2, 4]);
  });
});

describe("f that is linear on the manifold", () => {
  const on = specialOrthogonal(3);

  test("has a proof for each item, and f of minimize", async () => {
    const data = clouds(40);
    const { results } = await minimizeMany(kabsch, { on, data });
    for (const [k, item] of data.slice(0, 5).entries()) {
      const { fval, run, certificate } = await minimize(kabschOf(item), { on });
      expect(results[k]!.fval).toBeCloseTo(fval, 11);
      expect(results[k]!.run).toEqual(run);
      expect(results[k]!.certificate.text.replace(/\d\.\d+e-\d+/g, "…")).toBe(
        certificate.text.replace(/\d\.\d+e-\d+/g, "…"),
      );
    }
    expect(results.every(({ certificate }) => certificate.level === "global")).toBe(true);
  });

  test.each([
    ["a named solver", { solver: "rlbfgs" }],
    ["a number of iterations", { maxIterations: 3 }],
    ["a tolerance", { tol: 1e-3 }],
    ["a history", { history: true }],
  ])("is minimised by a run where %s asks for one", async (_, options) => {
    const { results } = await minimizeMany(kabsch, { on, data: clouds(2), ...options });
    for (const { iterations, history } of results) {
      expect(iterations).toBeGreaterThan(0);
      if ("history" in options) expect(history!.length).toBeGreaterThan(0);
    }
  });

  test("the first item decides nothing about the others", async () => {
    // linear for weight 0 alone, and for equal weights
    const f = formula((X, { a, b, L }) =>
      sub(
        mul(
          sub(a!, b!),
          trace(
            mul(
              t(X),
              [
                [1, 0],
                [0, 2],
              ],
              X,
              [
                [3, 0],
                [0, 5],
              ],
            ),
          ),
        ),
        trace(mul(t(X), L!)),
      ),
    );
    const L = gaussian(2, 2, random(3));
    const data = [
      [1, 1],
      [2, 1],
      [0, 0],
      [5, 1],
    ].map(([a, b]) => ({ a, b, L }));
    const { results } = await minimizeMany(f, { on: stiefel(2, 2), data });
    for (const [k, item] of data.entries()) {
      const { a, b } = item;
      const of = (X: Expr) =>
        sub(
          scale(
            a! - b!,
            trace(
              mul(
                t(X),
                [
                  [1, 0],
                  [0, 2],
                ],
                X,
                [
                  [3, 0],
                  [0, 5],
                ],
              ),
            ),
          ),
          trace(mul(t(X), L)),
        );
      const alone = await minimize(formula(of), { on: stiefel(2, 2) });
      expect(results[k]!.fval).toBeCloseTo(alone.fval, 9);
    }
  });

  test("a singular or empty item, and one whose numbers overflow", async () => {
    const zero = { P: cloud(1).P, Q: { ...cloud(1).Q, data: new Float64Array(21) } };
    const huge = { P: cloud(2).P, Q: { ...cloud(2).Q, data: cloud(2).Q.data.map((v) => 1e200 * v) } };
    const { results } = await minimizeMany(kabsch, { on, data: [zero, cloud(2)] });
    expect(results[0]!.certificate.level).toBe("global");
    expect(determinant(results[0]!.X.data, 3)).toBeCloseTo(1, 12);
    await expect(minimizeMany(kabsch, { on, data: [huge, cloud(2)] })).rejects.toThrow(/1 of 2 problems failed/);
  });
});

describe("one f from many starts", () => {
  /** 1 − Σx_i⁴ on the sphere has its minima 0 at ±e_i; Σc_i x_i⁴ makes one of them the least */
  const peaks = formula((x) => sub(2, sum(mul([[1, 1, 1.5]], square(square(x))))));

  test("says which is best and how many have met it", async () => {
    const { results, best, hits } = await minimizeMany(peaks, { on: stiefel(3, 1), starts: 20 });
    const values = results.map(({ fval }) => fval);
    expect(values[best]).toBeCloseTo(0.5, 10);
    expect(hits).toBe(values.filter((value) => value < 0.6).length);
    expect(hits).toBeGreaterThan(2);
    expect(hits).toBeLessThan(18);
    const alone = await minimize(peaks, { on: stiefel(3, 1), seed: 5 });
    expect([...results[4]!.X.data]).toEqual([...alone.X.data]);
    expect(results[4]!.run.seed).toBe(5);
  });

  test("starts can be given points; every run reaches a minimum of 0", async () => {
    const target = gaussian(6, 1, random(1));
    const nearest = formula((x) => norm2(sub(mul([[...target.data]], x), 0)));
    const starts = [1, 2, 3].map((seed) => gaussian(6, 1, random(seed, "start")));
    const { hits, results } = await minimizeMany(nearest, { on: stiefel(6, 1), starts });
    expect(results).toHaveLength(3);
    expect(hits).toBe(3);
  });
});

describe("what goes wrong", () => {
  const data = clouds(3);
  const on = specialOrthogonal(3);

  test("an item that throws leaves the others done", async () => {
    const bad = { ...data[1]!, P: { ...data[1]!.P, data: data[1]!.P.data.map((v, k) => (k === 4 ? Number.NaN : v)) } };
    const error = await minimizeMany(kabsch, { on, data: [data[0]!, bad, data[2]!] }).catch((e) => e);
    expect(error).toBeInstanceOf(ManyError);
    expect(error.message).toMatch(
      /1 of 3 problems failed \(the error has .*; problem 1: formula: entry \(0, 4\) of item\.P is NaN/,
    );
    expect(error.results.map(Boolean)).toEqual([true, false, true]);
    expect([...error.errors.keys()]).toEqual([1]);
  });

  test("a wrong gradient is an error", async () => {
    const wrong = (item: number): UserObjective => ({
      f: (X) => item * X.data[0]! ** 2,
      grad: (G, X) => void G.data.fill(item * X.data[0]!),
    });
    await expect(minimizeMany(wrong, { on: stiefel(4, 2), data: [1, 2] })).rejects.toThrow(/gradient/);
  });

  test.each([
    ["no problems", {}, /give one of data .*, count .* and starts .*; none of them is there/],
    ["two lists of problems", { data, count: 3 }, /data and count are there/],
    ["data that is a number", { data: 5 }, /data is 5; give an array/],
    ["half a problem", { count: 1.5 }, /count is 1.5; it must be a whole number, 1 or more/],
    ["no starts", { starts: 0 }, /starts is 0/],
    ["a start beside starts", { starts: 3, start: data[0]!.P }, /start is given beside starts/],
    ["a misspelled option", { data, progres: () => undefined }, /'progres'; did you mean 'progress'/],
    ["an empty item", { data: [null] }, /item is null; an item has numbers, matrices/],
    ["an item without a matrix of the formula", { data: [{ P: data[0]!.P }] }, /undefined/],
  ])("%s", async (_, given, sentence) => {
    await expect(minimizeMany(kabsch, { on, ...(given as { data: Cloud[] }) })).rejects.toThrow(sentence);
  });

  test("an f without an item, and an item without minimizeMany", async () => {
    const f = formula((R: Expr) => sum(hadamard(R, R)));
    await expect(minimizeMany(f, { on, data })).rejects.toThrow(/f does not depend on an item/);
    await expect(minimize(kabsch, { on })).rejects.toThrow(
      /a second argument, an item of many; give it to minimizeMany/,
    );
  });

  test("a signal ends all runs with their present points, in order", async () => {
    const stop = new AbortController();
    const count = 400;
    const done: number[] = [];
    const { results } = await minimizeMany(kabsch, {
      on,
      data: clouds(count),
      signal: stop.signal,
      progress: (o) => {
        done.push(o.done);
        stop.abort();
      },
    });
    expect(results).toHaveLength(count);
    expect(done.at(-1)).toBe(count);
    expect(done).toEqual([...done].sort((a, b) => a - b));
    for (const { status, feasibility } of results.slice(done[0])) {
      expect(status).toBe("aborted");
      expect(feasibility).toBeLessThan(1e-12);
    }
  });

  test("no problems give no results", async () => {
    expect(await minimizeMany(kabsch, { on, data: [] })).toMatchObject({ results: [], converged: 0, hits: 0 });
  });
});

function symmetric(n: number, seed: number): Float64Array {
  const { data } = gaussian(n, n, random(seed, "A"));
  return data.map((v, k) => v + data[(k % n) * n + Math.floor(k / n)]!);
}
