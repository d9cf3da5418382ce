import { wasmEngine } from "@expen/engines/wasm";
import { brockett, noeig } from "@expen/experiments/paper";
import { quadratic } from "@expen/experiments/problems";
import type { Engine, Small, Tall } from "@expen/linalg";
import { eigh, polar } from "@expen/linalg/dense";
import { tallOf } from "@expen/linalg/engine";
import { minimize, solveStiefel } from "@expen/solvers";
import { linear, normal, normalSmall, rayleigh } from "@expen/testing/functions";
import { beforeAll, describe, expect, test } from "vitest";
import type { Objective } from "../src/contracts/objective.js";
import { ObjectiveError } from "../src/contracts/result.js";
import { stiefel } from "../src/manifolds/stiefel.js";
import type { StiefelOptions } from "../src/run/options.js";
import { randomStart } from "../src/run/start.js";
import { stepBelow } from "../src/run/stop-rules.js";

let E: Engine;
beforeAll(async () => {
  E = await wasmEngine();
});

/** ½tr XᵀAX with A = random symmetric/‖·‖₂ + c·I, times `scale`: what f does not declare cannot help the solver */
function eigenproblem(
  n: number,
  p: number,
  seed: number,
  c = 0,
  scale = 1,
): { f: Objective; optimum: number; A: Small } {
  const A = normalSmall(E, n, n, seed);
  E.symmetrize(A);
  const { values } = eigh(E, A);
  const size = Math.max(-values[0]!, values[n - 1]!);
  E.combine(A, scale / size, A, 0, A);
  E.addDiagonal(A, c * scale);
  let optimum = 0;
  for (let j = 0; j < p; j++) optimum += 0.5 * scale * (values[j]! / size + c);
  return { f: rayleigh(E, A, p), optimum, A };
}
const solve = (f: Objective, o: StiefelOptions = {}) => minimize(f, { on: stiefel(f.n, f.p), engine: E, ...o });

describe("the paper's numbers", () => {
  test("ExPen-CG as printed: noeig 1000×10, β = ‖∇f(X0)‖/10, tolerance 1e-3", async () => {
    const { objective } = noeig(E, { n: 1000, p: 10 });
    const r = await solve(objective, { solver: "expen-cg", beta: "paper", tol: 1e-3, certificate: "stationary" });
    expect(r.status).toBe("converged");
    expect(r.fval.toPrecision(7)).toBe("35.70857");
    expect(r.iterations).toBeGreaterThanOrEqual(130);
    expect(r.iterations).toBeLessThanOrEqual(200);
    expect(r.stationarity).toBeLessThanOrEqual(1e-3);
    expect(r.feasibility).toBeLessThanOrEqual(1e-13);
  });

  test.each([
    [250, 10, 35.708570776728],
    [250, 30, 648.20857051648],
    [250, 50, 2810.7085705164],
  ])(
    "default on noeig %i×%i: half the evaluations of ExPen-CG or fewer, and tolerance 1e-7 without a stall",
    async (n, p, optimum) => {
      const { objective } = noeig(E, { n, p });
      const paper = await solve(objective, { solver: "expen-cg", beta: "paper", tol: 1e-3, certificate: "stationary" });
      const ours = await solve(objective, { tol: 1e-3, certificate: "stationary" });
      expect(ours.evaluations.f).toBeLessThanOrEqual(paper.evaluations.f / 2);
      const fine = await solve(objective, { tol: 1e-7, certificate: "stationary" });
      expect(fine.status).toBe("converged");
      expect(fine.stationarity).toBeLessThanOrEqual(1e-7);
      expect(Math.abs(fine.fval - optimum)).toBeLessThan(1e-10 * optimum);
    },
  );

  test("Brockett: relative gap ≤ 1e-3 at tolerance 1e-3 and ≤ 1e-9 at 1e-7, with fewer operator products than ExPen-CG", async () => {
    const { objective, optimum } = brockett(E, { n: 200, p: 10 });
    const paper = await solve(objective, {
      solver: "expen-cg",
      beta: "paper",
      tol: 1e-3,
      optimum,
      certificate: "stationary",
    });
    const coarse = await solve(objective, { tol: 1e-3, optimum });
    const fine = await solve(objective, { tol: 1e-7, optimum });
    const black = await solve({ n: 200, p: 10, f: objective.f, fg: objective.fg }, { tol: 1e-7, optimum });
    for (const r of [paper, coarse]) expect(r.gap! / Math.abs(optimum!)).toBeLessThan(1e-3);
    for (const r of [fine, black]) {
      expect(r.status).toBe("converged");
      expect(r.gap! / Math.abs(optimum!)).toBeLessThan(1e-9);
    }
    expect(coarse.evaluations.f).toBeLessThanOrEqual(paper.evaluations.f);
    expect(fine.certificate.level).toBe("global");
  });

  test("the Newton finish goes to rounding: 1e-13 of ‖∇f(X0)‖, and says where the floor is", async () => {
    const { objective } = noeig(E, { n: 250, p: 10 });
    const G = E.tall(250, 10);
    objective.fg(G, randomStart(E, 250, 10, 1));
    const r = await solve(objective, { tol: 1e-4, finish: "newton" });
    expect(r.status).toBe("converged");
    expect(r.reason.kind).toBe("rounding");
    expect(r.reason.text).toMatch(/does not fall below/);
    expect(r.stationarity).toBeLessThan(1e-13 * Math.sqrt(E.dot(G, G)));
  });
});

