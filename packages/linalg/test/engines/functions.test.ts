/** The elementary functions of the engines: within 2 ulp of Math.* everywhere, within 2 ulp of the truth where Math has no such function. */

import { wasmEngine } from "@expen/engines/wasm";
import { exp, fixed, log, one, over, times, toNumber, ulps } from "@expen/testing/exact";
import { describe, expect, test } from "vitest";
import type { Engine } from "../../src/contracts/engine.js";
import { chain } from "../../src/engine/elementwise/chain.js";
import { logcosh, sigmoid, softplus } from "../../src/engine/elementwise/operations.js";
import { jsEngine } from "../../src/engine/js.js";
import { random } from "../../src/random.js";

const POINTS = 100_000;

const functions = {
  neg: (x: number) => -x,
  abs: Math.abs,
  sign: Math.sign,
  square: (x: number) => x * x,
  reciprocal: (x: number) => 1 / x,
  sqrt: Math.sqrt,
  exp: Math.exp,
  expm1: Math.expm1,
  log: Math.log,
  log1p: Math.log1p,
  tanh: Math.tanh,
  logcosh,
  softplus,
  sigmoid,
  sin: Math.sin,
  cos: Math.cos,
  atan: Math.atan,
} as const;
type Name = keyof typeof functions;

/** where the definition by Math.* is itself off by more than one */
const TOLERANCE: Partial<Record<Name, number>> = { tanh: 3, logcosh: 5, softplus: 3 };

const SPECIAL = [
  0, -0, 1, -1, 0.5, -0.5, 2, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.MIN_VALUE, -Number.MIN_VALUE,
  Number.MAX_VALUE, -Number.MAX_VALUE, 2.2250738585072014e-308, -2.2250738585072014e-308, 2.225073858507201e-308, 1e-310, 1e-160,
  709.782712893384, 709.7827128933841, 710, 711, 1e4, -708.3964185322641, -708.4, -740, -744.4400719213812, -745.1332191019411,
  -745.1332191019412, -746, -1e4, 1 + 2 ** -52, 1 - 2 ** -53, -1 + 2 ** -53, -1 - 2 ** -52, Math.SQRT2, Math.SQRT1_2, Math.SQRT2 - 1,
  0.85, 0.6, 0.5999999999999999, -0.6, 0.3465735902799726, 0.34657359027997264, -0.34657359027997264, 1.0397207708399179, 19, 20, 22, 37, 40,
  -19, -22, -36.7, -37, -37.5, -40, 2 ** 53, -(2 ** 53), 1e300,
]; // biome-ignore format: numbers read best in rows

/** Numbers of every size down to the smallest, and those near 0 where the functions bend */
function points(name: string): Float64Array {
  const r = random(7, name);
  const x = new Float64Array(POINTS + 1);
  x.set(SPECIAL);
  for (let i = SPECIAL.length; i < x.length; i++) {
    const sign = r.uniform() < 0.5 ? -1 : 1;
    const kind = r.integer(5);
    if (kind === 0) x[i] = sign * (1 + r.uniform()) * 2 ** (r.integer(2098) - 1074);
    else if (kind === 1) x[i] = sign * r.uniform() * 750;
    else if (kind === 2) x[i] = 1 + sign * r.uniform() * 2 ** -r.integer(30);
    else x[i] = r.normal() * 2 ** (2 - r.integer(12));
  }
  return x;
}

function mapped(E: Engine, name: Name, x: Float64Array): Float64Array {
  const X = E.tall(x.length, 1, x);
  const Y = E.tall(x.length, 1);
  E.map(
    [Y],
    chain(1, (op, v) => ({ outputs: [op[name](v)] })),
    [X],
  );
  return Float64Array.from(Y.data);
}

const engines: [string, () => Promise<Engine>][] = [
  ["wasm, plain SIMD", () => wasmEngine({ relaxed: false })],
  ["wasm, relaxed SIMD", () => wasmEngine({ relaxed: true })],
];

describe.each(engines)("%s", (_title, open) => {
  test.each(Object.keys(functions) as Name[])("%s is within 2 ulp of its definition", async (name) => {
    const x = points(name);
    const y = mapped(await open(), name, x);
    let worst = 0;
    let where = Number.NaN;
    for (let i = 0; i < x.length; i++) {
      const distance = ulps(y[i]!, functions[name](x[i]!));
      if (distance > worst) [worst, where] = [distance, x[i]!];
    }
    expect(worst, `at ${where}`).toBeLessThanOrEqual(TOLERANCE[name] ?? 2);
  });
});

