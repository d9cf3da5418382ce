import { describe, expect, test } from "vitest";
import { weighing } from "../../bench/memory.js";
import { jsEngine } from "../../src/engines/js.js";
import { inverseRoot } from "../../src/linalg/inverse-root.js";
import { blockScratch, type Tall, tall } from "../../src/linalg/tall.js";
import { counted, noEvaluations, objective } from "../../src/objective.js";
import { brockett } from "../../src/problems/brockett.js";
import { noeig } from "../../src/problems/noeig.js";
import { fillNormal, random } from "../../src/random.js";
import { type DissolvedOptions, dissolvedExpen } from "../../src/solvers/dissolved-expen.js";
import { MultiplierMetric } from "../../src/solvers/multiplier-metric.js";
import { SecantMemory } from "../../src/solvers/secant-memory.js";
import { randomStart } from "../../src/start.js";
import { solveStiefel } from "../../src/stiefel.js";
import type { Matrix, Solver, State } from "../../src/types.js";

const E = jsEngine();
const r = random(7, "dissolved");
const normal = (n: number, p: number): Matrix => {
  const X = E.matrix(n, p);
  fillNormal(X, r);
  return X;
};
const norm = (X: Matrix): number => Math.sqrt(E.dot(X, X));
const scale = (X: Matrix, c: number): void => E.axpby(X, 0, E.matrix(X.rows, X.cols), c);
const difference = (X: Matrix, Y: Matrix): number => {
  const Z = E.matrix(X.rows, X.cols);
  E.combine(Z, 1, X, -1, Y);
  return norm(Z);
};
/** a symmetric positive definite matrix with eigenvalues from 1 on */
const definite = (p: number): Matrix => {
  const S = E.matrix(p, p);
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
      const S = E.from(definite(p));
      if (size < 1) {
        scale(S, size / norm(S));
        E.addDiagonal(S, 1);
      } else scale(S, size);
      const [Z, T, I] = [E.matrix(p, p), E.matrix(p, p), E.matrix(p, p)];
      E.addDiagonal(I, 1);
      expect(inverseRoot(E, p, tolerance)(Z, E.from(S))).toBe(true);
      E.mul(T, Z, S);
      E.mul(S, T, Z);
      expect(difference(S, I)).toBeLessThan(0.75 * tolerance ** 2 + 1e-13);
    }
  });

  test("refuses what is not positive definite", () => {
    const indefinite = E.matrix(2, 2);
    indefinite.data.set([1, 2, 2, 1]);
    const nan = E.matrix(2, 2);
    nan.data.set([1, Number.NaN, Number.NaN, 1]);
    for (const S of [indefinite, nan, E.matrix(2, 2)]) {
      expect(inverseRoot(E, 2)(E.matrix(2, 2), S)).toBe(false);
    }
  });
});

