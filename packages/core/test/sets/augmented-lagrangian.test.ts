/** `subjectTo`: closed forms, KKT conditions computed anew from f and g, invariances, engines, infeasible sets. */

import type { Engine, Matrix, Tall } from "@expen/linalg";
import { random } from "@expen/linalg";
import { jsEngine } from "@expen/linalg/engine";
import {
  add,
  block,
  colSums,
  type Expr,
  entrywise,
  formula,
  mul,
  rowSums,
  scale,
  square,
  sum,
  t,
  trace,
} from "@expen/tape";
import { opaque } from "@expen/testing/engines/opaque";
import { split } from "@expen/testing/engines/split";
import { describe, expect, test } from "vitest";
import { euclidean, oblique, product, sphere } from "../../src/manifolds/named.js";
import { power } from "../../src/manifolds/powers.js";
import { stiefel } from "../../src/manifolds/stiefel.js";
import { minimize } from "../../src/minimize.js";
import { ownManifold } from "../../src/own/own-manifold.js";
import { atMost, bounds, equal, nonnegative } from "../../src/sets/subject.js";

const normal = (rows: number, cols: number, seed: number): Matrix => ({
  rows,
  cols,
  data: Float64Array.from({ length: rows * cols }, random(seed, "sets").normal),
});
const linear = (C: Matrix, s = 1) => ({
  f: (X: Tall) => s * X.data.reduce((total, x, i) => total + x * C.data[i]!, 0),
  grad: (G: Tall) => G.data.set(C.data.map((c) => s * c)),
});
/** weighted PCA, −½⟨X, AXD⟩ with A = BBᵀ/n */
function weighted(n: number, p: number, seed: number) {
  const B = normal(n, n, seed);
  const D = {
    rows: p,
    cols: p,
    data: Float64Array.from({ length: p * p }, (_, k) => (k % (p + 1) ? 0 : p - k / (p + 1))),
  };
  return formula((X) => scale(-0.5 / n, trace(mul(D, t(X), B, t(B), X))));
}
const distance = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
  Math.hypot(...Array.from(a, (x, i) => x - b[i]!));
const SEEDS = [1, 2, 3, 4, 5];

test.each(SEEDS)("⟨c, x⟩ on the sphere with x ≥ 0 is least at −c's positive part (seed %i)", async (seed) => {
  const c = normal(12, 1, seed);
  const { X, status, multipliers, violation, certificate } = await minimize(linear(c), {
    on: sphere(12),
    subjectTo: [nonnegative()],
    seed,
  });
  const positive = c.data.map((x) => Math.max(-x, 0));
  const size = Math.hypot(...positive);
  expect(status).toBe("converged");
  expect(
    distance(
      X.data,
      positive.map((x) => x / size),
    ),
  ).toBeLessThan(1e-5);
  expect(violation).toBeLessThanOrEqual(1e-6);
  // ∇f − σx = λ: the multipliers of the lower bounds, with their sign
  expect(
    distance(
      multipliers![0]!,
      c.data.map((x) => -Math.max(x, 0)),
    ),
  ).toBeLessThan(1e-4);
  expect(certificate.level).toBe("second-order");
});

test.each(SEEDS)("the KKT conditions hold, computed from f and g (seed %i)", async (seed) => {
  const [n, p, limit] = [20, 3, 0.25];
  const f = weighted(n, p, seed);
  const { X, multipliers, status } = await minimize(f, {
    on: stiefel(n, p),
    subjectTo: [
      atMost(
        formula((X) => rowSums(square(X))),
        limit,
      ),
    ],
    seed,
  });
  expect(status).toBe("converged");
  const E = jsEngine();
  const objective = f.bind(stiefel(n, p).bind(E));
  const [x, G] = [E.tall(n, p, X.data), E.tall(n, p)];
  objective.fg(G, x);
  const lambda = multipliers![0]!;
  const gradient = E.read(G).map((g, k) => g + 2 * lambda[Math.floor(k / p)]! * X.data[k]!);
  // minus X·sym(XᵀG)
  const S = Array.from({ length: p * p }, (_, k) => {
    const [i, j] = [Math.floor(k / p), k % p];
    let s = 0;
    for (let r = 0; r < n; r++)
      s += (X.data[r * p + i]! * gradient[r * p + j]! + X.data[r * p + j]! * gradient[r * p + i]!) / 2;
    return s;
  });
  const residual = gradient.map((g, k) => {
    let r = g;
    for (let j = 0; j < p; j++) r -= X.data[Math.floor(k / p) * p + j]! * S[j * p + (k % p)]!;
    return r;
  });
  expect(Math.hypot(...residual)).toBeLessThan(2e-6);
  for (let i = 0; i < n; i++) {
    const g = X.data.slice(i * p, i * p + p).reduce((s, v) => s + v * v, 0) - limit;
    expect(g).toBeLessThanOrEqual(1e-6);
    expect(lambda[i]).toBeGreaterThanOrEqual(0);
    expect(Math.abs(Math.min(-g, lambda[i]!))).toBeLessThanOrEqual(1.001e-6);
  }
});

