/** Algorithm 1 of the paper: its printed steps, SciPy's trace, the theorem of its convergence. */
import { readFileSync } from "node:fs";
import { brockett, noeig } from "@expen/experiments/paper";
import type { Tall } from "@expen/linalg";
import { random } from "@expen/linalg";
import { polar } from "@expen/linalg/dense";
import { tallOf } from "@expen/linalg/engine";
import { js as E, normal } from "@expen/testing/functions";
import { describe, expect, test } from "vitest";
import type { Objective } from "../../src/contracts/objective.js";
import type { Method } from "../../src/contracts/ray.js";
import { type Algorithm1Options, algorithm1 } from "../../src/expen/algorithm-1.js";
import { tubeBeta } from "../../src/expen/estimates.js";
import { expen } from "../../src/expen/penalty.js";
import { euclidean } from "../../src/manifolds/euclidean-geometry.js";
import { cg } from "../../src/methods/cg.js";
import { type CgRuleName, cgRules } from "../../src/methods/cg-rules.js";
import { trialRay } from "../../src/methods/trial-ray.js";
import { counted, noEvaluations } from "../../src/objective/evaluator.js";
import { randomStart } from "../../src/run/start.js";
import { moreThuente } from "../../src/search/more-thuente.js";
import { scipySearch } from "../../src/search/scipy.js";
import { boundedWave } from "./constants.js";
import { gradient, infeasibility, minus, multiplier, norm } from "./parts.js";

const [DELTA, SIGMA] = [1e-4, 0.1];

interface Step {
  X: Tall;
  f: number;
  gnorm: number;
  evaluations: number;
}
/** The states of the first steps of a method on h, the start first; fewer where ‖∇h‖ ≤ tolerance */
function stepsOf(method: Method, h: Objective, X0: Tall, count: number, tolerance = 0): Step[] {
  const evaluations = noEvaluations();
  const steps: Step[] = [];
  for (const s of method(trialRay(E, counted(h, evaluations), euclidean(E), X0, evaluations))) {
    steps.push({ X: tallOf(E, s.X), f: s.f, gnorm: s.gnorm, evaluations: evaluations.f });
    if (s.k === count || s.gnorm <= tolerance) break;
  }
  return steps;
}
const last = <T>(list: T[]): T => list[list.length - 1]!;

describe("the printed steps", () => {
  const { objective } = noeig(E, { n: 40, p: 2 });
  const h = expen(E, objective, 8);
  const X0 = randomStart(E, 40, 2, 1);
  const steps = stepsOf(algorithm1(E), h, X0, 25);
  /** ∇h at each point, D by steps 1, 5 and 6 */
  const gradients = steps.map(({ X }) => gradient(h, X));
  const directions: Tall[] = [];
  gradients.forEach((G, k) => {
    const D = E.tall(40, 2);
    const tau = k === 0 ? 0 : E.dot(G, G) / E.dot(gradients[k - 1]!, gradients[k - 1]!);
    E.combine(D, -1, G, tau, directions[k - 1] ?? D);
    directions.push(D);
  });

  test("1, 4, 5, 6: X_{k+1} = X_k + η_k·D_k with D_{k+1} = −∇h(X_{k+1}) + ‖∇h(X_{k+1})‖²/‖∇h(X_k)‖²·D_k", () => {
    expect(steps.length).toBe(26);
    for (let k = 0; k < 25; k++) {
      const [D, move] = [directions[k]!, minus(steps[k + 1]!.X, steps[k]!.X)];
      const eta = E.dot(move, D) / E.dot(D, D);
      expect(eta).toBeGreaterThan(0);
      E.combine(move, 1, move, -eta, D);
      expect(norm(move), `step ${k}`).toBeLessThan(1e-9 * eta * norm(D));
    }
  });

  test("3: both conditions of the strong Wolfe search, δ = 1e-4 and σ = 0.1", () => {
    for (let k = 0; k < 25; k++) {
      const D = directions[k]!;
      const eta = E.dot(minus(steps[k + 1]!.X, steps[k]!.X), D) / E.dot(D, D);
      const slope = E.dot(gradients[k]!, D);
      expect(slope).toBeLessThan(0);
      const rounding = 1e-12 * Math.abs(steps[k]!.f);
      expect(h.f(steps[k + 1]!.X) - h.f(steps[k]!.X)).toBeLessThanOrEqual(DELTA * eta * slope + rounding);
      expect(Math.abs(E.dot(gradients[k + 1]!, D))).toBeLessThanOrEqual(-SIGMA * slope * (1 + 1e-9));
    }
  });
});

