/** A formula that returns no number is an error in the user's line, which is not on the stack any more. */

import { jsEngine } from "@expen/linalg/engine";
import { minimize, stiefel } from "expen";
import { compile, formula, mul, sum, t } from "expen/tape";
import { expect, test } from "vitest";

const lineOf = (text: string): number => Number(/returned-line\.test\.ts:(\d+):\d+\.$/.exec(text)?.[1]);
const here = (): number => Number(/returned-line\.test\.ts:(\d+)/.exec(new Error().stack!.split("\n")[2]!)![1]);

test("a matrix in the place of a number", async () => {
  let made = 0;
  const tape = (X: never) => {
    sum(X);
    made = here();
    const product = mul(t(X), X);
    sum(product);
    return product;
  };
  const error = await minimize(formula(tape as never), { on: stiefel(4, 2), engine: jsEngine() }).catch((e) => e);
  expect(error.message).toMatch(/^compile: the function returns 2×2; it must return a number, as trace\(\), .* at \//);
  expect(lineOf(error.message)).toBe(made + 1);
});

test("nothing, or a promise: the line of the last operation", () => {
  for (const wrap of [() => undefined, (x: unknown) => Promise.resolve(x)]) {
    let made = 0;
    const act = () =>
      compile(jsEngine(), { n: 4, p: 2 }, (X) => {
        made = here();
        const f = sum(X);
        return wrap(f) as never;
      });
    let text = "";
    try {
      act();
    } catch (error) {
      text = (error as Error).message;
    }
    expect(text).toMatch(/the function returns (undefined|a promise); it must return a number/);
    expect(lineOf(text)).toBe(made + 1);
  }
});