test("equality constraints: the columns of the answer add up to zero, and multipliers may be negative", async () => {
  const A = normal(30, 30, 3);
  const L = { ...A, data: A.data.map((_, k) => (A.data[k]! + A.data[(k % 30) * 30 + Math.floor(k / 30)]!) / 8) };
  const result = await minimize(
    formula((X) => trace(mul(X, L, t(X)))),
    {
      on: oblique(4, 30),
      subjectTo: [equal(formula((X) => rowSums(X)))],
    },
  );
  expect(result.status).toBe("converged");
  const sums = [0, 1, 2, 3].map((i) => result.X.data.subarray(30 * i, 30 * i + 30).reduce((s, x) => s + x, 0));
  expect(Math.max(...sums.map(Math.abs))).toBeLessThanOrEqual(1e-6);
  expect(result.violation).toBeLessThanOrEqual(1e-6);
  expect(result.certificate.level).toBe("second-order");
});

test("functions of the user and a formula lead to the same point", async () => {
  const f = weighted(15, 2, 4);
  const on = stiefel(15, 2);
  const own = {
    size: 30,
    value: (out: Float64Array, X: Tall) => out.set(X.data.map((x) => x * x)),
    adjoint(G: Tall, X: Tall, w: Float64Array) {
      for (const [i, weight] of w.entries()) G.data[i]! += 2 * weight * X.data[i]!;
    },
  };
  const byFunctions = await minimize(f, { on, subjectTo: [atMost(own, 0.16)] });
  const byFormula = await minimize(f, {
    on,
    subjectTo: [
      atMost(
        formula((X) => square(X)),
        0.16,
      ),
    ],
  });
  // to roundoff of long sums
  expect(Math.abs(byFunctions.evaluations.f - byFormula.evaluations.f)).toBeLessThan(10);
  expect(distance(byFunctions.X.data, byFormula.X.data)).toBeLessThan(1e-6);
  expect(distance(byFunctions.multipliers![0]!, byFormula.multipliers![0]!)).toBeLessThan(1e-5);
});

test.each([2 ** -20, 2 ** 14])("s·f takes the same steps, with multipliers s·λ (s = %f)", async (s) => {
  const c = normal(20, 2, 5);
  const options = { on: stiefel(20, 2), subjectTo: [bounds(-0.4, 0.4)], constraintTolerance: 1e-7 };
  const one = await minimize(linear(c), { ...options, tol: 1e-6 });
  const scaled = await minimize(linear(c, s), { ...options, tol: 1e-6 * s });
  expect(scaled.evaluations.f).toBe(one.evaluations.f);
  expect(distance(scaled.X.data, one.X.data)).toBeLessThan(1e-9);
  expect(
    distance(
      scaled.multipliers![0]!.map((x) => x / s),
      one.multipliers![0]!,
    ),
  ).toBeLessThan(1e-6);
});

test("rows may be permuted: the answer is the permuted one", async () => {
  const [n, p] = [12, 2];
  const C = normal(n, p, 6);
  const turn = <M extends Matrix>(A: M): Matrix => ({
    ...A,
    data: A.data.map((_, k) => A.data[((Math.floor(k / p) + 5) % n) * p + (k % p)]!),
  });
  const start = normal(n, p, 7);
  const run = (C: Matrix, start: Matrix) =>
    minimize(linear(C), { on: stiefel(n, p), subjectTo: [bounds(-0.4, 0.45)], start });
  const [one, other] = [await run(C, start), await run(turn(C), turn(start))];
  expect(one.status).toBe("converged");
  expect(distance(turn(one.X).data, other.X.data)).toBeLessThan(1e-5);
});

