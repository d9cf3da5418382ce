/** The calls that a result reports are those that the user's functions have seen, whatever the manifold and the method. */

import type { Engine, Matrix, Tall } from "@expen/linalg";
import { jsEngine } from "@expen/linalg/engine";
import { minimize, solvers } from "@expen/solvers";
import { cases, definite, normals } from "@expen/testing/manifold-cases";
import { describe, expect, test } from "vitest";
import type { View } from "../../src/contracts/manifold.js";
import type { State } from "../../src/contracts/method.js";
import type { Evaluations, Objective, QuadraticForm } from "../../src/contracts/objective.js";
import type { Result } from "../../src/contracts/result.js";
import type { UserObjective } from "../../src/contracts/user-objective.js";
import { generalizedStiefel } from "../../src/manifolds/named.js";
import { stiefel } from "../../src/manifolds/stiefel.js";
import { frameExpen } from "../../src/methods/quasi-newton/frame-expen.js";
import { evaluator, noEvaluations } from "../../src/objective/evaluator.js";
import type { MinimizeOptions } from "../../src/run/options.js";

/** `work` with the counters of its calls */
const counting =
  <A extends unknown[], R>(calls: Evaluations, names: (keyof Evaluations)[], work: (...a: A) => R) =>
  (...a: A): R => {
    for (const name of names) calls[name]++;
    return work(...a);
  };

/** The same functions, each call counted */
function watched<P extends View>(user: UserObjective<P>, calls: Evaluations): UserObjective<P> {
  const { f, grad, fg, hvp, linearize, quadratic } = user;
  return {
    ...user,
    ...(f && { f: counting(calls, ["f"], f) }),
    ...(grad && { grad: counting(calls, ["grad"], grad) }),
    ...(fg && { fg: counting(calls, ["f", "grad"], fg) }),
    ...(hvp && { hvp: counting(calls, ["hvp"], hvp) }),
    ...(linearize && { linearize: (X: P) => counting(calls, ["hvp"], linearize(X)) }),
    ...(quadratic && { quadratic: { ...quadratic, apply: counting(calls, ["f", "grad"], quadratic.apply) } }),
  };
}

function expectTrue(
  { evaluations: run, certificate: { evaluations: after } }: Result<unknown>,
  calls: Evaluations,
): void {
  const reported = { f: run.f + after.f, grad: run.grad + after.grad, hvp: run.hvp + after.hvp };
  expect(reported).toEqual(calls);
}

describe("on every manifold", () => {
  test.each(cases)("%s", async (_name, { on, f }) => {
    const working = Object.entries(solvers)
      .filter(([, { needs }]) => needs === undefined)
      .map(([name]) => name);
    for (const solver of [undefined, ...working]) {
      for (const check of [true, false]) {
        const calls = noEvaluations();
        const options = { on, check, maxIterations: 40, ...(solver && { solver }), engine: jsEngine() };
        const given = (E: Engine): UserObjective<View> => watched(f(E), calls);
        expectTrue(await minimize(given, options as MinimizeOptions<View>), calls);
      }
    }
  });
});

/** ½⟨X, AX⟩ + ⟨L, X⟩ as a declared form */
function form(E: Engine, A: Matrix, L?: Tall): UserObjective & { quadratic: QuadraticForm } {
  const a = E.operator(A);
  return {
    fg(G, X) {
      a.apply(G, X);
      const value = 0.5 * E.dot(G, X) + (L ? E.dot(L, X) : 0);
      if (L) E.combine(G, 1, L, 1, G);
      return value;
    },
    quadratic: { apply: (Y, X) => a.apply(Y, X), matrix: A, symmetric: true, ...(L && { L }) },
  };
}

/** Σ w_ij·X_ij² + X_ij⁴ by operations that the engine counts, and with a product */
function quartic(E: Engine, n: number, p: number, multiplies: boolean): UserObjective {
  const [W, V] = [E.tall(n, p, normals(n, p, "weights").data), E.tall(n, p)];
  const A = E.operator(definite(n, "product"));
  return {
    fg(G, X) {
      E.copy(G, X);
      for (let k = 0; k < 8; k++) E.combine(G, 1, G, 0.1, W);
      if (!multiplies) return E.dot(G, X) - 0.5 * E.dot(X, X);
      A.apply(V, X);
      E.combine(G, 1, V, 1, G);
      return 0.5 * E.dot(V, X) + E.dot(G, X) - E.dot(V, X) - 0.5 * E.dot(X, X);
    },
  };
}

const inverse = (Z: Tall, _X: Tall, G: Tall): void => void Z.data.set(G.data.map((g) => g / 3));