describe("invariances", () => {
  const steps = new Map<number, number>();
  const plainSteps = async (seed: number): Promise<number> => {
    const known = steps.get(seed) ?? (await solve(eigenproblem(60, 6, seed, 0).f, { seed })).iterations;
    steps.set(seed, known);
    return known;
  };
  test.each([0, 1, 3, 10, 100, 1000, -1000])(
    "adding c/2·‖X‖² to f, c = %f: ten of ten seeds at the optimum, in the same number of steps",
    async (c) => {
      for (let seed = 1; seed <= 10; seed++) {
        const { f, optimum } = eigenproblem(60, 6, seed, c);
        const r = await solve(f, { seed });
        expect(r.status).toBe("converged");
        expect(r.feasibility).toBeLessThan(1e-13);
        expect(Math.abs(r.fval - optimum)).toBeLessThan(1e-9 * (1 + Math.abs(c)));
        expect(Math.abs(r.iterations - (await plainSteps(seed)))).toBeLessThanOrEqual(5);
      }
    },
  );

  test("the paper's rule fails there, and it is said", async () => {
    const { f } = eigenproblem(60, 6, 1, 1);
    const r = await solve(f, { solver: "expen-cg", beta: "paper", tol: 1e-6 });
    expect(r.reason).toMatchObject({ kind: "spurious", converged: false });
    expect(r.reason.text).toMatch(/β = .* is too small/);
    expect(r.certificate.penalty?.enough).toBe(false);
    expect(r.X.data.every(Number.isFinite)).toBe(true);
  });

  test.each([1e-6, 1e-3, 1e3, 1e6])("multiplying f by %f", async (scale) => {
    const { f, optimum } = eigenproblem(40, 4, 2, 0, scale);
    const r = await solve(f);
    expect(r.status).toBe("converged");
    expect(Math.abs(r.fval - optimum)).toBeLessThan(1e-9 * scale);
  });

  test("rotating the start of a rotation-invariant f rotates the answer", async () => {
    const { f } = eigenproblem(30, 3, 3);
    const [X0, Q, X1] = [randomStart(E, 30, 3, 5), E.small(3, 3, E.read(randomStart(E, 3, 3, 6))), E.tall(30, 3)];
    E.mul(X1, X0, Q);
    const [a, b] = [await solve(f, { start: X0 }), await solve(f, { start: X1 })];
    expect(Math.abs(a.fval - b.fval)).toBeLessThan(1e-11);
    // the spans agree: ‖XᵃᵀXᵇ‖² = p
    const S = E.small(3, 3);
    E.tmul(S, tallOf(E, a.X), tallOf(E, b.X));
    expect(E.dot(S, S)).toBeCloseTo(3, 8);
  });
});

