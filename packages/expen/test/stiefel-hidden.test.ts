/** The driver on engines whose numbers cannot be read in place, with steepest descent as its solver. */

import type { Manifold, Objective, Solver, State, View } from "@expen/core";
import { drain, type MinimizeOptions, ObjectiveError, stiefel, type UserObjective } from "@expen/core";
import type { Engine, Matrix, Tall } from "@expen/linalg";
import { EngineError } from "@expen/linalg";
import { polar } from "@expen/linalg/dense";
import { jsEngine } from "@expen/linalg/engine";
import { minimize, solvers, solveStiefel } from "@expen/solvers";
import { opaque } from "@expen/testing/engines/opaque";
import { split } from "@expen/testing/engines/split";
import { gapBoundOf } from "@expen/testing/gap-bound";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { run } from "../src/cli/run.js";

const [n, p] = [20, 2];
/** below the gap of 0.5 between the second and the third eigenvalue */
const lambda = Array.from({ length: n }, (_, i) => (i < p ? 0.1 * i : 0.6 + i / n));
const minimum = 0.05;

/** ½⟨X, Diag(λ)X⟩ with engine operations */
function rayleigh(E: Engine): UserObjective & { f(X: Tall): number } {
  const B = E.operator({ rows: n, cols: n, data: diagonal() });
  const V = E.tall(n, p);
  return {
    f(X) {
      B.apply(V, X);
      return 0.5 * E.dot(X, V);
    },
    grad: (G, X) => B.apply(G, X),
  };
}

function diagonal(): Float64Array {
  const data = new Float64Array(n * n);
  lambda.forEach((v, i) => void (data[i * (n + 1)] = v));
  return data;
}

/** X ← polar(X − t(G − X·sym(XᵀG))), t = 0.9 */
function* descent(E: Engine, f: Objective, X0: Tall): Solver {
  const [X, Y, G, S] = [E.tall(f.n, f.p), E.tall(f.n, f.p), E.tall(f.n, f.p), E.small(f.p, f.p)];
  E.copy(X, X0);
  const project = polar(E, f.n, f.p);
  const nothing = { step: 0, decrease: 0, seconds: 0, evaluations: { f: 0, grad: 0, hvp: 0 } };
  const state: State = { k: 0, X, f: 0, gnorm: 0, gnormMax: 0, ...nothing };
  for (; ; state.k++) {
    state.f = f.fg(G, X);
    E.tmul(S, X, G);
    E.symmetrize(S);
    E.mul(G, X, S, -1, 1);
    state.gnorm = Math.sqrt(E.dot(G, G));
    state.gnormMax = Math.max(state.gnormMax, state.gnorm);
    yield state;
    E.combine(Y, 1, X, -0.9, G);
    project(X, Y);
  }
}

beforeEach(() => void vi.spyOn(solvers.rcg, "load").mockResolvedValue(descent));
afterEach(() => void vi.restoreAllMocks());