test("a start where f is stationary gives a penalty above zero", async () => {
  // a coordinate vector is stationary for a linear f along it
  const c = { rows: 5, cols: 1, data: Float64Array.of(1, 0, 0, 0, 0) };
  const start = { ...c, data: Float64Array.of(-1, 0, 0, 0, 0) };
  const { status, X, penalty } = await minimize(linear(c), { on: sphere(5), subjectTo: [bounds(-0.5, 1)], start });
  expect(status).toBe("converged");
  expect(penalty).toBeGreaterThan(0);
  expect(X.data[0]).toBeCloseTo(-0.5, 5);
});

test("parts of a product are bounded by their names, columns by their numbers", async () => {
  const [cu, cv] = [normal(6, 1, 8), normal(5, 2, 9)];
  const dot = (A: Matrix, X: Tall) => X.data.reduce((s, x, i) => s + x * A.data[i]!, 0);
  const result = await minimize(
    {
      f: ({ u, V }: { u: Tall; V: Tall }) => dot(cu, u) + dot(cv, V),
      grad: (G: { u: Tall; V: Tall }) => {
        G.u.data.set(cu.data);
        G.V.data.set(cv.data);
      },
    },
    {
      on: product({ u: sphere(6), V: euclidean(5, 2) }),
      subjectTo: [
        nonnegative({ part: "u" }),
        bounds(-1, 2, { part: "V", columns: [0] }),
        bounds(-3, 3, { part: "V", columns: [1] }),
      ],
    },
  );
  const { u, V } = result.X;
  expect(Math.min(...u.data)).toBeGreaterThanOrEqual(-1e-6);
  // a linear function over a box ends in a corner
  const corner = cv.data.map((c, k) => (k % 2 === 0 ? (c > 0 ? -1 : 2) : c > 0 ? -3 : 3));
  expect(distance(V.data, corner)).toBeLessThan(1e-5);
  expect(result.multipliers!.map((list) => list.length)).toEqual([6, 10, 10]);
});

describe("an infeasible set", () => {
  test.each(SEEDS)("is called infeasible, with its violation (seed %i)", async (seed) => {
    const c = normal(10, 1, seed);
    const { status, reason, violation, certificate, evaluations } = await minimize(linear(c), {
      on: sphere(10),
      subjectTo: [bounds(0.5, Number.POSITIVE_INFINITY)],
      seed,
    });
    // the nearest points have equal entries
    expect(status).toBe("infeasible");
    expect(reason.text).toMatch(
      /^near X no point violates the constraints less: .*, and the largest violation is 0\.184 \(.*\); from 5 random points/,
    );
    expect(violation).toBeCloseTo(0.5 - Math.sqrt(0.1), 8);
    expect(certificate.level).toBe("none");
    expect(evaluations.f).toBeLessThanOrEqual(60);
  });
});

test("bounds compose with equations of the user's own and with powers of a manifold", async () => {
  const n = 20;
  const axes = { rows: n, cols: 1, data: Float64Array.from({ length: n }, (_, i) => 1 + (9 * i) / (n - 1)) };
  const ellipsoid = ownManifold({ rows: n, cols: 1, c: formula((x: Expr) => add(sum(entrywise(axes, x, x)), -1)) });
  const c = normal(n, 1, 11);
  const one = await minimize(linear(c), { on: ellipsoid, subjectTo: [nonnegative()] });
  // min ⟨c, x⟩ on Σ a·x² = 1, x ≥ 0: x is a multiple of max(−c, 0)/a
  const x = c.data.map((v, i) => Math.max(-v, 0) / axes.data[i]!);
  const length = Math.sqrt(x.reduce((s, v, i) => s + axes.data[i]! * v * v, 0));
  expect(one.status).toBe("converged");
  expect(
    distance(
      one.X.data,
      x.map((v) => v / length),
    ),
  ).toBeLessThan(1e-5);

  const on = power(sphere(4), 3);
  const f = formula((Xs: Expr) => sum(Xs));
  const many = await minimize(f, { on, subjectTo: [bounds(-0.8, 0.1)], starts: 3 } as never);
  expect(many.status).toBe("converged");
  expect(many.violation).toBeLessThanOrEqual(1e-6);
});

