/** What is often written in the place of what `minimize` and `minimizeStiefel` take, and the sentence about it. */
import { expect, test } from "vitest";
import {
  type Expr,
  jsEngine,
  minimize,
  minimizeStiefel,
  openEngine,
  sphere,
  square,
  stiefel,
  sum,
} from "../../src/index.js";
import type { Tall } from "../../src/types.js";

const engine = jsEngine();
const f = (X: Tall): number => X.data.reduce((s, v) => s + v ** 3, 0);
const grad = (G: Tall, X: Tall): void => X.data.forEach((v, k) => void (G.data[k] = 3 * v * v));
const sized = { n: 5, p: 2, engine };
const placed = { on: stiefel(5, 2), engine };

test.each<[string, unknown, unknown, RegExp]>([
  [
    "f itself",
    f,
    sized,
    /a function in the place of f is called with the engine and must return the objective; .* give \{ f, grad \}/,
  ],
  ["a formula itself", (X: Expr) => sum(square(X)), sized, /in the place of f .* \{ tape: \(X\) => … \}/],
  ["a function of nothing", () => 3, sized, /^the function returns 3; a function in the place of f/],
  ["p as a text", { f, grad }, { ...sized, p: "2" }, /^p is '2'; it must be a whole number, 1 or more\.$/],
  [
    "a manifold",
    { f, grad },
    placed,
    /^minimizeStiefel: on is the manifold stiefel\(5, 2\); call minimize\(f, \{ on \}\)/,
  ],
  ["a manifold alone", { f, grad }, sphere(5), /^minimizeStiefel: on is the manifold sphere\(5\); call minimize/],
  ["nothing", { f, grad }, undefined, /^n is undefined; /],
  ["gradient", { f, gradient: grad }, sized, /^objective: it has gradient, which is called grad here; /],
  ["hessian", { f, grad, hessian: grad }, sized, /it has hessian, which is called hvp here/],
  [
    "an async f",
    { f: async (X: Tall) => f(X), grad },
    sized,
    /^f returns a promise; .* an async function cannot be minimised\.$/,
  ],
  [
    "an async grad",
    { f, grad: async (G: Tall, X: Tall) => grad(G, X) },
    sized,
    /^grad returns a promise; an async function/,
  ],
  ["no value", { f: () => undefined, grad }, sized, /^f returns undefined; it must return a number\.$/],
  ["a BigInt", { f: () => 3n, grad }, sized, /^f returns the BigInt 3n; it must return a number\.$/],
  [
    "rows as a start",
    { f, grad },
    { ...sized, start: [[1, 0]] },
    /^start: it is an array; give \{ rows, cols, data \}/,
  ],
  [
    "a controller",
    { f, grad },
    { ...sized, signal: new AbortController() },
    /^signal is an object; it must be an AbortSignal/,
  ],
  [
    "an engine to come",
    { f, grad },
    { ...sized, engine: openEngine("js") },
    /^engine is a promise; give one that openEngine/,
  ],
  [
    "a listener misspelled",
    { f, grad },
    { ...sized, on: { iterations: f } },
    /no option 'iterations'; did you mean 'iteration'\?/,
  ],
  ["maxiter", { f, grad }, { ...sized, maxiter: 5 }, /no option 'maxiter'; did you mean 'maxIterations'\?/],
  ["tolerance", { f, grad }, { ...sized, tolerance: 1e-8 }, /no option 'tolerance'; did you mean 'tol'\?/],
  [
    "null",
    { f, grad },
    { ...sized, maxEvaluations: null },
    /^maxEvaluations is null; it must be a number, 0 or more\.$/,
  ],
])("minimizeStiefel: %s", async (_, objective, options, sentence) => {
  await expect(minimizeStiefel(objective as never, options as never)).rejects.toThrow(sentence);
});

test.each<[string, unknown, RegExp]>([
  [
    "sizes",
    sized,
    /^minimize: the options have n and p \(5, 2\); give on: stiefel\(n, p\) in their place, or call minimizeSt/,
  ],
  ["a manifold alone", stiefel(5, 2), /^minimize: the options are the manifold stiefel\(5, 2\); give \{ on \}\.$/],
  ["events misspelled", { ...placed, events: { saddles: f } }, /no option 'saddles'; did you mean 'saddle'\?/],
  ["events of a wrong type", { ...placed, events: 3 }, /^events is 3; it must be an object\.$/],
])("minimize: %s", async (_, options, sentence) => {
  await expect(minimize({ f, grad }, options as never)).rejects.toThrow(sentence);
});

test("an objective may hold functions of its own beside f and grad", async () => {
  const { status } = await minimizeStiefel({ f, grad, cost: f, value: f } as never, sized);
  expect(status).toBe("converged");
});
