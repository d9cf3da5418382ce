/** The check before the run: what it must find, and what it must let pass. */

import type { Matrix, Tall } from "@expen/linalg";
import { random } from "@expen/linalg";
import { jsEngine } from "@expen/linalg/engine";
import { rightObjectives } from "@expen/testing/right-objectives";
import { SHAPES, wrongEntriesFound } from "@expen/testing/wrong-entries";
import { describe, expect, test } from "vitest";
import { ContractError } from "../src/check/contract-error.js";
import { quickCheck } from "../src/check/derivatives.js";
import type { Objective } from "../src/contracts/objective.js";
import type { UserObjective } from "../src/contracts/user-objective.js";
import { stiefel } from "../src/manifolds/stiefel.js";
import { objective } from "../src/objective/objective.js";
import { startAt } from "../src/run/given-start.js";
import { randomStart } from "../src/run/start.js";

const E = jsEngine();
const LONG = process.env.EXPEN_LONG === "1";

test(`no false alarm on ${LONG ? 5000 : 500} right objectives`, () => {
  const alarms: string[] = [];
  for (const { name, seed, f } of rightObjectives(LONG ? 5000 : 500)) {
    const verdict = quickCheck(E, f, randomStart(E, f.n, f.p, seed), { seed });
    if (!verdict.passed) alarms.push(`${name}, seed ${seed}: ${verdict.text}`);
  }
  expect(alarms).toEqual([]);
});

/** Σ (i + 1)·x_i²/2 of 100×5, its gradient changed by `spoil` */
function weighted(spoil: (G: Tall, X: Tall) => void, changed: Partial<Objective> = {}): Objective {
  const f: Objective["f"] = (X) => X.data.reduce((sum, x, i) => sum + 0.5 * (i + 1) * x * x, 0);
  return {
    n: 100,
    p: 5,
    f,
    fg(G, X) {
      for (let i = 0; i < X.data.length; i++) G.data[i] = (i + 1) * X.data[i]!;
      spoil(G, X);
      return f(X);
    },
    ...changed,
  };
}
const checked = (f: Objective): ReturnType<typeof quickCheck> => quickCheck(E, f, randomStart(E, f.n, f.p, 3));

describe("mistakes in more than one entry", () => {
  test.each<[string, (G: Tall, X: Tall) => void]>([
    ["two entries swapped", ({ data }) => data.set([data[1]!, data[0]!])],
    ["a row left zero", ({ data }) => data.fill(0, 40, 45)],
    ["a factor of 1.002", ({ data }) => data.forEach((g, i) => void (data[i] = 1.002 * g))],
    ["every entry off by 0.5 % at random", ({ data }) => data.forEach((g, i) => void (data[i] = g * (1 + noise[i]!)))],
    ["the sign of one entry", ({ data }) => void (data[77]! *= -1)],
  ])("%s", (_, spoil) => {
    for (let seed = 1; seed <= 20; seed++) {
      expect(quickCheck(E, weighted(spoil), randomStart(E, 100, 5, seed), { seed }).passed).toBe(false);
    }
  });
  const r = random(1, "noise");
  const noise = Float64Array.from({ length: 500 }, () => 0.005 * r.normal());
});

test("a gradient by forward differences passes: it is inexact, not wrong", () => {
  const exact = weighted(() => {});
  const h = 1e-8;
  const Y = E.tall(100, 5);
  const forward = weighted(() => {}, {
    fg(G, X) {
      const value = exact.f(X);
      for (let i = 0; i < G.data.length; i++) {
        E.copy(Y, X);
        Y.data[i]! += h;
        G.data[i] = (exact.f(Y) - value) / h;
      }
      return value;
    },
  });
  for (let seed = 1; seed <= 5; seed++) {
    expect(quickCheck(E, forward, randomStart(E, 100, 5, seed), { seed }).passed).toBe(true);
  }
});

