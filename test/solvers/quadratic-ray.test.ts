import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { euclidean } from "../../src/geometry/euclidean.js";
import { counted, noEvaluations } from "../../src/objective.js";
import { paperBeta } from "../../src/penalty/beta.js";
import { expen } from "../../src/penalty/expen.js";
import { brockett } from "../../src/problems/brockett.js";
import { pca } from "../../src/problems/pca.js";
import { quadratic } from "../../src/problems/quadratic.js";
import { quadraticObjective } from "../../src/problems/quadratic-objective.js";
import { scipySearch } from "../../src/search/scipy.js";
import { solvers } from "../../src/solvers/catalog.js";
import { cg } from "../../src/solvers/cg.js";
import { quadraticRay, quadraticRayPays } from "../../src/solvers/quadratic-ray.js";
import { trialRay } from "../../src/solvers/ray.js";
import { randomStart } from "../../src/start.js";
import type { Matrix, QuadraticForm, State } from "../../src/types.js";
import { js as E, near, normal } from "../functions.js";
import { descent, firstAndTrial } from "./lines.js";

const EPS = 2 ** -52;
const norm = (A: Matrix): number => Math.sqrt(E.dot(A, A));
const distance = (A: Matrix, B: Matrix): number => Math.hypot(...A.data.map((v, i) => v - B.data[i]!));

function symmetricNormal(n: number, seed: number): Matrix {
  const B = normal(E, n, n, seed);
  E.symmetrize(B);
  return B;
}

describe.each([
  ["B alone", {}],
  ["C", { C: true }],
  ["L and a constant", { L: true }],
  ["C, L and a constant", { C: true, L: true }],
  ["C, L, a constant and a shift", { C: true, L: true, shifted: true }],
] as [string, { C?: boolean; L?: boolean; shifted?: boolean }][])(
  "h along a line from p×p matrices: %s",
  (_name, has) => {
    const [n, p] = [17, 4];
    const B = symmetricNormal(n, 1);
    const form: QuadraticForm = {
      apply: (Y, X) => E.apply(Y, B, X),
      ...(has.C && { C: symmetricNormal(p, 2) }),
      ...(has.L && { L: normal(E, n, p, 3), constant: 7 }),
    };
    const h = expen(E, quadraticObjective(E, n, p, form), 1.7);
    if (has.shifted) {
      E.copy(h.M, symmetricNormal(p, 4));
      h.shifted = true;
    }
    const ray = quadraticRay(E, h, form, near(E, n, p, 0.3));
    const [G, X] = [E.matrix(n, p), E.matrix(n, p)];
    descent(E, ray, 5);

    const along = (t: number, first = t): void => {
      ray.t = first;
      ray.begin();
      ray.t = t;
      ray.move();
      ray.differentiate();
      ray.settle!();
    };

    test.each(firstAndTrial)("first step %d: value, slope and gradient at t = %d are those of h", (first, t) => {
      along(t, first);
      const [change, slope] = [ray.ft, ray.slopeT];
      E.combine(X, 1, ray.X, t, ray.D);
      const value = h.fg(G, X);
      const scale = Math.abs(value) + Math.abs(ray.f) + norm(G);
      expect(Math.abs(ray.f + change - ray.f0 - value)).toBeLessThan(100 * EPS * scale);
      expect(Math.abs(slope - E.dot(G, ray.D))).toBeLessThan((100 * EPS * scale) / Math.min(1, first || 1));
      expect(distance(ray.Gt, G)).toBeLessThan(100 * EPS * scale);
      expect(distance(ray.Xt, X)).toBeLessThan(4 * EPS * norm(X));
    });

    test("a difference of values keeps its digits where the values agree in nearly all of theirs", () => {
      const t = 1e-9;
      const slope0 = E.dot(ray.G, ray.D);
      along(t);
      const change = ray.ft - ray.f0;
      // the trapezoid rule is right up to t³; the shift's part, of size ‖K‖²·‖M‖, is a plain difference
      const shift = has.shifted ? 0.3 ** 2 * norm(h.M) : 0;
      expect(Math.abs(change - 0.5 * t * (slope0 + ray.slopeT))).toBeLessThan(1e-13 * t * norm(ray.G) + EPS * shift);
    });
  },
);

/** Conjugate gradients as SciPy does them on h with the paper's β, from the same start on both rays. */
function run(form: QuadraticForm, n: number, p: number) {
  const evaluations = noEvaluations();
  const f = counted(quadraticObjective(E, n, p, form), evaluations);
  const X0 = randomStart(E, n, p, 1);
  const h = expen(E, f, paperBeta(E, quadraticObjective(E, n, p, form), X0));
  const method = () => cg(E, { search: scipySearch(), descent: 0.01, stepCap: 10 * Math.sqrt(p) });
  const ray = quadraticRay(E, h, f.quadratic!, X0, evaluations);
  return { h, ray, evaluations, fast: method()(ray), plain: () => method()(trialRay(E, h, euclidean(E), X0)) };
}

