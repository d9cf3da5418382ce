import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { euclidean } from "../../src/geometry/euclidean.js";
import { counted, noEvaluations, objective } from "../../src/objective.js";
import { paperBeta } from "../../src/penalty/beta.js";
import { expen } from "../../src/penalty/expen.js";
import { noeig } from "../../src/problems/noeig.js";
import { random } from "../../src/random.js";
import { scipySearch } from "../../src/search/scipy.js";
import { solvers } from "../../src/solvers/catalog.js";
import { cg } from "../../src/solvers/cg.js";
import { densityRay, densityRayPays } from "../../src/solvers/density-ray.js";
import { trialRay } from "../../src/solvers/ray.js";
import { randomStart } from "../../src/start.js";
import type { DensityForm, Matrix, Objective } from "../../src/types.js";
import { js as E, exchange, near } from "../functions.js";
import { descent, firstAndTrial } from "./lines.js";

const EPS = 2 ** -52;
const norm = (A: Matrix): number => Math.sqrt(E.dot(A, A));
const distance = (A: Matrix, B: Matrix): number => Math.hypot(...A.data.map((v, i) => v - B.data[i]!));

const cases = [
  ["noeig", noeig(E, { n: 60, p: 6 }).objective],
  ["an exchange energy", exchange(E, 50, 4)],
] as [string, Objective & { density: DensityForm }][];

describe.each(cases)("h along a line: %s", (_name, f) => {
  const { n, p } = f;
  const h = expen(E, f, 1.7);
  const ray = densityRay(E, h, f.density, near(E, n, p, 0.3));
  const [G, X] = [E.matrix(n, p), E.matrix(n, p)];
  descent(E, ray, 5);

  test("it starts with value and gradient of h", () => {
    const value = h.fg(G, ray.X);
    expect(Math.abs(ray.f - value)).toBeLessThan(100 * EPS * Math.abs(value));
    expect(distance(ray.G, G)).toBeLessThan(100 * EPS * norm(G));
  });

  test.each(firstAndTrial)("first step %d: value, slope and gradient at t = %d are those of h", (first, t) => {
    ray.t = first;
    ray.begin();
    ray.t = t;
    ray.move();
    ray.differentiate();
    const { ft, slopeT } = ray;
    ray.settle!();
    E.combine(X, 1, ray.X, t, ray.D);
    const value = h.fg(G, X);
    const scale = Math.abs(value) + norm(G);
    expect(Math.abs(ft - value)).toBeLessThan(100 * EPS * scale);
    expect(Math.abs(slopeT - E.dot(G, ray.D))).toBeLessThan((100 * EPS * scale) / Math.min(1, first || 1));
    expect(distance(ray.Gt, G)).toBeLessThan(100 * EPS * scale);
    expect(distance(ray.Xt, X)).toBeLessThan(4 * EPS * norm(X));
    // the slope may be asked for again when the gradient stands
    ray.differentiate();
    expect(Math.abs(ray.slopeT - E.dot(G, ray.D))).toBeLessThan(100 * EPS * scale);
  });
});

/** Conjugate gradients as SciPy does them on h with the paper's β, from the same start on both rays. */
function run(f: Objective & { density: DensityForm }, X0: Matrix) {
  const h = expen(E, f, paperBeta(E, f, X0));
  const method = () => cg(E, { search: scipySearch(), descent: 0.01, stepCap: 10 * Math.sqrt(f.p) });
  const ray = densityRay(E, h, f.density, X0);
  return { h, ray, fast: method()(ray), plain: () => method()(trialRay(E, h, euclidean(E), X0)) };
}

describe("SciPy's CG", () => {
  const f = noeig(E, { n: 120, p: 8 }).objective as Objective & { density: DensityForm };
  const X0 = randomStart(E, f.n, f.p, 1);

  test("takes the steps of the plain ray", () => {
    const { fast, plain } = run(f, X0);
    const slow = plain();
    for (let k = 0; k <= 30; k++) {
      const [a, b] = [fast.next(), slow.next()];
      if (a.done || b.done) throw new Error("a run ended early");
      // conjugate gradients magnify rounding from step to step
      const rounding = 1e-12 * 1.6 ** k;
      expect(Math.abs(a.value.f - b.value.f)).toBeLessThan(rounding * Math.abs(b.value.f));
      expect(distance(a.value.X, b.value.X)).toBeLessThan(rounding);
    }
  });

  test("what is carried along does not drift", () => {
    const { fast, ray, h } = run(f, X0);
    const G = E.matrix(f.n, f.p);
    let steps = 0;
    for (const s of fast) {
      steps = s.k;
      const value = h.fg(G, s.X);
      expect(Math.abs(s.f - value)).toBeLessThan(200 * EPS * Math.abs(value));
      expect(distance(ray.G, G)).toBeLessThan(200 * EPS * s.gnormMax);
      if (s.k === 120) break;
    }
    expect(steps).toBe(120);
  });

  const text = readFileSync(new URL("../reference/scipy-cg-trace.json", import.meta.url), "utf8");
  interface Reference extends Record<"n" | "p" | "beta" | "tol", number> {
    name: string;
    B?: number[];
    X0: number[];
    /** h, ‖∇h‖, evaluations after each step */
    trace: [number, number, number][];
    median: { iterations: number };
  }
  const reference = (JSON.parse(text).cases as Reference[]).filter(({ B }) => !B);

  test.each(reference.map((c) => [c.name, c] as const))(
    "SciPy's own runs: %s",
    (_name, { n, p, beta, tol, X0: numbers, trace, median }) => {
      const start = (change: number) => {
        const evaluations = noEvaluations();
        const f = counted(noeig(E, { n, p }).objective, evaluations);
        const r = random(change, "rounding");
        const data = Float64Array.from(numbers, (x) => x * (1 + (change && 1e-15 * r.normal())));
        const ray = densityRay(E, expen(E, f, beta), f.density!, E.from({ rows: n, cols: p, data }), evaluations);
        return cg(E, { search: scipySearch(), descent: 0.01, gradientTolerance: tol, restart: false })(ray);
      };
      for (const s of start(0)) {
        if (s.k === 0) continue;
        const [value, gnorm, count] = trace[s.k - 1]!;
        expect(Math.abs(s.f - value)).toBeLessThan(1e-8 * Math.abs(value));
        expect(Math.abs(s.gnorm - gnorm)).toBeLessThan(1e-7 * gnorm);
        expect(s.evaluations.f).toBe(count);
        if (s.k === 20) break;
      }
      const counts = Array.from({ length: 31 }, (_, change) => {
        for (const s of start(change)) if (s.gnorm <= tol) return s.k;
        throw new Error("no convergence");
      }).sort((a, b) => a - b);
      expect(Math.abs(counts[15]! / median.iterations - 1)).toBeLessThan(0.05);
    },
  );
});

