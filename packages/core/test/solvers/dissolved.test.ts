import { brockett, noeig } from "@expen/experiments/paper";
import type { Small, Tall } from "@expen/linalg";
import { fillNormal, random } from "@expen/linalg";
import { inverseRoot } from "@expen/linalg/dense";
import { jsEngine, smallOf } from "@expen/linalg/engine";
import { solveStiefel } from "@expen/solvers";
import { like } from "@expen/testing/functions";
import { describe, expect, test } from "vitest";
import { dissolvedExpen } from "../../src/expen/dissolved.js";
import { multiplierMetric } from "../../src/methods/quasi-newton/first/by-multiplier.js";
import type { Pair } from "../../src/methods/quasi-newton/first/first-matrix.js";
import { counted, noEvaluations } from "../../src/objective/evaluator.js";
import { objective } from "../../src/objective/objective.js";
import { randomStart } from "../../src/run/start.js";

const E = jsEngine();
const r = random(7, "dissolved");
const normal = (n: number, p: number): Tall => {
  const X = E.tall(n, p);
  fillNormal(X, r);
  return X;
};
const norm = (X: Tall | Small): number => Math.sqrt(E.dot(X, X));
const scale = (X: Small, c: number): void => E.combine(X, c, X, 0, X);
const difference = <M extends Tall | Small>(X: M, Y: M): number => {
  const Z = like(E, X);
  E.combine(Z, 1, X, -1, Y);
  return norm(Z);
};
/** a symmetric positive definite matrix with eigenvalues from 1 on */
const definite = (p: number): Small => {
  const S = E.small(p, p);
  E.gram(S, normal(p, p));
  E.addDiagonal(S, 1);
  return S;
};

describe("inverse root", () => {
  test("Z·S·Z = I near and far from the identity; what is left is ¾·tolerance² at most", () => {
    for (const [size, tolerance] of [
      [1e-3, 1e-8],
      [0.3, 1e-5],
      [1e5, 1e-5],
    ] as const) {
      const p = 6;
      const S = definite(p);
      if (size < 1) {
        scale(S, size / norm(S));
        E.addDiagonal(S, 1);
      } else scale(S, size);
      const [Z, T, I] = [E.small(p, p), E.small(p, p), E.small(p, p)];
      E.addDiagonal(I, 1);
      expect(inverseRoot(E, p, tolerance)(Z, smallOf(E, S))).toBe(true);
      E.mul(T, Z, S);
      E.mul(S, T, Z);
      expect(difference(S, I)).toBeLessThan(0.75 * tolerance ** 2 + 1e-13);
    }
  });

  test("the last factor takes 0, 1 or 2 products, each as far as it leaves ¾·tolerance²", () => {
    const [p, tolerance] = [6, 1e-5];
    const D = E.small(p, p);
    E.write(D, random(4, "last factor").normal);
    E.symmetrize(D);
    scale(D, 1 / norm(D));
    const [Z, T, I] = [E.small(p, p), E.small(p, p), E.small(p, p)];
    E.addDiagonal(I, 1);
    E.gram(T, D);
    const square = norm(T);
    /** ‖K‖ up to which two and four powers are enough: ‖K²‖‖K‖ ≤ 1.2·tolerance², ‖K²‖²‖K‖ ≤ 1.5·tolerance² */
    const [two, four] = [((1.2 * tolerance ** 2) / square) ** (1 / 3), ((1.5 * tolerance ** 2) / square ** 2) ** 0.2];
    const [gram, product] = [p * p * (p + 1), 2 * p ** 3];
    const root = inverseRoot(E, p, tolerance);
    for (const [size, flops] of [
      [0.99e-5, 0],
      [1.01e-5, gram],
      [0.99 * two, gram],
      [1.1 * two, gram + product],
      [0.99 * four, gram + product],
      [1.2 * four, 2 * gram + 2 * product],
    ] as const) {
      const S = smallOf(E, D);
      scale(S, size);
      E.addDiagonal(S, 1);
      const before = E.counters.flops;
      expect(root(Z, smallOf(E, S))).toBe(true);
      expect(E.counters.flops - before).toBe(flops);
      E.mul(T, Z, S);
      E.mul(S, T, Z);
      expect(difference(S, I)).toBeLessThan(0.76 * tolerance ** 2);
    }
  });

  test("a narrow spectrum far from 1 costs no more than one near 1, and a wide one converges", () => {
    const [p, tolerance] = [6, 1e-5];
    const root = inverseRoot(E, p, tolerance);
    const [Z, T, I] = [E.small(p, p), E.small(p, p), E.small(p, p)];
    E.addDiagonal(I, 1);
    const cost = (values: number[]): number => {
      const S = E.small(p, p);
      E.write(
        S,
        Float64Array.from({ length: p * p }, (_, k) => (k % (p + 1) === 0 ? values[k / (p + 1)]! : 0)),
      );
      const before = E.counters.flops;
      expect(root(Z, smallOf(E, S)), values.join()).toBe(true);
      const spent = E.counters.flops - before;
      E.mul(T, Z, S);
      E.mul(S, T, Z);
      expect(difference(S, I), values.join()).toBeLessThan(0.76 * tolerance ** 2);
      return spent;
    };
    const narrow = [1, 1.02, 1.03, 1.05, 1.08, 1.1];
    const near = cost(narrow);
    for (const unit of [1e-9, 0.3, 2.5, 1e7]) expect(cost(narrow.map((v) => unit * v))).toBe(near);
    // outliers: the mean alone would leave numbers above 3, from where steps do not come back
    for (const wide of [
      [1, 1, 1, 1, 1, 30],
      [1, 1, 1, 1, 1, 0.01],
      [1, 3, 5, 7, 9, 11],
      [100, 100, 1, 1, 1, 1],
    ]) {
      expect(cost(wide)).toBeGreaterThan(near);
    }
  });

  test("refuses what is not positive definite", () => {
    const indefinite = E.small(2, 2);
    indefinite.data.set([1, 2, 2, 1]);
    const nan = E.small(2, 2);
    nan.data.set([1, Number.NaN, Number.NaN, 1]);
    for (const S of [indefinite, nan, E.small(2, 2)]) {
      expect(inverseRoot(E, 2)(E.small(2, 2), S)).toBe(false);
    }
  });
});