// without transport and preconditioner `cg` takes the same steps, with its products made in another order
test.each(Object.keys(cgRules) as CgRuleName[])("%s: the same steps as cg with the same rule and search", (rule) => {
  const { objective } = brockett(E, { n: 24, p: 4 });
  const h = expen(E, objective, 4);
  const X0 = randomStart(E, 24, 4, 2);
  const search = moreThuente({ c1: DELTA, c2: SIGMA });
  const mine = stepsOf(algorithm1(E, { tau: cgRules[rule], search }), h, X0, 12);
  const general = stepsOf(cg(E, { rule: cgRules[rule], search }), h, X0, 12);
  expect(mine.length).toBe(13);
  mine.forEach((step, k) => {
    expect(step.evaluations).toBe(general[k]!.evaluations);
    expect(norm(minus(step.X, general[k]!.X))).toBeLessThan(1e-8);
  });
});

describe("Algorithm 1 converges to the minimum, with the rules of Remark 4.3 too", () => {
  const ofBrockett = brockett(E, { n: 24, p: 4 });
  const problems = [
    // the minimum that other methods reach, with a certificate
    ["noeig (40, 2)", noeig(E, { n: 40, p: 2 }).objective, 1.18224016680625, 8],
    ["Brockett (24, 4)", ofBrockett.objective, ofBrockett.optimum!, 4],
  ] as const;
  const rules = ["fr", "pr", "dy", "hs"] as const;
  test.each(problems.flatMap(([name, ...one]) => rules.map((rule) => [name, rule, ...one] as const)))(
    "%s, %s",
    (_name, rule, f, optimum, beta) => {
      const [n, p] = [f.n, f.p];
      const options: Algorithm1Options = { tau: cgRules[rule], longestStep: Math.sqrt(p), search: scipySearch() };
      const { X, gnorm } = last(
        stepsOf(algorithm1(E, options), expen(E, f, beta), randomStart(E, n, p, 1), 5000, 1e-6),
      );
      expect(gnorm).toBeLessThanOrEqual(1e-6);
      const P = E.tall(n, p);
      polar(E, n, p)(P, X);
      const R = gradient(f, P);
      E.mul(R, P, multiplier(P, R), -1, 1);
      expect(norm(R)).toBeLessThanOrEqual(2e-6);
      expect(Math.abs(f.f(P) - optimum)).toBeLessThan(1e-9);
    },
  );
});

/**
 * β ≥ 768·M₀ and ‖K(X₀)‖ ≤ 1/24. In the tube the slope of h along a step is Lipschitz with L = M₂ + β·(3·(13/12)² − 1), and the curvature
 * condition gives η‖D‖² ≥ (1 − σ)|⟨∇h, D⟩|/L: each step adds to the sum of Zoutendijk at most L/(δ(1 − σ)) times its decrease of h.
 */