test("flops of a trial point, a gradient and a new direction", () => {
  const { objective } = noeig(E, { n: 60, p: 6 });
  const [n, p] = [60, 6];
  const half = n * p * (p + 1);
  const ray = densityRay(E, expen(E, objective, 1), objective.density!, randomStart(E, n, p, 1));
  E.axpby(ray.D, -1, ray.G, 0);
  ray.slope0 = -E.dot(ray.G, ray.G);
  const flops = (act: () => void): number => {
    const before = E.counters.flops;
    act();
    return E.counters.flops - before;
  };
  const value = 2 * n * p * p + half + p * p * (p + 1);
  // far too short: the slope asks for the line, and then the next trial point has it
  ray.t = 1e-6;
  expect(flops(() => ray.begin())).toBe(half);
  expect(flops(() => ray.move())).toBe(value);
  expect(flops(() => ray.differentiate())).toBe(half + 2 * p ** 3);
  ray.t = 5e-6;
  expect(flops(() => ray.move())).toBe(value);
  expect(flops(() => ray.differentiate())).toBe(2 * p ** 3);
  expect(flops(() => ray.settle!())).toBe(2 * n * p * p);
  // about the minimum along the line, where a search ends: the gradient instead of the line
  for (let i = 0; i < 20; i++) {
    ray.t *= ray.slope0 / (ray.slope0 - ray.slopeT);
    ray.move();
    ray.differentiate();
  }
  expect(flops(() => ray.begin())).toBe(half);
  expect(flops(() => ray.move())).toBe(value);
  expect(flops(() => ray.differentiate())).toBe(2 * p ** 3 + 2 * n * p * p);
  expect(flops(() => ray.settle!())).toBe(0);
  expect(flops(() => ray.accept())).toBe(0);
});

test("a value that is not finite is seen", () => {
  const f = exchange(E, 20, 3);
  const { hamiltonian } = f.density;
  let broken = false;
  const form = { ...f.density, hamiltonian: (rho: Matrix) => (broken ? { value: Number.NaN } : hamiltonian(rho)) };
  const ray = densityRay(E, expen(E, f, 1), form, randomStart(E, 20, 3, 1));
  E.axpby(ray.D, -1, ray.G, 0);
  ray.begin();
  ray.t = 1e-3;
  ray.move();
  expect(ray.sawNonFinite).toBe(false);
  broken = true;
  ray.move();
  expect([ray.ft, ray.sawNonFinite]).toEqual([Number.NaN, true]);
});

test.each([
  [{}, "density.hamiltonian is undefined"],
  [{ hamiltonian: () => ({ value: 0 }), apply: 3 }, "density.apply is number"],
])("a form without its functions is refused: %j", (density, what) => {
  const { fg } = exchange(E, 20, 3);
  const make = () => objective(E, { fg, density: density as unknown as DensityForm }, 20, 3);
  expect(make).toThrow(`objective: ${what}; give a function.`);
});

describe("which ray", () => {
  test("not where p is near n", () => {
    expect([densityRayPays(100, 10), densityRayPays(20, 10), densityRayPays(19, 10)]).toEqual([true, true, false]);
  });

  /** calls of H in two iterations of expen-cg on a user's objective that declares it */
  const calls = (n: number, p: number): number => {
    const f = exchange(E, n, p);
    let count = 0;
    const density: DensityForm = {
      hamiltonian(rho) {
        count++;
        return f.density.hamiltonian(rho);
      },
      apply: f.density.apply,
    };
    const evaluations = noEvaluations();
    const user = counted(objective(E, { fg: f.fg, density }, n, p), evaluations);
    for (const s of solvers["expen-cg"].create(E, user, randomStart(E, n, p, 1), { beta: 10, evaluations })) {
      if (s.k === 2) break;
    }
    // each counts as value and gradient
    if (count > 0) expect([evaluations.f, evaluations.grad]).toEqual([count, count]);
    return count;
  };

  test("expen-cg with a fixed β takes it where f declares it", () => {
    expect(calls(30, 3)).toBeGreaterThanOrEqual(3);
    expect(calls(5, 3)).toBe(0);
  });
});
