/** `map` on every engine: chains equal their composition in `js`, sums are exact to rounding, bad input is refused in a sentence. */

import { blasEngine } from "@expen/engines/blas";
import { wasmEngine } from "@expen/engines/wasm";
import { blasHere } from "@expen/testing/contracts/blas-here";
import { describe, expect, test } from "vitest";
import type { Chain, Engine } from "../../src/contracts/engine.js";
import type { Matrix, Tall } from "../../src/contracts/matrix.js";
import { chain, chainBuilder } from "../../src/engine/elementwise/chain.js";
import { operations } from "../../src/engine/elementwise/operations.js";
import { EngineError } from "../../src/engine/engine.js";
import { jsEngine } from "../../src/engine/js.js";
import { fillNormal, random } from "../../src/random.js";

const { absent, title } = await blasHere({});
const engines: [string, () => Promise<Engine>][] = [
  ["js", async () => jsEngine()],
  ["wasm, plain SIMD", () => wasmEngine({ relaxed: false })],
  ["wasm, relaxed SIMD", () => wasmEngine({ relaxed: true })],
  ["wasm, 2 threads", () => wasmEngine({ threads: 2 })],
  ...(absent ? [] : [["blas", () => blasEngine()] as [string, () => Promise<Engine>]]),
];
if (absent) test.skip(title, () => undefined);

/** below, at and beyond a tile and what threads share; odd and even */
const SIZES = [1, 2, 3, 7, 511, 512, 513, 1025, 40_001];

function filled(E: Engine, rows: number, name: string): Tall {
  const M = E.tall(rows, 1);
  fillNormal(M, random(5, name));
  return M;
}

function expectNear(A: Matrix, B: Matrix, what: string): void {
  for (let i = 0; i < B.data.length; i++) {
    if (!(Math.abs(A.data[i]! - B.data[i]!) <= 2 ** -48 * (1 + Math.abs(B.data[i]!)))) {
      expect.fail(`${what}, entry ${i}: ${A.data[i]} instead of ${B.data[i]}`);
    }
  }
}

/** Every operation, into two outputs, an input copied, one output twice, and a sum */
function everything(): Chain {
  const b = chainBuilder(2);
  const [x, y] = b.inputs as [{ operand: number }, { operand: number }];
  let sum = b.op.mul(x, y);
  for (const { name, arity } of operations) {
    const positive = b.op.add(b.op.abs(x), 0.5);
    const args = [name === "less" || name === "select" ? b.op.sub(x, y) : positive, y, b.op.neg(y)].slice(0, arity);
    sum = b.op.add(sum, b.op[name](...args));
  }
  return b.finish([sum, x, b.op.tanh(x), sum, b.constant(2)], b.op.logcosh(x));
}