describe("shapes and starts", () => {
  test.each([
    [40, 1],
    [12, 12],
    [1, 1],
    [5, 4],
  ])("%i×%i", async (n, p) => {
    const { f, optimum } = eigenproblem(n, p, 1);
    const r = await solve(f);
    expect(r.status).toBe("converged");
    expect(Math.abs(r.fval - optimum)).toBeLessThan(1e-9);
  });

  test("a start at a saddle is left, whatever the saddle", async () => {
    const { f, optimum, A } = eigenproblem(30, 3, 1);
    const { vectors } = eigh(E, A);
    for (const first of [5, 14, 27]) {
      const start = { rows: 30, cols: 3, data: new Float64Array(90) };
      for (let i = 0; i < 30; i++)
        for (let j = 0; j < 3; j++) start.data[i * 3 + j] = vectors.data[i * 30 + first + j]!;
      const r = await solve(f, { start });
      expect(r.status).toBe("converged");
      expect(Math.abs(r.fval - optimum)).toBeLessThan(1e-9);
    }
  });

  test("an infeasible and a rank-deficient start are repaired with a word", async () => {
    const { f, optimum } = eigenproblem(20, 3, 1);
    const scaled = normal(E, 20, 3, 8);
    const one = await solve(f, { start: scaled });
    expect(one.notes.join()).toMatch(/not orthonormal/);
    const deficient = { rows: 20, cols: 3, data: new Float64Array(60) };
    const two = await solve(f, { start: deficient });
    expect(two.notes.join()).toMatch(/rank 0/);
    for (const r of [one, two]) expect(Math.abs(r.fval - optimum)).toBeLessThan(1e-9);
  });

  test("a warm start at the solution stays there; a run can be resumed from a result", async () => {
    const { objective } = noeig(E, { n: 100, p: 5 });
    const first = await solve(objective, { maxIterations: 20 });
    expect(first.reason.kind).toBe("iterations");
    const second = await solve(objective, { start: first.X });
    expect(second.status).toBe("converged");
    expect(second.fval).toBeLessThan(first.fval);
    const third = await solve(objective, { start: second.X });
    expect(third.status).toBe("converged");
    expect(Math.abs(third.fval - second.fval)).toBeLessThan(1e-10 * second.fval);
  });

  test("the same seed gives the same bits", async () => {
    const { objective } = noeig(E, { n: 60, p: 4 });
    const [a, b] = [await solve(objective, { seed: 3 }), await solve(objective, { seed: 3 })];
    expect([...a.X.data]).toEqual([...b.X.data]);
    expect(a.evaluations).toEqual(b.evaluations);
  });
});

