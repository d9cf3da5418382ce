/** What is often written in the place of what `minimize` takes, and the sentence about it. */

import type { Tall } from "@expen/linalg";
import { minimize, openEngine, sphere, stiefel } from "expen";
import { jsEngine } from "expen/engines";
import { type Expr, square, sum } from "expen/tape";
import { expect, test } from "vitest";

const engine = jsEngine();
const f = (X: Tall): number => X.data.reduce((s, v) => s + v ** 3, 0);
const grad = (G: Tall, X: Tall): void => X.data.forEach((v, k) => void (G.data[k] = 3 * v * v));
const placed = { on: stiefel(5, 2), engine };

test.each<[string, unknown, unknown, RegExp]>([
  [
    "f itself",
    f,
    placed,
    /a function in the place of f is called with the engine and must return the objective; .* give \{ f, grad \}/,
  ],
  ["a formula itself", (X: Expr) => sum(square(X)), placed, /in the place of f .* formula\(\(X\) => …\)/],
  ["a function of nothing", () => 3, placed, /^the function returns 3; a function in the place of f/],
  [
    "{ tape }",
    { tape: (X: Expr) => sum(square(X)) },
    placed,
    /^objective: it has tape; write formula\(\(X\) => …\) of 'expen\/tape'/,
  ],
  ["nothing", { f, grad }, undefined, /^on is undefined; it must say where X lives/],
  ["gradient", { f, gradient: grad }, placed, /^objective: it has gradient, which is called grad here; /],
  ["hessian", { f, grad, hessian: grad }, placed, /it has hessian, which is called hvp here/],
  [
    "an async f",
    { f: async (X: Tall) => f(X), grad },
    placed,
    /^f returns a promise; .* an async function cannot be minimised\.$/,
  ],
  [
    "an async grad",
    { f, grad: async (G: Tall, X: Tall) => grad(G, X) },
    placed,
    /^grad returns a promise; an async function/,
  ],
  ["no value", { f: () => undefined, grad }, placed, /^f returns undefined; it must return a number\.$/],
  ["a BigInt", { f: () => 3n, grad }, placed, /^f returns the BigInt 3n; it must return a number\.$/],
  [
    "rows as a start",
    { f, grad },
    { ...placed, start: [[1, 0]] },
    /^start: it is 1×2 but n×p is 5×2; give a matrix of that shape\.$/,
  ],
  [
    "a controller",
    { f, grad },
    { ...placed, signal: new AbortController() },
    /^signal is an object; it must be an AbortSignal/,
  ],
  [
    "an engine to come",
    { f, grad },
    { ...placed, engine: openEngine("js") },
    /^engine is a promise; give one that openEngine/,
  ],
  [
    "a listener misspelled",
    { f, grad },
    { ...placed, events: { iterations: f } },
    /no option 'iterations'; did you mean 'iteration'\?/,
  ],
  ["maxiter", { f, grad }, { ...placed, maxiter: 5 }, /no option 'maxiter'; did you mean 'maxIterations'\?/],
  ["tolerance", { f, grad }, { ...placed, tolerance: 1e-8 }, /no option 'tolerance'; did you mean 'tol'\?/],
  [
    "null",
    { f, grad },
    { ...placed, maxEvaluations: null },
    /^maxEvaluations is null; it must be a number, 0 or more\.$/,
  ],
])("minimize: %s", async (_, objective, options, sentence) => {
  await expect(minimize(objective as never, options as never)).rejects.toThrow(sentence);
});

test.each<[string, unknown, RegExp]>([
  [
    "sizes",
    { n: 5, p: 2, engine },
    /^minimize: the options have n and p \(5, 2\); give on: stiefel\(n, p\) in their place\.$/,
  ],
  ["a manifold alone", sphere(5), /^minimize: the options are the manifold sphere\(5\); give \{ on \}\.$/],
  ["events misspelled", { ...placed, events: { saddles: f } }, /no option 'saddles'; did you mean 'saddle'\?/],
  ["events of a wrong type", { ...placed, events: 3 }, /^events is 3; it must be an object\.$/],
])("minimize: %s", async (_, options, sentence) => {
  await expect(minimize({ f, grad }, options as never)).rejects.toThrow(sentence);
});

test("an objective may hold functions of its own beside f and grad", async () => {
  const { status } = await minimize({ f, grad, cost: f, value: f } as never, placed);
  expect(status).toBe("converged");
});