describe("secant memory", () => {
  const expectInner = (value: number, X: Matrix, Y: Matrix): void =>
    expect(Math.abs(value - E.dot(X, Y))).toBeLessThan(1e-11 * norm(X) * norm(Y));

  /** H ← (I − ρsyᵀ)H(I − ρysᵀ) + ρssᵀ applied to v, by recursion over the pairs */
  function inverseHessian(pairs: { s: Matrix; y: Matrix }[], first: (Q: Matrix) => Matrix, v: Matrix): Matrix {
    if (pairs.length === 0) return first(v);
    const [{ s, y }] = pairs.slice(-1) as [{ s: Matrix; y: Matrix }];
    const sy = E.dot(s, y);
    const w = E.from(v);
    E.axpby(w, -E.dot(s, v) / sy, y, 1);
    const u = inverseHessian(pairs.slice(0, -1), first, w);
    E.axpby(u, E.dot(s, v) / sy - E.dot(y, u) / sy, s, 1);
    return u;
  }

  test.each([
    [false, 1],
    [true, 1],
    [true, 3],
  ])(
    "is BFGS on the last pairs, one after the other; first matrix from the right: %s, blocks of rows: %i",
    (right, blocks) => {
      const [n, p, capacity] = [10, 3, 3];
      const cut = { ...E, block: Math.ceil((n * p) / blocks) };
      const block = blockScratch(cut, n, p, (rows) => E.matrix(rows, p));
      const C = right ? definite(p) : undefined;
      const gamma = 0.7;
      const B = definite(n);
      expect(block.length).toBe(blocks);
      const memory = new SecantMemory(cut, n, p, capacity, block);
      const first = (Q: Matrix): Matrix => {
        const R = E.matrix(n, p);
        if (C) E.mul(R, Q, C, gamma);
        else E.axpby(R, gamma, Q, 0);
        return R;
      };
      const pairs: { s: Matrix; y: Matrix }[] = [];
      E.copy(memory.g.whole, normal(n, p));
      for (let k = 0; k < 7; k++) {
        const g = E.from(memory.g.whole);
        const slope = memory.descend({ gamma, C }).value;
        const D = E.from(memory.D.whole);
        const expected = inverseHessian(pairs.slice(-capacity), first, g);
        scale(expected, -1);
        expect(difference(D, expected)).toBeLessThan(1e-11 * norm(expected));
        expectInner(slope, g, expected);
        expectInner(memory.dd.value, D, D);
        // a quadratic with Hessian B: y = Bs
        const t = 0.1 + 0.1 * k;
        const [s, y] = [E.matrix(n, p), E.matrix(n, p)];
        E.axpby(s, t, D, 0);
        E.mul(y, B, s);
        // what the projection takes away is put on top before
        const [Y, M, next] = [normal(n, p), normal(p, p), E.matrix(n, p)];
        E.combine(next, 1, g, 1, y);
        E.copy(memory.Y.whole, Y);
        E.copy(memory.gt.whole, next);
        E.mul(memory.gt.whole, Y, M, 1, 1);
        expectInner(memory.project(M).value, next, D);
        expectInner(memory.gg.value, next, next);
        expectInner(memory.accept({ value: t }).value * t, s, y);
        expect(difference(memory.X.whole, Y)).toBe(0);
        expect(difference(memory.g.whole, next)).toBeLessThan(1e-12 * norm(next));
        pairs.push({ s, y });
      }
      memory.clear();
      const g = E.from(memory.g.whole);
      memory.descend({ gamma: 1, C: undefined });
      scale(g, -1);
      expect(difference(memory.D.whole, g)).toBe(0);
    },
  );

  test("a pair without positive curvature empties the memory and keeps the new gradient", () => {
    const memory = new SecantMemory(E, 5, 2, 3, [E.matrix(5, 2)]);
    E.copy(memory.g.whole, normal(5, 2));
    memory.descend({ gamma: 1, C: undefined });
    const after = E.from(memory.g.whole);
    scale(after, 2);
    E.copy(memory.gt.whole, after);
    memory.project(E.matrix(2, 2));
    expect(memory.accept({ value: 1 }).value).toBeLessThan(0);
    expect(memory.size).toBe(0);
    expect(difference(memory.g.whole, after)).toBe(0);
  });
});