describe.each([
  ["Brockett", brockett(E, { n: 60, p: 6 })],
  ["PCA", pca(E, { n: 200, p: 10 })],
  ["a linear term", quadratic(E, { n: 40, p: 5 })],
] as const)("SciPy's CG with one product an iteration: %s", (_name, { objective, n, p }) => {
  test("takes the steps of the plain ray", () => {
    const { fast, plain } = run(objective.quadratic!, n, p);
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

  test("one product a search and few afresh, and what is carried along does not drift", () => {
    const { fast, ray, h, evaluations } = run(objective.quadratic!, n, p);
    const G = E.matrix(n, p);
    let [steps, searches] = [0, 0];
    const { begin } = ray;
    ray.begin = () => {
      searches++;
      begin();
    };
    for (const s of fast) {
      steps = s.k;
      const products = evaluations.f;
      expect(products).toBeGreaterThanOrEqual(1 + searches);
      expect(products).toBeLessThanOrEqual(1 + searches + s.k / 50);
      const value = h.fg(G, s.X);
      Object.assign(evaluations, { f: products, grad: products });
      expect(Math.abs(s.f - value)).toBeLessThan(200 * EPS * Math.abs(value));
      expect(distance(ray.G, G)).toBeLessThan(200 * EPS * s.gnormMax);
      if (s.k === 240) break;
    }
    expect(steps).toBe(240);
    // PCA's first steps may lead far away, where a search fails
    expect(searches).toBeLessThanOrEqual(242);
    expect(ray.trials).toBeGreaterThan(evaluations.f);
  });

  test("goes on until the gradient itself is rounding", () => {
    const { fast, h, plain } = run(objective.quadratic!, n, p);
    const G = E.matrix(n, p);
    /** ‖∇h‖ by h itself at the end, as part of the largest on the way */
    const last = (steps: typeof fast): number => {
      let state: State | undefined;
      for (state of steps) if (state.gnorm < 1e-13 * state.gnormMax || state.k === 4000) break;
      h.fg(G, state!.X);
      return norm(G) / state!.gnormMax;
    };
    expect(last(fast)).toBeLessThan(3e-13);
    // where differences of values are rounding, the plain ray ends
    expect(last(plain())).toBeGreaterThan(1e-10);
  });
});

test("SciPy's own trace on Brockett: values, gradient norms and the number of trial points", () => {
  const text = readFileSync(new URL("../reference/scipy-cg-trace.json", import.meta.url), "utf8");
  const c = JSON.parse(text).cases.find((c: { B?: number[] }) => c.B);
  const matrix = (rows: number, cols: number, data: number[]) => ({ rows, cols, data: Float64Array.from(data) });
  const { n, p, beta } = c;
  const { objective } = brockett(E, { n, p, B: matrix(n, n, c.B), C: matrix(p, p, c.C) });
  const ray = quadraticRay(E, expen(E, objective, beta), objective.quadratic!, E.from(matrix(n, p, c.X0)));
  for (const s of cg(E, { search: scipySearch(), descent: 0.01, gradientTolerance: c.tol, restart: false })(ray)) {
    if (s.k === 0) continue;
    const [value, gnorm, count] = c.trace[s.k - 1];
    expect(Math.abs(s.f - value)).toBeLessThan(1e-8 * Math.abs(value));
    expect(Math.abs(s.gnorm - gnorm)).toBeLessThan(1e-7 * gnorm);
    expect(ray.trials).toBe(count);
    if (s.k === 20) break;
  }
});

describe("which ray", () => {
  const dense = (n: number, p: number, more = {}) => {
    const B = E.matrix(n, n);
    return quadraticRayPays(E, n, p, { apply: (Y, X) => E.apply(Y, B, X), ...more });
  };
  test("the flop count decides", () => {
    const C = E.matrix(1, 1);
    expect([dense(1000, 50, { C }), dense(250, 50, { C }), dense(100, 10), dense(100, 10, { L: C })]).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect([dense(50, 50), dense(50, 50, { C }), dense(60, 40, { L: C })]).toEqual([false, false, false]);
    // an operator that costs nothing leaves the products of the penalty to save
    const free = { apply() {} };
    expect([quadraticRayPays(E, 100, 20, free), quadraticRayPays(E, 100, 70, free)]).toEqual([true, false]);
  });

  test("expen-cg with a fixed β: products are counted as evaluations, trial points in the notes", () => {
    const last = (n: number, p: number) => {
      const evaluations = noEvaluations();
      const f = counted(brockett(E, { n, p }).objective, evaluations);
      for (const s of solvers["expen-cg"].create(E, f, randomStart(E, n, p, 1), { beta: "paper", evaluations })) {
        if (s.k === 2) return { trials: s.notes?.trials, products: s.evaluations.f };
      }
      throw new Error("the run ended early");
    };
    // of β, of the start, and of each step
    expect(last(60, 5).products).toBe(2 + 2);
    expect(last(60, 5).trials).toBeGreaterThan(2);
    expect(last(12, 10).trials).toBeUndefined();
  });
});
