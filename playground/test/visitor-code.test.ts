/** The visitor's objective: the tape's numbers, and mistakes at their line. */

import { checkDerivatives } from "@expen/core/check";
import { random } from "expen";
import { jsEngine } from "expen/engines";
import { fillNormal } from "expen/problems";
import { describe, expect, test } from "vitest";
import { examples } from "../src/editor/examples.js";
import { CodeError, compileCode } from "../src/worker/visitor-code.js";

const context = { n: 6, p: 2, seed: 1 };

function mistake(code: string): { line: number; text: string } {
  try {
    compileCode(jsEngine(), code, context);
  } catch (error) {
    if (error instanceof CodeError) return error.place;
    throw error;
  }
  throw new Error("there is no mistake");
}

describe("mistakes", () => {
  test.each([
    ["a name that is not there", "const a = 1;\nreturn trac(X);", 2, /^trac is not defined\.$/],
    ["shapes that do not fit", "\n\nconst Y = mul(X, X);\nreturn sum(Y);", 3, /6×2/],
    ["a matrix instead of a number", "return square(X);", 1, /it must return a number/],
    ["no result", "const Y = square(X);", 0, /returns nothing; end it with `return`/],
    ["an exception", "// nothing\nthrow new Error('out of order');", 2, /^out of order\.$/],
    ["a wrong argument", "const A = symmetric(n);\nreturn trace(mul(t(X), A, X), null.x);", 2, /null/],
  ])("%s", (_title, code, line, text) => {
    const found = mistake(code);
    expect(found.text).toMatch(text);
    expect(found.line).toBe(line);
    expect(found.text).not.toMatch(/visitor:\/\/|node_modules|file:/);
  });

  test("of syntax have the host's words and no line of their own", () => {
    expect(mistake("return sum(X;")).toEqual({ text: "missing ) after argument list.", line: 0, column: 0 });
  });
});

test("f is the formula's value", () => {
  const E = jsEngine();
  const { objective: f } = compileCode(E, "return scale(0.5, norm2(sub(X, gaussian(n, p))));", context);
  const X = E.tall(6, 2);
  fillNormal(X, random(1, "code A"));
  expect(f.f(X)).toBe(0);
});

test.each([
  ["complex-stiefel", "return add(norm2(mul(symmetric(n), X.re)), norm2(mul(symmetric(n), X.im)));"],
  ["pair", "return scale(-1, trace(mul(t(X.U), gaussian(n, n), X.V)));"],
  ["oblique", "return norm2(mul(X, t(X)));"],
])("a formula of the matrices of a point on %s has right derivatives", (on, code) => {
  const { bound, objective } = compileCode(jsEngine(), code, { ...context, on });
  expect(checkDerivatives(bound.E, objective, { on: bound.on })).toMatchObject({ passed: true });
});

test.each(examples)("the example $name has right derivatives", ({ code, n, p }) => {
  const E = jsEngine();
  expect(checkDerivatives(E, compileCode(E, code, { n, p, seed: 1 }).objective)).toMatchObject({ passed: true });
});