describe("multiplier metric", () => {
  const [n, p] = [12, 4];

  /** the pair s = t·D, y */
  const pairOf = (t: number, D: Tall, y: Tall): Pair => ({ t, D, y, dd: E.dot(D, D), dy: E.dot(D, y) });

  /** learns y = σs − τsS from some directions and returns the metric */
  function learned(S: Small, sigma: number, tau: number) {
    const metric = multiplierMetric(E, n, p, S);
    let pair: [Tall, Tall] = [E.tall(n, p), E.tall(n, p)];
    for (let k = 0; k < 4; k++) {
      const [D, s, y] = [normal(n, p), E.tall(n, p), E.tall(n, p)];
      E.combine(s, 0.5, D, 0, s);
      E.mul(y, s, S, -tau);
      E.combine(y, sigma, s, 1, y);
      metric.learn(pairOf(0.5, D, y));
      pair = [s, y];
    }
    return { metric, s: pair[0], y: pair[1] };
  }

  test("finds σ and τ where the model holds: H₀·y = s", () => {
    const S = definite(p);
    const sigma = norm(S) * 2;
    const { metric, s, y } = learned(S, sigma, 1);
    expect(metric.tau).toBeCloseTo(1, 9);
    const R = E.tall(n, p);
    E.mul(R, y, metric.C!, metric.gamma.value());
    expect(difference(R, s)).toBeLessThan(1e-9 * norm(s));
  });

  test("adding c to S changes neither τ nor H₀", () => {
    const S = definite(p);
    const sigma = norm(S) * 2;
    const shifted = smallOf(E, S);
    E.addDiagonal(shifted, 50);
    const plain = learned(S, sigma, 0.8).metric;
    const other = learned(shifted, sigma + 0.8 * 50, 0.8).metric;
    expect(plain.tau).toBeCloseTo(0.8, 9);
    expect(other.tau).toBeCloseTo(0.8, 9);
    expect(difference(plain.C!, other.C!)).toBeLessThan(1e-9 * norm(plain.C!));
  });

  test("a multiplier that explains nothing is left out: γ = ⟨s, y⟩/⟨y, y⟩", () => {
    const { metric } = learned(definite(p), 3, 0);
    expect(metric.C).toBeUndefined();
    expect(metric.gamma.value()).toBeCloseTo(1 / 3, 9);
    metric.forget();
    expect([metric.gamma.value(), metric.tau]).toEqual([1, 0]);
  });

  test("σ below λmax(S) is raised: the first matrix stays positive definite", () => {
    const S = definite(p);
    const { metric } = learned(S, 0.5 * norm(S), 1);
    const [g, R] = [normal(n, p), E.tall(n, p)];
    E.mul(R, g, metric.C!, 1);
    expect(E.dot(g, R)).toBeGreaterThan(0);
  });
});