test("Lemma 4.1, Theorem 4.2: its conditions hold along a run, and the sum of Zoutendijk is bounded by the decrease of h", () => {
  const [n, p] = [5, 2];
  const { f, M0, M2, beta: bar } = boundedWave(n, p, 1, 3);
  const beta = Math.max(tubeBeta(M0), bar);
  const h = expen(E, f, beta);
  // a start within 1/50 of a minimum, as steps of at most 1/24 are a condition of the theorem, and 1/80 of X0 off the manifold
  const X0 = E.tall(n, p);
  const minimum = last(stepsOf(algorithm1(E), expen(E, f, bar), randomStart(E, n, p, 4), 2000, 1e-6)).X;
  E.combine(minimum, 0.02 / Math.sqrt(n * p), normal(E, n, p, 9), 1, minimum);
  polar(E, n, p)(X0, minimum);
  E.combine(X0, 1 + 1 / 80, X0, 0, X0);
  expect(norm(infeasibility(X0))).toBeLessThanOrEqual(1 / 24);
  const ray = trialRay(E, h, euclidean(E), X0);
  const L = M2 + beta * (3 * (13 / 12) ** 2 - 1);
  let [sum, value] = [0, Number.NaN];
  const first = norm(ray.G);
  let smallest = first;
  for (const s of algorithm1(E)(ray)) {
    expect(norm(infeasibility(s.X))).toBeLessThanOrEqual(1 / 12);
    if (s.k > 0) {
      const [slope, length] = [ray.slope0, s.step / ray.t];
      expect(slope).toBeLessThan(0);
      expect(s.step).toBeLessThanOrEqual(1 / 24);
      expect(s.f).toBeLessThanOrEqual(value);
      sum += (slope / length) ** 2;
    } else value = s.f;
    smallest = Math.min(smallest, s.gnorm);
    if (s.k === 400 || s.gnorm <= 1e-6 * first) {
      expect(sum).toBeLessThanOrEqual((L / (DELTA * (1 - SIGMA))) * (value - s.f));
      break;
    }
  }
  expect(smallest).toBeLessThan(1e-3 * first);
});

interface Case {
  name: string;
  n: number;
  p: number;
  tol: number;
  beta: number;
  X0: number[];
  B?: number[];
  C?: number[];
  iterations: number;
  evaluations: number;
  median: { iterations: number; evaluations: number };
  final: { h: number };
  /** h, ‖∇h‖, evaluations after each step */
  trace: [number, number, number][];
}
const reference = JSON.parse(readFileSync(new URL("../reference/scipy-cg-trace.json", import.meta.url), "utf8")) as {
  cases: Case[];
};

describe.each(reference.cases.map((c) => [c.name, c] as const))(
  "section 4.2: SciPy's CG on ExPen, step by step: %s",
  (_name, c) => {
    const { n, p, tol } = c;
    const matrix = (rows: number, cols: number, data: number[]) => ({ rows, cols, data: Float64Array.from(data) });
    const problem = c.B && c.C ? brockett(E, { n, p, B: matrix(n, n, c.B), C: matrix(p, p, c.C) }) : noeig(E, { n, p });
    /** CG as SciPy runs it, from X0 with a relative change of the size of rounding */
    function start(change: number) {
      const evaluations = noEvaluations();
      const h = expen(E, counted(problem.objective, evaluations), c.beta);
      const r = random(change, "rounding");
      const X0 = tallOf(
        E,
        matrix(
          n,
          p,
          c.X0.map((x) => x * (1 + (change && 1e-15 * r.normal()))),
        ),
      );
      const method = algorithm1(E, {
        tau: cgRules["pr+"],
        search: scipySearch(),
        descent: 0.01,
        gradientTolerance: tol,
      });
      return { evaluations, steps: method(trialRay(E, h, euclidean(E), X0, evaluations)) };
    }

    test("values, gradients and evaluations of the first 20 steps", () => {
      const { evaluations, steps } = start(0);
      for (const s of steps) {
        if (s.k === 0) continue;
        const [value, gnorm, count] = c.trace[s.k - 1]!;
        expect(Math.abs(s.f - value)).toBeLessThan(1e-8 * Math.abs(value));
        expect(Math.abs(s.gnorm - gnorm)).toBeLessThan(1e-7 * gnorm);
        expect(evaluations.f).toBe(count);
        if (s.k === 20) break;
      }
    });

    // rounding grows tenfold in 8 steps, so each run comes to its own end, as SciPy's runs do from starts that differ by rounding
    test("the same counts in the middle of 31 runs, to a few percent", () => {
      const runs = Array.from({ length: 31 }, (_, change) => {
        const { evaluations, steps } = start(change);
        for (const s of steps) {
          if (s.gnorm <= tol) {
            expect(Math.abs(s.f - c.final.h)).toBeLessThan(1e-7);
            return { iterations: s.k, evaluations: evaluations.f };
          }
        }
        throw new Error("did not converge");
      });
      for (const count of ["iterations", "evaluations"] as const) {
        const middle = runs.map((run) => run[count]).toSorted((a, b) => a - b)[15]!;
        expect(Math.abs(middle / c.median[count] - 1), `${count} ${middle}`).toBeLessThan(0.05);
      }
    });
  },
);