describe("multiplier metric", () => {
  const [n, p] = [12, 4];
  const cut = { ...E, block: 20 };
  const inBlocks = (X: Matrix): Tall => {
    const T = tall(cut, n, p);
    E.copy(T.whole, X);
    return T;
  };
  /** learns y = σs − τsS from some directions and returns the metric */
  function learned(S: Matrix, sigma: number, tau: number) {
    const metric = new MultiplierMetric(
      E,
      p,
      blockScratch(cut, n, p, (rows) => E.matrix(rows, p)),
    );
    let pair: [Matrix, Matrix] = [E.matrix(n, p), E.matrix(n, p)];
    for (let k = 0; k < 4; k++) {
      const [D, g, gNew] = [normal(n, p), normal(n, p), E.matrix(n, p)];
      const [s, y] = [E.matrix(n, p), E.matrix(n, p)];
      E.axpby(s, 0.5, D, 0);
      E.mul(y, s, S, -tau);
      E.axpby(y, sigma, s, 1);
      E.combine(gNew, 1, g, 1, y);
      const [dd, dy] = [{ value: E.dot(D, D) }, { value: E.dot(D, y) }];
      metric.learn(S, { value: 0.5 }, inBlocks(D), dd, dy, inBlocks(g), inBlocks(gNew));
      pair = [s, y];
    }
    return { metric, s: pair[0], y: pair[1] };
  }

  test("finds σ and τ where the model holds: H₀·y = s", () => {
    const S = definite(p);
    const sigma = norm(S) * 2;
    const { metric, s, y } = learned(S, sigma, 1);
    expect(metric.tau).toBeCloseTo(1, 9);
    const R = E.matrix(n, p);
    E.mul(R, y, metric.C!, metric.gamma);
    expect(difference(R, s)).toBeLessThan(1e-9 * norm(s));
  });

  test("adding c to S changes neither τ nor H₀", () => {
    const S = definite(p);
    const sigma = norm(S) * 2;
    const shifted = E.from(S);
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
    expect(metric.gamma).toBeCloseTo(1 / 3, 9);
    metric.forget();
    expect([metric.gamma, metric.tau]).toEqual([1, 0]);
  });

  test("with a share to explain, a fit to noise is left out, and one that explains stays", () => {
    const S = definite(p);
    /** learns pairs y = σs − τsS + noise */
    const tauOf = (share: number, noise: number): number => {
      const metric = new MultiplierMetric(
        E,
        p,
        blockScratch(cut, n, p, (rows) => E.matrix(rows, p)),
        { share },
      );
      for (let k = 0; k < 6; k++) {
        const [D, g, gNew] = [normal(n, p), normal(n, p), E.matrix(n, p)];
        E.mul(gNew, D, S, -1);
        E.axpby(gNew, 2 * norm(S), D, 1);
        E.axpby(gNew, noise * norm(S), normal(n, p), 1);
        const [dd, dy] = [{ value: E.dot(D, D) }, { value: E.dot(D, gNew) }];
        E.axpby(gNew, 1, g, 1);
        metric.learn(S, { value: 1 }, inBlocks(D), dd, dy, inBlocks(g), inBlocks(gNew));
      }
      return metric.tau;
    };
    expect(tauOf(0.3, 0.01)).toBeGreaterThan(0.9);
    expect(tauOf(0.9, 1)).toBe(0);
  });

  test("σ below λmax(S) is raised: the first matrix stays positive definite", () => {
    const S = definite(p);
    const { metric } = learned(S, 0.5 * norm(S), 1);
    const [g, R] = [normal(n, p), E.matrix(n, p)];
    E.mul(R, g, metric.C!, 1);
    expect(E.dot(g, R)).toBeGreaterThan(0);
  });
});