describe.each([
  ["opaque", () => opaque(jsEngine())],
  ["split", () => split(jsEngine())],
] as const)("%s", (_name, open) => {
  const E: Engine = open();
  const solve = (f: UserObjective | ((E: Engine) => UserObjective), more: Partial<MinimizeOptions> = {}) =>
    minimize(f, { on: stiefel(n, p), engine: E, solver: "rcg", tol: 1e-8, ...more } as MinimizeOptions);
  /** the eigenvectors `which` */
  const eigenvectors = (...which: number[]): Matrix => {
    const data = new Float64Array(n * p);
    which.forEach((i, j) => void (data[i * p + j] = 1));
    return { rows: n, cols: p, data };
  };

  test("from f to the answer in plain numbers, the same as on js", async () => {
    const result = await solve(rayleigh, { history: true, certificate: "second-order" });
    expect(result).toMatchObject({
      status: "converged",
      run: { engine: E.name },
      certificate: { level: "second-order" },
    });
    expect(result.fval).toBeCloseTo(minimum, 12);
    expect(result.X.data).toBeInstanceOf(Float64Array);
    const js = await minimize(rayleigh, { on: stiefel(n, p), engine: jsEngine(), solver: "rcg", tol: 1e-8 });
    expect(result.iterations).toBe(js.iterations);
    result.X.data.forEach((x, i) => void expect(Math.abs(x - js.X.data[i]!)).toBeLessThan(1e-12));
  });

  test.each(["auto", "expen-cg", "rtr"] as const)("the same minimum with %s", async (solver) => {
    const result = await solve(rayleigh, { solver, certificateBudget: 60 });
    expect(result).toMatchObject({ status: "converged", certificate: { level: "second-order" } });
    expect(result.fval).toBeCloseTo(minimum, 12);
  });

  test("a declared form is checked and proves the minimum", async () => {
    const made = (E: Engine): UserObjective => {
      const { f, grad } = rayleigh(E);
      const matrix = { rows: n, cols: n, data: diagonal() };
      return { f, grad: grad!, quadratic: { apply: (Y: Tall, X: Tall) => E.operator(matrix).apply(Y, X), matrix } };
    };
    const result = await solve(made);
    expect(result.certificate).toMatchObject({ level: "global" });
    expect(gapBoundOf(result.certificate)).toBeLessThan(1e-6);
  });

  test("starts: in host memory or of the engine, made feasible, completed", async () => {
    const skew = eigenvectors(0, 1);
    skew.data.set([2, 0.3]);
    const own = E.tall(n, p, skew.data);
    const [a, b] = [await solve(rayleigh, { start: skew }), await solve(rayleigh, { start: own })];
    expect(a.X).toEqual(b.X);
    for (const { notes } of [a, b]) expect(notes.join()).toMatch(/the start was not orthonormal/);
    const flat = eigenvectors(3, 3);
    expect((await solve(rayleigh, { start: flat })).notes.join()).toMatch(/the start had rank 1 < p = 2/);
    flat.data[5] = Number.NaN;
    await expect(solve(rayleigh, { start: flat })).rejects.toThrow(/start: entry \(2, 1\) is NaN/);
  });

  test("a saddle is left", async () => {
    const result = await solve(rayleigh, { start: eigenvectors(0, 4) });
    expect(result.notes.join()).toMatch(/left a saddle/);
    expect(result.fval).toBeCloseTo(minimum, 12);
  });

  test("an exception of f carries the last good point", async () => {
    let left = 12;
    const failing = (E: Engine): UserObjective => {
      const { f, grad } = rayleigh(E);
      const counted = (X: Tall): number => {
        if (left-- === 0) throw new Error("out of luck");
        return f(X);
      };
      return { f: counted, grad: grad! };
    };
    const error = await solve(failing, { check: false }).catch((e: unknown) => e);
    expect(error).toBeInstanceOf(ObjectiveError);
    const { X, message } = error as ObjectiveError;
    expect(message).toMatch(/out of luck/);
    expect(Math.hypot(...X.data)).toBeCloseTo(Math.sqrt(p), 12);
  });

  test("an f with loops over the numbers is told what to do, before the run", async () => {
    const loops: UserObjective = { f: (X) => X.data[0]!, grad: (G) => void (G.data[0] = 1) };
    await expect(solve(loops)).rejects.toThrow(EngineError);
    await expect(solve(loops)).rejects.toThrow(/copy it with read\(\), or use engine operations/);
    await expect(solve(loops, { check: false })).rejects.toThrow(/copy it with read\(\), or use engine operations/);
  });

  test("a run of the command line ends at its last good point where derivatives throw", async () => {
    let left = 5;
    const { f, grad } = rayleigh(E);
    const objective: Objective = {
      n,
      p,
      f,
      fg(G, X) {
        if (left-- === 0) throw new Error("out of luck");
        grad!(G, X);
        return f(X);
      },
      hvp: (H, _X, D) => grad!(H, D),
    };
    const on = stiefel(n, p) as Manifold<View>;
    const problem = {
      name: "own",
      n,
      p,
      on,
      bound: on.bind(E),
      objective,
      optimum: () => undefined,
      own: true,
      notes: [],
    };
    const controller = new AbortController();
    const result = await run(problem, "rcg", { tol: 1e-8 }, { controller, quiet: true });
    expect(result.reason.text).toMatch(/own: f or its derivatives threw during the run: out of luck/);
  });
});

test("a run reads the answer and nothing else that is tall", async () => {
  const E = opaque(jsEngine());
  const f = rayleigh(E);
  const fg = (G: Tall, X: Tall): number => {
    f.grad!(G, X);
    return f.f(X);
  };
  const { tall } = E.crossings;
  await drain(solveStiefel(E, { n, p, f: f.f, fg }, { solver: "rcg", certificate: "stationary", tol: 1e-8 }));
  // the random start is written, the answer read
  expect(E.crossings.tall - tall).toBe(2 * n * p);
});