describe.each(engines)("map on %s", (_title, open) => {
  test.each(SIZES)("every operation on %i numbers, as js has it", async (size) => {
    const [E, J] = [await open(), jsEngine()];
    const c = everything();
    const run = (K: Engine): [number, Matrix[]] => {
      const outputs = c.outputs.map(() => K.tall(size, 1));
      return [K.map(outputs, c, [filled(K, size, "x"), filled(K, size, "y")]), outputs];
    };
    const [[s, Y], [t, Z]] = [run(E), run(J)];
    for (const [i, A] of Z.entries()) expectNear(Y[i]!, A, `output ${i}`);
    expect(Math.abs(s - t)).toBeLessThanOrEqual(2 ** -44 * t);
    E.dispose();
  });

  test("a chain is the composition of its operations; equal operations are one instruction", async () => {
    const E = await open();
    const [X, Y] = [filled(E, 700, "x"), E.tall(700, 1)];
    const c = chain(1, ({ exp, sub, square, mul, pow }, x) => ({
      outputs: [mul(exp(sub(0.5, square(x))), pow(x, 5))],
      sum: square(x),
    }));
    expect(c.code.map(({ op }) => op)).toEqual(["square", "sub", "exp", "square", "mul", "mul"]);
    const s = E.map([Y], c, [X]);
    const by = (x: number): number => Math.exp(0.5 - x * x) * x ** 5;
    for (let i = 0; i < 700; i++) expect(Math.abs(Y.data[i]! - by(X.data[i]!))).toBeLessThanOrEqual(1e-14);
    expect(Math.abs(s - E.dot(X, X))).toBeLessThanOrEqual(1e-11);
  });

  test("constants may change between calls", async () => {
    const E = await open();
    const b = chainBuilder(1);
    const { value, place } = b.variable();
    const c = b.finish([b.op.mul(b.inputs[0]!, value)]);
    const [X, Y] = [filled(E, 5, "x"), E.tall(5, 1)];
    for (const factor of [2, -3]) {
      (c.constants as number[])[place] = factor;
      E.map([Y], c, [X]);
      expect(Array.from(Y.data)).toEqual(Array.from(X.data, (v) => factor * v));
    }
  });

  test("a sum of a million tenths is right to 512 roundings, and of infinities infinite", async () => {
    const E = await open();
    const X = E.tall(1_000_000, 1);
    E.fill(X, 0.1);
    const total: Chain = { inputs: 1, code: [], outputs: [], sum: 0 };
    expect(Math.abs(E.map([], total, [X]) / 1e5 - 1)).toBeLessThanOrEqual(512 * 2 ** -53);
    X.data[77] = Number.POSITIVE_INFINITY;
    expect(E.map([], total, [X])).toBe(Number.POSITIVE_INFINITY);
    expect(E.map([], total, [E.small(0, 3)])).toBe(0);
  });

  test("wrong arguments are refused in a sentence", async () => {
    const E = await open();
    const [X, Y, Z] = [E.tall(3, 2), E.tall(3, 2), E.tall(2, 3)];
    const double = chain(1, ({ add }, x) => ({ outputs: [add(x, x)] }));
    const twice = chain(1, ({ add, neg }, x) => ({ outputs: [add(x, x), neg(x)] }));
    const broken = (part: Partial<Chain>): Chain => ({ inputs: 1, code: [], outputs: [0], ...part });
    const cases: [() => void, RegExp][] = [
      [() => E.map([X], double, [X]), /output 0 is also an input/],
      [() => E.map([Y, Y], twice, [X]), /output 1 is also another output/],
      [() => E.map([Z], double, [X]), /input 0 is 3×2 but must be 2×3/],
      [() => E.map([Y], double, []), /0 inputs and 1 outputs are given, but the chain has 1 and 1/],
      [() => E.map([Y], double, [jsEngine().tall(3, 2)]), /another 'js' engine/],
      [() => E.map([Y], broken({ code: [{ op: "cube" as "exp", args: [0] }] }), [X]), /'cube'; there are copy/],
      [() => E.map([Y], broken({ code: [{ op: "add", args: [0] }] }), [X]), /1 operands; it needs 2/],
      [() => E.map([Y], broken({ code: [{ op: "exp", args: [1] }] }), [X]), /reads 1, which is no register before it/],
      [() => E.map([Y], broken({ outputs: [4] }), [X]), /4 is an output or the sum, but no register/],
    ];
    for (const [call, words] of cases) {
      expect(call).toThrow(EngineError);
      expect(call).toThrow(words);
    }
  });
});

test("a chain that is written wrong is refused in a sentence", () => {
  type Build = Parameters<typeof chain>[1];
  const wrong: [unknown, RegExp][] = [
    [
      ({ exp }: Ops, x: unknown) => ({ outputs: [exp((2 as unknown as number) * (x as number))] }),
      /know no operands; write add/,
    ],
    [({ exp }: Ops) => ({ outputs: [exp({ rows: 1, cols: 1 })] }), /exp has an operand that is neither/],
    [({ mul }: Ops, x: unknown) => ({ outputs: [mul(x)] }), /mul has 1 operands; it needs 2/],
    [({ erf }: Ops, x: unknown) => ({ outputs: [erf!(x)] }), /there is no 'erf'; there are copy, neg/],
    [({ exp }: Ops, x: unknown) => void exp(x), /its function returns \{ outputs/],
    [({ exp }: Ops, x: unknown) => ({ outputs: exp(x) }), /its function returns \{ outputs/],
    [() => ({ sum: 1 }), /its function returns \{ outputs/],
  ];
  for (const [build, sentence] of wrong) expect(() => chain(1, build as Build)).toThrow(sentence);
});
type Ops = Record<string, (...operands: unknown[]) => unknown> &
  Record<"exp" | "mul", (...operands: unknown[]) => unknown>;