describe("dissolved ExPen", () => {
  test.each([
    [7, false],
    [6, true],
  ])(
    "every iterate is feasible, f falls, an evaluation costs %inp² flops (density declared: %s), an iteration 2np² more and a fit 3np²",
    (cost, declared) => {
      const [n, p] = [200, 5];
      // f takes no products
      const { density, fg } = noeig(E, { n, p }).objective;
      const evaluations = noEvaluations();
      const f = counted(objective(E, { fg, ...(declared && { density: density! }) }, n, p), evaluations);
      const K = E.matrix(p, p);
      let [last, iterations] = [Number.POSITIVE_INFINITY, 0];
      const steps = dissolvedExpen(E, f, randomStart(E, n, p, 1), { evaluations });
      let flops = 0;
      for (let k = 0; k < 40; k++) {
        const before = E.counters.flops;
        const { value } = steps.next() as IteratorYieldResult<{ X: Matrix; f: number; gnorm: number }>;
        flops += E.counters.flops - before;
        E.gram(K, value.X);
        E.addDiagonal(K, -1);
        expect(norm(K)).toBeLessThan(1e-9);
        expect(value.f).toBeLessThan(last + 1e-6 * Math.abs(last));
        last = value.f;
        iterations = k;
      }
      const fits = 8 + (iterations - 8) / 3 + 1;
      const tall = cost * evaluations.f + 2 * iterations + 3 * fits;
      expect(flops / (n * p * p)).toBeLessThan(tall + (30 * p * evaluations.f) / n);
      expect(flops / (n * p * p)).toBeGreaterThan((cost - 1) * evaluations.f);
    },
  );

  test("in blocks of rows and on borrowed scratch the iterates are the same up to rounding", () => {
    const [n, p] = [103, 4];
    const [whole, cut] = [Number.POSITIVE_INFINITY, 100].map((block) => {
      const K = { ...E, block };
      const scratch = block === 100 ? normal(n, p) : undefined;
      return dissolvedExpen(K, noeig(K, { n, p }).objective, randomStart(E, n, p, 1), { ...(scratch && { scratch }) });
    });
    for (let k = 0; k < 25; k++) {
      const [a, b] = [whole!.next().value as State, cut!.next().value as State];
      expect(Math.abs(a.f - b.f)).toBeLessThan(1e-9 * Math.abs(a.f));
      expect(difference(a.X, b.X)).toBeLessThan(1e-6);
      expect(Math.abs(a.gnorm - b.gnorm)).toBeLessThan(1e-5 * a.gnormMax);
    }
  });

  test("a start that it may take is one matrix less; scratch and the spare matrix are nobody's between steps", () => {
    const [n, p] = [103, 4];
    const K = { ...E, block: 100 };
    const { objective: f } = noeig(K, { n, p });
    const X0 = randomStart(E, n, p, 1);
    const scratch = E.matrix(n, p);
    const begun = (X0: Matrix, options: DissolvedOptions): [Solver, number] => {
      const { engine, held } = weighing(K);
      return [dissolvedExpen(engine, f, X0, options), held()];
    };
    const [plain, more] = begun(X0, { scratch: E.matrix(n, p) });
    const [taking, less] = begun(E.from(X0), { scratch, takeStart: true });
    expect(more - less).toBe(n * p);
    for (let k = 0; k < 25; k++) {
      const [a, b] = [plain.next().value as State, taking.next().value as State];
      expect(b.f).toBe(a.f);
      expect([...b.X.data]).toEqual([...a.X.data]);
      expect(b.spare).not.toBe(b.X);
      E.fill(b.spare!, Number.NaN);
      E.fill(scratch, Number.NaN);
    }
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
  [40, 40],
  [60, 20],
])("Brockett %i×%i, where no subspace pays", (n, p) => {
  const solve = (declared: boolean, tol: number) => {
    const { objective, optimum } = brockett(E, { n, p });
    const { quadratic, ...plain } = objective;
    const steps = solveStiefel(E, declared ? objective : plain, { tol });
    for (;;) {
      const next = steps.next();
      if (next.done) return { ...next.value, gap: (next.value.fval - optimum!) / Math.abs(optimum!) };
    }
  };

  test("C that is declared is in the first matrix: a third of the evaluations, and 1e-7 without a stall", () => {
    const [known, unknown] = [solve(true, 1e-3), solve(false, 1e-3)];
    expect([known.status, unknown.status]).toEqual(["converged", "converged"]);
    expect(3 * known.evaluations.f).toBeLessThan(unknown.evaluations.f);
    const fine = solve(true, 1e-7);
    expect(fine.status).toBe("converged");
    expect(fine.gap).toBeLessThan(1e-9);
  });
});
