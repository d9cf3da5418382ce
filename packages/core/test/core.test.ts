/** The driver with the core's own parts does what the whole library does, where the library takes a method of the core. */

import type { Engine, Matrix, Tall } from "@expen/linalg";
import { jsEngine } from "@expen/linalg/engine";
import { minimize } from "@expen/solvers";
import { expect, test } from "vitest";
import type { Solver } from "../src/contracts/method.js";
import { stiefel } from "../src/manifolds/stiefel.js";
import { minimize as minimizeByCore } from "../src/minimize.js";
import { automatic } from "../src/run/automatic.js";
import type { Strategy } from "../src/run/strategy.js";

const [n, p] = [12, 3];
/** Σ cosh(i·X_ij), i = 1 … n the row; on the js engine a matrix has its numbers */
const row = (k: number): number => 1 + Math.floor(k / p);
const f = {
  f: ({ data }: Matrix) => data.reduce((sum, x, k) => sum + Math.cosh(row(k) * x), 0),
  grad: (G: Matrix, { data }: Matrix) => data.forEach((x, k) => void (G.data[k] = row(k) * Math.sinh(row(k) * x))),
};

test("any f: the same run", async () => {
  const o = { on: stiefel(n, p), seed: 3 };
  const [own, whole] = [await minimizeByCore(f, o), await minimize(f, { ...o, engine: jsEngine() })];
  expect(own.status).toBe("converged");
  expect(own.X).toEqual(whole.X);
  expect(own.evaluations).toEqual(whole.evaluations);
  expect(own.run).toEqual(whole.run);
  expect(own.run).toMatchObject({ on: "stiefel(12, 3)", solver: "auto", method: "frame", engine: "js", seed: 3 });
});

test("a quadratic form: another method, the same minimum, and a proof by the whole library alone", async () => {
  const diagonal = Float64Array.from({ length: n * n }, (_, k) => (k % (n + 1) === 0 ? k / (n + 1) : 0));
  const form = (E: Engine) => {
    const B = E.operator({ rows: n, cols: n, data: diagonal });
    const apply = (Y: Tall, X: Tall): void => B.apply(Y, X);
    const quadratic = { apply, matrix: { rows: n, cols: n, data: diagonal }, symmetric: true };
    const W = E.tall(n, p);
    const fg = (G: Tall, X: Tall): number => {
      apply(G, X);
      return 0.5 * E.dot(G, X);
    };
    return { f: (X: Tall) => fg(W, X), fg, quadratic };
  };
  const o = { on: stiefel(n, p), certificate: "second-order" } as const;
  const [own, whole] = [await minimizeByCore(form, o), await minimize(form, { ...o, engine: jsEngine() })];
  expect(own.fval).toBeCloseTo(1.5, 9);
  expect(whole.fval).toBeCloseTo(1.5, 9);
  expect(own.certificate.level).toBe("second-order");
  expect(whole.certificate.level).toBe("global");
});

test("the core knows no solver of others, and says which it knows", async () => {
  const run = minimizeByCore(f, { on: stiefel(n, p), solver: "rcg" });
  await expect(run).rejects.toThrow("solver 'rcg' is none of auto, expen, expen-cg, expen-lbfgs, expen-newton, frame");
});

/** A run that begins and shows nothing */
function* never(): Solver {
  yield* [];
  return { kind: "rounding", converged: true, text: "" };
}

test("the first strategy that fits is taken; where none does, a sentence names them", async () => {
  const E = jsEngine();
  const begun: string[] = [];
  const strategy = (name: string, why?: string): Strategy => ({
    name,
    fits: () => why,
    begin() {
      begun.push(name);
      return never();
    },
  });
  const objective = { n, p, f: () => 0, fg: () => 0 };
  const chosen: unknown[] = [];
  const chose = (method: unknown): void => void chosen.push(method);
  const begin = (...strategies: Strategy[]) =>
    automatic(async () => strategies).create(E, objective, E.tall(n, p), { chose });
  await begin(strategy("a"), strategy("b", "it fits"), strategy("c", "so does this"));
  expect(begun).toEqual(["b"]);
  expect(chosen).toEqual([{ name: "b", why: "it fits" }]);
  await expect(begin(strategy("a"), strategy("b"))).rejects.toThrow("none of the methods a, b fits this f");
});