const engines: [string, () => Engine][] = [
  ["opaque", () => opaque(jsEngine())],
  ["split", () => split(jsEngine())],
];
test.each(engines)("bounds on the engine %s", async (_name, open) => {
  const [n, p] = [14, 2];
  const C = normal(n, p, 10);
  const make = (E: Engine) => {
    const A = E.tall(n, p, C.data);
    return {
      fg(G: Tall, X: Tall) {
        E.combine(G, 1, A, 1, X);
        return E.dot(A, X) + 0.5 * E.dot(X, X);
      },
    };
  };
  const options = { on: stiefel(n, p), subjectTo: [bounds(-0.4, 0.4)] };
  const E = open();
  const [one, other] = [await minimize(make, options), await minimize(make, { ...options, engine: E })];
  expect(other.status).toBe("converged");
  expect(distance(one.X.data, other.X.data)).toBeLessThan(1e-6);
  expect(distance(one.multipliers![0]!, other.multipliers![0]!)).toBeLessThan(1e-4);
});

/** Values that are n×p, n×1, p×p and 1×p: tall matrices, which lie apart on `split`, and small ones */
const values: [string, (X: Expr) => Expr, number][] = [
  ["every entry", (X) => square(X), 0.16],
  ["rows", (X) => rowSums(square(X)), 0.25],
  ["a Gram matrix of some rows", (X) => mul(t(block(X, 0, 0, 4, 2)), block(X, 0, 0, 4, 2)), 0.2],
  ["columns", (X) => colSums(X), 0.5],
];
describe.each(engines)("constraints by formulas on the engine %s", (_name, open) => {
  test.each(values)("%s", async (_kind, g, bound) => {
    const [n, p] = [9, 2];
    const C = normal(n, p, 10);
    const f = formula((X: Expr) => add(trace(mul(t(C), X)), scale(0.2, sum(square(square(X))))));
    const on = stiefel(n, p);
    const subjectTo = [
      atMost(formula(g), bound),
      equal(
        formula((X: Expr) => block(X, n - 1, 0, 1, 1)),
        0.1,
      ),
    ];
    const options = { on, subjectTo, tol: 1e-8, constraintTolerance: 1e-8 };
    const [one, other] = [
      await minimize(f, { ...options, engine: jsEngine() }),
      await minimize(f, { ...options, engine: open() }),
    ];
    expect([one.status, other.status]).toEqual(["converged", "converged"]);
    expect(other.violation).toBeLessThanOrEqual(1e-8);
    expect(distance(one.X.data, other.X.data)).toBeLessThan(1e-5);
    expect(other.X.data[(n - 1) * p]).toBeCloseTo(0.1, 7);
    expect(other.multipliers!.map((m) => m.length)).toEqual(one.multipliers!.map((m) => m.length));
    for (const [i, m] of other.multipliers!.entries()) expect(distance(one.multipliers![i]!, m)).toBeLessThan(1e-3);
    // a bound that does not press would test nothing
    expect(Math.max(...one.multipliers![0]!)).toBeGreaterThan(1e-3);
  });
});

test("a limit of the run ends it, with the violation at its point", async () => {
  const { status, violation, multipliers } = await minimize(weighted(20, 3, 2), {
    on: stiefel(20, 3),
    subjectTo: [bounds(-0.3, 0.3)],
    maxIterations: 3,
  });
  expect(status).toBe("iterations");
  expect(violation).toBeGreaterThan(1e-6);
  expect(multipliers![0]).toHaveLength(60);
});

test("the history has the penalty's steps, and states have ρ and the residual", async () => {
  const residuals: number[] = [];
  const { history, iterations } = await minimize(weighted(12, 2, 3), {
    on: stiefel(12, 2),
    subjectTo: [bounds(-0.4, 0.4)],
    history: true,
    observe: ({ notes }) => residuals.push(notes!.residual!),
  });
  expect(history).toHaveLength(iterations + 1);
  const { residual, penalty } = history!.at(-1)!;
  expect([residual, penalty! > 0]).toEqual([residuals.at(-1), true]);
  expect(residuals.at(-1)).toBeLessThan(1e-5);
});

test("f of a constant has no unit: any feasible point is an answer", async () => {
  const zero = { f: () => 1, grad: (G: Tall) => void G.data.fill(0) };
  const sums = formula((X) => add(sum(X), -2));
  const { status, X } = await minimize(zero, { on: sphere(6), subjectTo: [equal(sums), nonnegative()] });
  expect(status).toBe("converged");
  expect(X.data.reduce((s, x) => s + x, 0)).toBeCloseTo(2, 5);
});