/** For each method of the default an f that it takes: n, p, options, f */
const methods: [
  name: string,
  sizes: [number, number],
  o: object,
  f: (E: Engine, n: number, p: number) => UserObjective,
][] = [
  ["davidson", [30, 3], { precondition: inverse }, (E, n) => form(E, definite(n, "A"))],
  [
    "subspace",
    [30, 3],
    { precondition: inverse },
    (E, n, p) => form(E, definite(n, "A"), E.tall(n, p, normals(n, p, "L").data)),
  ],
  ["krylov", [300, 3], {}, (E, n) => form(E, definite(n, "A"))],
  ["subspace", [30, 3], {}, (E, n, p) => form(E, definite(n, "A"), E.tall(n, p, normals(n, p, "L").data))],
  ["penalty", [12, 3], { beta: 50 }, (E, n, p) => quartic(E, n, p, true)],
  ["preconditioned", [12, 3], { precondition: inverse, maxIterations: 2 }, (E, n, p) => quartic(E, n, p, true)],
  ["multiplier", [8, 3], {}, (E, n) => form(E, definite(n, "A"))],
  ["multiplier", [12, 3], {}, (E, n, p) => quartic(E, n, p, false)],
  ["frame", [12, 3], {}, (E, n, p) => quartic(E, n, p, true)],
];

describe("with every method of the default", () => {
  test.each(methods)("%s %j", async (name, [n, p], o, f) => {
    for (const check of [true, false]) {
      const [calls, E] = [noEvaluations(), jsEngine()];
      const r = await minimize(watched(f(E, n, p), calls), {
        on: stiefel(n, p),
        engine: E,
        check,
        maxIterations: 40,
        ...o,
      });
      expect(r.run.method).toBe(name);
      expectTrue(r, calls);
    }
  });

  test("whole-space", async () => {
    const [n, p] = [12, 2];
    const [calls, E] = [noEvaluations(), jsEngine()];
    const on = generalizedStiefel(definite(n, "B", 0.2), p);
    const r = await minimize(watched(form(E, definite(n, "A")), calls), { on, engine: E });
    expect(r.run.method).toBe("whole-space");
    expectTrue(r, calls);
  });
});

describe("f and its gradient at the start", () => {
  const [n, p] = [5, 2];
  const E = jsEngine();
  const X0 = E.tall(n, p, normals(n, p, "start").data);
  function spied(): { f: Objective; seen: number[] } {
    const seen: number[] = [];
    const fg = (G: Tall, X: Tall): number => {
      seen.push(X.data[0]!);
      E.combine(G, 2, X, 0, X);
      return E.dot(X, X);
    };
    return { f: { n, p, f: (X) => E.dot(X, X), fg }, seen };
  }

  test("are evaluated once until they are forgotten", () => {
    const { f, seen } = spied();
    const F = evaluator(E, f);
    const { G, f: value } = F.start(X0);
    expect(F.start(X0).G).toBe(G);
    const [copy, H] = [E.tall(n, p, X0.data), E.tall(n, p)];
    expect(F.fg(H, copy)).toBe(value);
    expect(H.data).toEqual(G.data);
    expect(F.calls).toEqual({ f: 1, grad: 1, hvp: 0 });
    copy.data[3]! += 1e-15;
    expect(F.fg(H, copy)).not.toBe(Number.NaN);
    expect(seen.length).toBe(2);
    F.forget();
    F.fg(H, X0);
    expect(seen.length).toBe(3);
    expect(F.firstNorm).toBeCloseTo(2 * Math.sqrt(E.dot(X0, X0)), 12);
  });

  test("go to a method that takes them, once", () => {
    const { f, seen } = spied();
    const F = evaluator(E, f);
    F.start(X0);
    const taken = F.take(X0);
    expect(F.take(X0)).toBeUndefined();
    const [value, G] = [taken!.f, taken!.G.data.slice()];
    // the method writes into the gradient and has ∇f(X0) in its first state
    const first = frameExpen(E, F, X0, { start: taken }).next().value as State;
    expect(seen.length).toBe(1);
    expect(first.f).toBe(value);
    expect(first.gnorm).toBe((frameExpen(E, f, X0).next().value as State).gnorm);
    const H = E.tall(n, p);
    F.fg(H, X0);
    expect(seen.length).toBe(3);
    expect(H.data).toEqual(G);
  });

  test("serve the check, the choice of the method and its first step: no point has its gradient asked for twice in a row", async () => {
    for (const solver of [undefined, "frame", "rcg", "rlbfgs", "rtr", "plam", "pcal", "landing", "slpg", "wen-yin"]) {
      const [points, engine]: [string[], Engine] = [[], jsEngine()];
      const f = quartic(engine, 12, 3, true);
      const fg = (G: Tall, X: Tall): number => {
        points.push(X.data.join());
        return f.fg!(G, X);
      };
      const value = (X: Tall): number => f.fg!(engine.tall(12, 3), X);
      const stop = () => ({ kind: "iterations", converged: false, text: "at the start" }) as const;
      await minimize({ f: value, fg }, { on: stiefel(12, 3), engine, stop, ...(solver && { solver }) });
      // the start, and its projection, which is measured
      expect([solver, points.length]).toEqual([solver, 2]);
    }
  });
});