describe("dissolved ExPen", () => {
  test("every iterate is feasible, f falls, an evaluation costs 7np² flops, an iteration 2np² more and a fit 3np²", () => {
    const [n, p] = [200, 5];
    // f takes no products
    const evaluations = noEvaluations();
    const f = counted(noeig(E, { n, p }).objective, evaluations);
    const K = E.small(p, p);
    let [last, iterations] = [Number.POSITIVE_INFINITY, 0];
    const steps = dissolvedExpen(E, f, randomStart(E, n, p, 1), { evaluations });
    let flops = 0;
    for (let k = 0; k < 40; k++) {
      const before = E.counters.flops;
      const { value } = steps.next() as IteratorYieldResult<{ X: Tall; f: number; gnorm: number }>;
      flops += E.counters.flops - before;
      E.gram(K, value.X);
      E.addDiagonal(K, -1);
      expect(norm(K)).toBeLessThan(1e-9);
      expect(value.f).toBeLessThan(last + 1e-6 * Math.abs(last));
      last = value.f;
      iterations = k;
    }
    const fits = 8 + (iterations - 8) / 3 + 1;
    const tall = 7 * evaluations.f + 2 * iterations + 3 * fits;
    expect(flops / (n * p * p)).toBeLessThan(tall + (30 * p * evaluations.f) / n);
    expect(flops / (n * p * p)).toBeGreaterThan(6 * evaluations.f);
  });

  test("makes no matrix after its first state", () => {
    const steps = dissolvedExpen(E, noeig(E, { n: 60, p: 4 }).objective, randomStart(E, 60, 4, 1));
    steps.next();
    const { matrices } = E.counters;
    for (let k = 0; k < 20; k++) steps.next();
    expect(E.counters.matrices).toBe(matrices);
  });

  test("on ½‖X − A‖² the metric is exact: the Hessian is D(I − S), and a few steps are enough", () => {
    const [n, p] = [40, 6];
    const A = normal(n, p);
    const f = objective(
      E,
      {
        fg(G, X) {
          E.combine(G, 1, X, -1, A);
          return 0.5 * E.dot(G, G);
        },
      },
      n,
      p,
    );
    let state: { k: number; gnorm: number } = { k: 0, gnorm: 1 };
    for (const s of dissolvedExpen(E, f, randomStart(E, n, p, 3))) {
      state = { k: s.k, gnorm: s.gnorm };
      if (s.gnorm < 1e-8 || s.k > 50) break;
    }
    expect(state.gnorm).toBeLessThan(1e-8);
    expect(state.k).toBeLessThan(20);
  });
});

describe.each([
  [24, 24],
  [60, 20],
])("Brockett %i×%i, where no subspace pays", (n, p) => {
  const solve = async (declared: boolean, tol: number) => {
    const { objective, optimum } = brockett(E, { n, p });
    const { quadratic, ...plain } = objective;
    const steps = await solveStiefel(E, declared ? objective : plain, { tol });
    for (;;) {
      const next = steps.next();
      if (next.done) return { ...next.value, gap: (next.value.fval - optimum!) / Math.abs(optimum!) };
    }
  };

  test("C that is declared is in the first matrix: less than two thirds of what learning it takes, and 1e-7 without a stall", async () => {
    const [known, unknown] = [await solve(true, 1e-3), await solve(false, 1e-3)];
    expect([known.status, unknown.status]).toEqual(["converged", "converged"]);
    expect(1.5 * known.evaluations.f).toBeLessThan(unknown.evaluations.f);
    const fine = await solve(true, 1e-7);
    expect(fine.status).toBe("converged");
    expect(fine.gap).toBeLessThan(1e-9);
  });
});