describe("functions that do not do what they should", () => {
  const returning = (value: () => unknown): Objective =>
    weighted(() => {}, {
      fg(G) {
        E.fill(G, 0);
        return value() as number;
      },
    });
  test.each<[RegExp, Objective]>([
    [/^f returns the string '1'; it must return a number\.$/, returning(() => "1")],
    [/^f returns undefined; it must return a number\.$/, returning(() => undefined)],
    [
      /^f returns a promise; .* an async function cannot be minimised\.$/,
      returning(() => Promise.reject(new Error("late"))),
    ],
    [/^f returns the string '2'/, weighted(() => {}, { f: () => "2" as unknown as number })],
    [/^f or its gradient changes its input X \(entry \(0, 3\)\)/, weighted((_, X) => void (X.data[3]! += 1e-9))],
    [/^f changes its input X \(entry \(0, 0\)\)/, weighted(() => {}, { f: (X) => X.data.fill(1, 0, 1)[0]! })],
    [/^the gradient writes nothing into G/, weighted(() => {}, { fg: (_, X) => X.data[0]! })],
    [/does not write entry \(1, 2\) of G/, weighted(() => {}, { fg: (G, X) => skip(G, X, 7) })],
    [/entry \(0, 0\) depends on what G held before/, weighted(() => {}, { fg: add })],
  ])("%s", (sentence, f) => {
    expect(() => checked(f)).toThrow(ContractError);
    expect(() => checked(f)).toThrow(sentence);
  });

  test("what is not finite is said with its place", () => {
    const nan = weighted(({ data }) => void (data[6] = Number.NaN));
    expect(checked(nan)).toMatchObject({
      passed: false,
      text: expect.stringMatching(/^the gradient's entry \(1, 1\) is NaN/),
    });
    expect(checked(returning(() => Number.POSITIVE_INFINITY)).text).toMatch(/^f is Infinity at the start/);
  });

  function skip(G: Tall, X: Tall, entry: number): number {
    for (let i = 0; i < X.data.length; i++) if (i !== entry) G.data[i] = X.data[i]!;
    return 0.5 * E.dot(X, X);
  }
  function add(G: Tall, X: Tall): number {
    E.combine(G, 1, X, 1, G);
    return 0.5 * E.dot(X, X);
  }
});

test("a start of too few numbers or of other things is refused in a sentence", () => {
  const starting = (start: unknown) => () => startAt(stiefel(4, 2).bind(E), start as Matrix, []);
  expect(starting({ rows: 4, cols: 2, data: new Float64Array(5) })).toThrow("start: 4×2 need 8 numbers, there are 5.");
  expect(starting([[1, 2]])).toThrow("start: it is 1×2 but n×p is 4×2; give a matrix of that shape.");
  expect(starting({ rows: 4, cols: 2 })).toThrow(
    /^start: a matrix is needed, this is an object; give an array of rows/,
  );
  expect(starting({ rows: 1, cols: 2, data: [1, "2"] })).toThrow(
    'start: entry (0, 1) is "2"; it is a text, convert it with Number(…).',
  );
});

test("an objective that is none is named", () => {
  const none = (user: unknown) => () => objective(E, user as UserObjective, 4, 2);
  expect(none(Promise.reject(new Error("late")))).toThrow(/^objective: it is a promise; await it before; give fg/);
  expect(none(undefined)).toThrow(/^objective: it is undefined; give fg/);
  expect(none({ grad() {} })).toThrow(/^objective: it has grad; give fg/);
});

describe("one wrong entry", () => {
  test.each(LONG ? SHAPES : SHAPES.slice(0, 1))(
    "off by a hundredth, at %i×%i: found and named for 99 of 100 seeds",
    (n, p) => {
      const seeds = LONG ? 100 : 30;
      expect(wrongEntriesFound(E, n, p, seeds)).toBeGreaterThanOrEqual(0.99 * seeds);
    },
  );
});
