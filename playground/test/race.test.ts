/** The worker's part of the playground, without a browser: a race is a set of ordinary runs. */
import type { SolverName } from "expen";
import { jsEngine, wasmEngine } from "expen/engines";
import { drain, solvers, solveStiefel } from "expen/methods";
import { problems } from "expen/problems";
import { describe, expect, test } from "vitest";
import { multiplierText } from "../src/format.js";
import type { Command, Entrant, Progress, RaceSpec } from "../src/protocol.js";
import { checkSize, openCourse } from "../src/worker/course.js";
import { entrantOptions, optionFields } from "../src/worker/entrant-options.js";
import { race } from "../src/worker/race.js";

const spec = (name: string, names: string[], more: Partial<RaceSpec> = {}): RaceSpec => ({
  problem: { kind: "catalog", name, options: {} },
  n: 30,
  p: 3,
  seed: 2,
  ridge: 0,
  entrants: names.map((solver) => ({ solver, options: {} })),
  threads: 1,
  ...more,
});

async function results(s: RaceSpec, commands: Command[] = []): Promise<Progress[]> {
  const E = await wasmEngine();
  const all: Progress[] = s.entrants.map((_, entrant) => ({ entrant, points: [], path: [], singular: [] }));
  const running = await race(E, openCourse(E, s), s, (news) => {
    for (const { entrant, points, path, singular, result, error } of news) {
      const kept = all[entrant]!;
      kept.points.push(...points);
      kept.path.push(...path);
      kept.singular.push(...singular);
      if (result) kept.result = result;
      if (error) kept.error = error;
    }
  });
  for (const what of commands) {
    running.command(what);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await running.finished;
  E.dispose();
  return all;
}

/** A result without what the clock says */
const untimed = <R extends { seconds: number; certificate: { seconds: number } }>(r: R): R => ({
  ...r,
  seconds: 0,
  certificate: { ...r.certificate, seconds: 0 },
});

describe("a constraint beside the manifold", () => {
  const code = "return scale(0.5, trace(mul(t(X), symmetric(n), X)));";
  const constrained = (more: Partial<RaceSpec>): RaceSpec =>
    spec("", ["auto"], { problem: { kind: "code", code }, n: 12, p: 2, ...more });

  test("X ≥ 0: an answer that is nonnegative, with the residual at every point and the multipliers", async () => {
    const [run] = await results(constrained({ subjectTo: { kind: "nonnegative" } }));
    const { result, points } = run!;
    expect(result!.status).toBe("converged");
    expect(Math.min(...result!.X!)).toBe(0);
    expect(points.length).toBeGreaterThan(3);
    expect(points.every(({ residual }) => residual !== undefined && residual >= 0)).toBe(true);
    expect(points.at(-1)!.residual).toBe(0);
    expect(multiplierText(result!)).toMatch(/^\d+ of 24 multipliers are not 0, the largest is .*; violation 0/);
  });

  test("bounds, one step at a time", async () => {
    const s = constrained({ subjectTo: { kind: "bounds", lower: -0.4, upper: 0.4 }, maxIterations: 500 });
    const [run] = await results(s, ["pause", "step", "step", "run"]);
    expect(run!.result!.status).toBe("converged");
    expect(Math.max(...run!.result!.X!.map(Math.abs))).toBeLessThanOrEqual(0.4 + 1e-6);
    expect(run!.points.at(-1)!.residual).toBeLessThan(1e-5);
  });

  test("other solvers say that they take no constraints; bounds that cross are a sentence", async () => {
    const subjectTo = { kind: "bounds", lower: 1, upper: -1 } as const;
    const [own, other] = await results(
      constrained({ subjectTo, entrants: ["auto", "expen-cg"].map((solver) => ({ solver, options: {} })) }),
    );
    expect(own!.error).toMatch(/^bounds: the lower bound 1 is above the upper bound -1/);
    expect(other!.error).toMatch(/^subjectTo: the solver is 'expen-cg'/);
  });
});

describe("a race", () => {
  test.each(["noeig", "brockett", "quadratic"])("on %s gives every solver the bits it has alone", async (name) => {
    const names = Object.keys(solvers) as SolverName[];
    const raced = await results(spec(name, names, { maxIterations: 200 }));
    for (const [i, solver] of names.entries()) {
      const E = await wasmEngine();
      const { objective, optimum } = problems.get(name)!.make(E, { n: 30, p: 3, seed: 2 });
      const options = { solver, seed: 2, maxIterations: 200, ...(optimum !== undefined && { optimum }) };
      const { X, ...alone } = await drain(solveStiefel(E, objective, options));
      const { X: racedX, ...result } = raced[i]!.result!;
      expect(untimed(result), solver).toEqual(untimed(alone));
      expect(racedX).toEqual(Float64Array.from(X.data));
      E.dispose();
    }
  });

  test("in steps ends where it ends without them", async () => {
    const s = spec("quadratic", ["auto", "expen-cg"]);
    const [whole, stepped] = [await results(s), await results(s, ["step", "step", "pause", "step", "run"])];
    for (const i of [0, 1]) {
      expect(untimed(stepped[i]!.result!)).toEqual(untimed(whole[i]!.result!));
    }
  });

  test("that is stopped says so and keeps a feasible point", async () => {
    const [run] = await results(spec("noeig", ["expen-cg"], { n: 400, p: 20, tol: 1e-13 }), ["pause", "stop"]);
    expect(run!.result!.status).toBe("aborted");
    expect(run!.result!.feasibility).toBeLessThan(1e-12);
  });

  test("measures f and stationarity at the projection, feasibility before it", async () => {
    const [run] = await results(spec("brockett", ["expen-cg"]));
    const { points, result } = run!;
    expect(points[0]!.k).toBe(0);
    expect(points[0]!.feasibility).toBeLessThan(1e-13);
    expect(points.some((q) => q.feasibility > 1e-4)).toBe(true);
    for (const q of points) expect(q.fval).toBeGreaterThanOrEqual(result!.optimum! - 1e-12);
    const last = points.at(-1)!;
    expect([last.fval, last.stationarity, last.k]).toEqual([result!.fval, result!.stationarity, result!.iterations]);
    expect(points.map((q) => q.k)).toEqual(points.map((q) => q.k).toSorted((a, b) => a - b));
  });

  test("sends paths whose singular values are those of the iterates", async () => {
    const [run] = await results(spec("quadratic", ["expen-cg"], { n: 3, p: 1, path: true }));
    const lengths = run!.singular.map((_, i) => Math.hypot(...run!.path.slice(3 * i, 3 * i + 3)));
    expect(lengths.length).toBe(run!.result!.iterations + 1);
    for (const [i, s] of run!.singular.entries()) expect(s).toBeCloseTo(lengths[i]!, 12);
  });

  test("an entrant with a wrong option fails alone", async () => {
    const entrants: Entrant[] = [
      { solver: "expen-cg", options: { beta: "-1" } },
      { solver: "auto", options: {} },
      { solver: "nobody", options: {} },
    ];
    const [bad, good, unknown] = await results(spec("quadratic", [], { entrants }));
    expect(bad!.error).toMatch(/^β is '-1'; it must be a positive number/);
    expect(good!.result!.status).toBe("converged");
    expect(unknown!.error).toMatch(/^solver 'nobody' is none of auto, /);
  });
});

test("c/2·‖X‖² changes f by c·p/2 on the manifold, and neither the gradient there nor the proof of a global minimum", async () => {
  const s = spec("quadratic", ["auto"]);
  const [plain] = await results(s);
  const [shifted] = await results({ ...s, ridge: 5 });
  expect(shifted!.result!.fval - plain!.result!.fval).toBeCloseTo((5 * 3) / 2, 8);
  expect(shifted!.result!.certificate.level).toBe(plain!.result!.certificate.level);
  expect(shifted!.points[0]!.stationarity).toBeCloseTo(plain!.points[0]!.stationarity, 10);
});

test("the same of samples with fewer rows than columns, whose matrix is of low rank", async () => {
  const A = { rows: 6, cols: 30, data: Float64Array.from({ length: 180 }, (_, k) => Math.sin(k * k)) };
  const s = { ...spec("pca", ["auto"], { n: 30 }), problem: { kind: "pca", A } as RaceSpec["problem"] };
  for (const ridge of [0, 5]) {
    const [found] = await results({ ...s, ridge });
    expect(found!.result!.certificate.level).toBe("global");
  }
});

test("options of an entrant: numbers become numbers, others are refused", () => {
  expect(entrantOptions("expen-cg", { beta: "0.5", rule: "fr", memory: "3" })).toEqual({ beta: 0.5, rule: "fr" });
  expect(entrantOptions("expen-lbfgs", { memory: "3", beta: "" })).toEqual({ memory: 3 });
  expect(() => entrantOptions("expen-cg", { rule: "xx" })).toThrow("rule 'xx' is none of fr, pr");
  expect(() => entrantOptions("expen-lbfgs", { memory: "0" })).toThrow("memory is '0'; it must be a whole number");
});

test("the fields of an entrant are those of the solver's schema that can be written", () => {
  const names = (solver: SolverName) => optionFields(solver).map((field) => field.name);
  expect(names("rcg")).toEqual(["rule", "search", "retraction"]);
  expect(names("slpg")).toEqual([]);
  const [beta, memory] = optionFields("expen-lbfgs");
  expect(beta).toMatchObject({ label: "β", fixed: false, absent: "auto", names: ["auto", "paper", "cdopt", "theory"] });
  expect(memory).toMatchObject({ name: "memory", fixed: false, absent: "4", names: [] });
});

test("sizes are refused in a sentence before anything is allocated", () => {
  expect(() => checkSize(1e9, 1)).toThrow("more than a page can hold");
  expect(() => checkSize(3, 4)).toThrow("p = 4 is above n = 3");
  expect(() => checkSize(2.5, 1)).toThrow("n is 2.5; it must be a whole number");
  expect(() => openCourse(jsEngine(), spec("nothing", []))).toThrow("problem 'nothing' is none of noeig");
});