/** The truth in 300 bits, for |x| ≤ 40 and not too near 0 */
const truth: Partial<Record<Name, (x: bigint) => bigint>> = {
  exp,
  expm1: (x) => exp(x) - one,
  log,
  log1p: (x) => log(one + x),
  tanh(x) {
    const E = exp(2n * x);
    return over(E - one, E + one);
  },
  logcosh: (x) => log((exp(x) + exp(-x)) >> 1n),
  softplus: (x) => log(one + exp(x)),
  sigmoid: (x) => over(one, one + exp(-x)),
};

describe.each(engines)("%s: powers", (_title, open) => {
  const powersOf = (E: Engine, x: Float64Array, a: number): Float64Array => {
    const [X, Y] = [E.tall(x.length, 1, x), E.tall(x.length, 1)];
    // not the builder's pow, which makes products and roots of some exponents
    E.map([Y], { inputs: 1, constants: [a], code: [{ op: "pow", args: [0, -1] }], outputs: [1] }, [X]);
    return Float64Array.from(Y.data);
  };

  test("xᵃ is that of JavaScript where x or the result is no normal number, within 2 ulp elsewhere", async () => {
    const E = await open();
    for (const a of [0.75, -0.25, 1 / 3, 4 / 3, 2.5, -7.1, 30, 1e-3, 200.5]) {
      const x = points(`power ${a}`).map((v, i) => (i % 7 === 0 ? v : Math.abs(v)));
      const y = powersOf(E, x, a);
      let [worst, where] = [0, Number.NaN];
      for (let i = 0; i < x.length; i++) {
        const distance = ulps(y[i]!, x[i]! ** a);
        if (distance > worst) [worst, where] = [distance, x[i]!];
      }
      expect(worst, `${where} to the ${a}`).toBeLessThanOrEqual(2);
    }
  });

  test("xᵃ is within 1 ulp of e^(a·log x) in 300 bits", async () => {
    const E = await open();
    const r = random(5, "powers");
    for (const a of [0.75, -0.25, 1 / 3, 17.3]) {
      const x = Float64Array.from({ length: 200 }, () => Math.exp(3 * r.normal()));
      const y = powersOf(E, x, a);
      for (const [i, v] of x.entries()) {
        expect(ulps(y[i]!, toNumber(exp(times(fixed(a), log(fixed(v)))))), `${v} to the ${a}`).toBeLessThanOrEqual(1);
      }
    }
  });

  test("sin and cos near multiples of π/2, where digits cancel, and atan where its pieces meet", async () => {
    const E = await open();
    const near = Float64Array.from({ length: 20_000 }, (_, i) => {
      const x = Math.round(10 ** (5.8 * (i / 20_000))) * (Math.PI / 2);
      return x * (1 + ((i % 5) - 2) * 2 ** -52);
    });
    const pieces = Float64Array.from(
      { length: 2000 },
      (_, i) => (i % 2 ? Math.SQRT2 + 1 : Math.SQRT2 - 1) + (i - 1000) * 2 ** -53,
    );
    for (const [name, x] of [
      ["sin", near],
      ["cos", near],
      ["atan", pieces],
    ] as const) {
      const y = mapped(E, name, x);
      const wrong = x.findIndex((v, i) => !(ulps(y[i]!, functions[name](v)) <= 2));
      expect(wrong, `${name}(${x[wrong]}) is ${y[wrong]}`).toBe(-1);
    }
  });
});

describe("against 300 bits", () => {
  test("the reference itself: e^(log 2) = 2, log(e^(1/3)) = 1/3", () => {
    expect(toNumber(exp(log(2n * one)) - 2n * one)).toBeLessThan(1e-80);
    const third = one / 3n;
    expect(Math.abs(toNumber(log(exp(third)) - third))).toBeLessThan(1e-80);
    expect(toNumber(times(fixed(1.5), fixed(-0.25)))).toBe(-0.375);
  });

  const all: [string, () => Promise<Engine>][] = [["js", async () => jsEngine()], ...engines];
  test.each(all)("%s: at most 2 ulp, log cosh 4", async (title, open) => {
    const E = await open();
    const r = random(3, "truth");
    for (const name of Object.keys(truth) as Name[]) {
      const x = Float64Array.from({ length: 300 }, (_, i) => {
        const v =
          i % 3 === 0 ? r.normal() : i % 3 === 1 ? 40 * (2 * r.uniform() - 1) : r.normal() * 2 ** -r.integer(40);
        return name === "log" ? Math.abs(v) : name === "log1p" ? Math.max(v, -0.999 * r.uniform()) : v;
      });
      const y = mapped(E, name, x);
      const most = name === "logcosh" ? 4 : title === "js" ? 3 : 2;
      const distances = x.map((v, i) => ulps(y[i]!, toNumber(truth[name]!(fixed(v)))));
      const wrong = distances.findIndex((distance) => !(distance <= most));
      expect(wrong, `${name}(${x[wrong]}) is off by ${distances[wrong]} ulp`).toBe(-1);
    }
  });
});