describe("a run that never lies", () => {
  test("f that is NaN in a region: the last finite point is kept and the reason says it", async () => {
    const { f } = eigenproblem(20, 2, 1);
    const limit = -0.7;
    const cut = (value: number): number => (value < limit ? Number.NaN : value);
    const r = await solve(
      { n: 20, p: 2, f: (X) => cut(f.f(X)), fg: (G, X) => cut(f.fg(G, X)) },
      { maxIterations: 500 },
    );
    expect(r.reason.converged).toBe(false);
    expect(["not-finite", "search-failed", "iterations"]).toContain(r.reason.kind);
    expect(r.X.data.every(Number.isFinite)).toBe(true);
    expect(r.feasibility).toBeLessThan(1e-13);
  });

  test("f that is NaN from the start", async () => {
    const r = await solve({ n: 6, p: 2, f: () => Number.NaN, fg: () => Number.NaN });
    expect(r.reason).toMatchObject({ kind: "not-finite", converged: false });
    expect(r.status).toBe("not-finite");
    expect(r.X.data.every(Number.isFinite)).toBe(true);
  });

  test("f that throws: the error carries the last good point", async () => {
    const { f } = eigenproblem(20, 2, 1);
    let calls = 0;
    const fg = (G: Tall, X: Tall): number => {
      if (++calls > 15) throw new Error("the dog ate it");
      return f.fg(G, X);
    };
    const error = await solve({ ...f, fg }).catch((e) => e);
    expect(error).toBeInstanceOf(ObjectiveError);
    expect(error.message).toMatch(/the dog ate it/);
    expect(error.X.data.length).toBe(40);
  });

  test("a penalty that lets the iterates run away is called that", async () => {
    // h = ⟨L, A(X)⟩ + β/4·‖K‖² falls like −s³ for s > 1 up to s ≈ 2σ/β, far from the manifold, where β is tiny
    const L = normal(E, 20, 2, 1);
    const start = E.tall(20, 2);
    polar(E, 20, 2)(start, L);
    E.combine(start, 1e-3, normal(E, 20, 2, 2), 1, start);
    const r = await solve(linear(E, L), { solver: "expen-cg", beta: 1e-6, start });
    expect(r.reason).toMatchObject({ kind: "unbounded", converged: false });
    expect(r.reason.text).toMatch(/run away/);
    const auto = await solve(linear(E, L), { solver: "expen-cg", start });
    expect(auto.status).toBe("converged");
  });

  test("limits: iterations, time, signal, and a rule of one's own", async () => {
    const { objective } = noeig(E, { n: 200, p: 10 });
    expect((await solve(objective, { maxIterations: 3 })).reason).toMatchObject({
      kind: "iterations",
      converged: false,
    });
    expect((await solve(objective, { maxIterations: 3 })).iterations).toBe(3);
    expect((await solve(objective, { maxSeconds: 0 })).reason.kind).toBe("time");
    const controller = new AbortController();
    let seen = 0;
    const r = await solve(objective, {
      signal: controller.signal,
      observe(s) {
        seen = s.k;
        if (s.k === 5) controller.abort();
      },
    });
    expect(r.reason.kind).toBe("aborted");
    expect(seen).toBe(5);
    expect(r.X.data.every(Number.isFinite)).toBe(true);
    expect((await solve(objective, { stop: stepBelow(1e-2) })).reason.kind).toBe("step");
  });

  test("wrong options are one sentence", async () => {
    const { f } = eigenproblem(5, 2, 1);
    expect(() => stiefel(2, 3)).toThrow(/p = 3 is above n = 2/);
    await expect(solve(f, { tol: -1 })).rejects.toThrow(/tol is -1/);
    await expect(solve(f, { beta: -3 })).rejects.toThrow(/beta is -3/);
    await expect(solve(f, { solver: "nope" as never })).rejects.toThrow(/'nope' is none of/);
    await expect(solve(f, { start: E.small(3, 3) })).rejects.toThrow(/3×3/);
    await expect(minimize({ f: f.f }, { on: stiefel(5, 2), engine: E })).rejects.toThrow(/give fg/);
  });
});

test("history has a row for every state, in order", async () => {
  const { objective } = quadratic(E, { n: 30, p: 3 });
  const r = await solve(objective, { history: true, solver: "expen-lbfgs" });
  expect(r.history!.length).toBe(r.iterations + 1);
  r.history!.forEach((row, i) => {
    expect(row.k).toBe(i);
  });
});

test("solveStiefel can be stepped from outside", async () => {
  const { objective } = noeig(E, { n: 50, p: 3 });
  const steps = await solveStiefel(E, objective, { certificate: "stationary" });
  const gnorms: number[] = [];
  for (let i = 0; i < 3; i++) {
    const next = steps.next();
    if (!next.done) gnorms.push(next.value.gnorm);
  }
  expect(gnorms.length).toBe(3);
});
