/** Runs on equations of the user's own. */

import type { Tall } from "@expen/linalg";
import { jsEngine } from "@expen/linalg/engine";
import { minimize } from "@expen/solvers";
import { entry, formula, inner, mul, norm2, scale, sub } from "@expen/tape";
import { describe, expect, test } from "vitest";
import type { Manifold, View } from "../../src/contracts/manifold.js";
import type { UserObjective } from "../../src/contracts/user-objective.js";
import { generalizedStiefel, product, sphere } from "../../src/manifolds/named.js";
import { stiefel } from "../../src/manifolds/stiefel.js";
import { ownManifold } from "../../src/own/own-manifold.js";
import { equal, nonnegative } from "../../src/sets/subject.js";
import {
  ellipsoid,
  hyperbolicParaboloid,
  matrixOf,
  nearestTo,
  normals,
  type OwnProblem,
  parsevalFrame,
  symplectic,
  unitSphere,
} from "./problems.js";

const E = jsEngine();
const on = ({ rows, cols, c }: OwnProblem): Manifold<View> => ownManifold({ rows, cols, c }) as Manifold<View>;
const SEEDS = Array.from({ length: 20 }, (_, i) => i + 1);
const median = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 1]!;

test.each([
  ["ellipsoid, 40", (seed: number) => ellipsoid(40, seed), 170],
  ["hyperbolic paraboloid, 10", (seed: number) => hyperbolicParaboloid(10, seed), 20],
  ["symplectic Stiefel, 12×4", (seed: number) => symplectic(12, 4, seed), 25],
  ["Parseval frame, 12×5", (seed: number) => parsevalFrame(12, 5, seed), 45],
])("%s: twenty of twenty, within a bound of evaluations", async (_, make, most) => {
  const counts: number[] = [];
  for (const seed of SEEDS) {
    const problem = make(seed);
    const run = { on: on(problem), engine: E, seed, tol: 1e-5, check: false, certificate: "second-order" } as const;
    const { status, feasibility, stationarity, fval, evaluations, certificate } = await minimize(problem.f(E), run);
    expect([seed, status]).toEqual([seed, "converged"]);
    expect(feasibility).toBeLessThan(1e-12);
    expect(stationarity).toBeLessThanOrEqual(1e-5);
    expect(certificate.level).toBe("second-order");
    if (problem.optimum) expect(Math.abs(fval - problem.optimum)).toBeLessThan(1e-9 * Math.abs(problem.optimum));
    counts.push(evaluations.grad);
  }
  expect(median(counts)).toBeLessThanOrEqual(most);
});

test("a hyperbola of two branches, which rays of half of all directions never meet", async () => {
  const c = formula((x) => sub(mul(entry(x, 0, 0), entry(x, 1, 0)), 1));
  for (const seed of SEEDS.slice(0, 5)) {
    const { fval, status } = await minimize(
      formula((x) => norm2(x)),
      { on: ownManifold({ rows: 2, cols: 1, c }), seed },
    );
    expect([seed, status]).toEqual([seed, "converged"]);
    expect(Math.abs(fval - 2)).toBeLessThan(1e-9);
  }
});

test.each([1e-6, 1, 1e6])(
  "a set in units of %d without a start: two Jacobians for each evaluation, all included",
  async (unit) => {
    const n = 40;
    const axis = (i: number): number => unit * (1 - (0.9 * i) / (n - 1));
    for (const seed of SEEDS.slice(0, 5)) {
      let jacobians = 0;
      const set = ownManifold({
        rows: n,
        cols: 1,
        c: ({ data: x }: Tall) => [x.reduce((sum, v, i) => sum + (v / axis(i)) ** 2, -1)],
        jacobian({ data: x }: Tall) {
          jacobians++;
          return [x.map((v, i) => (2 * v) / axis(i) ** 2)];
        },
      });
      const b = normals(n, 1, seed).data;
      const f = {
        fg(G: Tall, X: Tall): number {
          G.data.set(b);
          return b.reduce((sum, v, i) => sum + v * X.data[i]!, 0);
        },
      } as unknown as UserObjective<View>;
      const { fval, evaluations } = await minimize(f, { on: set as Manifold<View>, tol: 1e-5, check: false, seed });
      const optimum = -Math.sqrt(b.reduce((sum, v, i) => sum + (axis(i) * v) ** 2, 0));
      expect(Math.abs(fval - optimum)).toBeLessThan(1e-9 * Math.abs(optimum));
      expect(jacobians).toBeLessThanOrEqual(2 * evaluations.grad);
    }
  },
);

test("at most two Jacobians for each evaluation of f", async () => {
  const count = { values: 0, adjoints: 0 };
  const problem = parsevalFrame(12, 5, 3, count);
  const options = { on: on(problem), engine: E, tol: 1e-5, check: false, certificate: "stationary" } as const;
  await minimize(problem.f(E), { ...options, maxIterations: 0 });
  const atStart = count.adjoints;
  count.adjoints = 0;
  const { evaluations } = await minimize(problem.f(E), options);
  expect(count.adjoints - atStart).toBeLessThanOrEqual(2 * 27 * evaluations.grad);
});

describe("the same set by other equations", () => {
  const problem = ellipsoid(10, 4);
  const axes = Float64Array.from({ length: 10 }, (_, i) => (1 - 0.1 * i) ** -2);
  const value = ({ data: x }: Tall): number => x.reduce((sum, v, i) => sum + axes[i]! * v * v, -1);
  const row = ({ data: x }: Tall): Float64Array => x.map((v, i) => 2 * axes[i]! * v);
  const forms = {
    "one equation": { c: (X: Tall) => [value(X)], jacobian: (X: Tall) => [row(X)] },
    "another unit": { c: (X: Tall) => [1e8 * value(X)], jacobian: (X: Tall) => [row(X).map((v) => 1e8 * v)] },
    "given twice": {
      c: (X: Tall) => [value(X), 1e-6 * value(X)],
      jacobian: (X: Tall) => [row(X), row(X).map((v) => 1e-6 * v)],
    },
    "the Jacobian as a matrix": {
      c: (X: Tall) => Float64Array.of(value(X)),
      jacobian: (X: Tall) => ({ rows: 1, cols: 10, data: row(X) }),
    },
    differences: { c: (X: Tall) => [value(X)] },
    "products with the Jacobian": {
      c: {
        size: 1,
        value: (out: Float64Array, X: Tall) => void (out[0] = value(X)),
        adjoint(G: Tall, X: Tall, w: Float64Array) {
          for (const [i, v] of row(X).entries()) G.data[i]! += w[0]! * v;
        },
      },
    },
  };
  const run = (given: Pick<Parameters<typeof ownManifold>[0], "c" | "jacobian">) =>
    minimize(problem.f(E), {
      on: ownManifold({ rows: 10, cols: 1, ...given }) as Manifold<View>,
      engine: E,
      check: false,
    });

  test.each(Object.entries(forms))("%s: the same run", async (_, form) => {
    const [one, other] = [await run(forms["one equation"]), await run(form)];
    expect(other.status).toBe("converged");
    expect(Math.abs(other.evaluations.grad - one.evaluations.grad)).toBeLessThanOrEqual(2);
    expect(Math.abs(other.fval - one.fval)).toBeLessThan(1e-10 * Math.abs(one.fval));
    expect(other.feasibility).toBeLessThan(1e-12);
  });
});

test("xᵀx = 1 gives the answer of sphere(n), with the multiplier and the curvature in the certificate", async () => {
  const A = matrixOf(8, 8, (i, j) => (i === j ? i + 1 : 0.1));
  const f = formula((x) => scale(0.5, inner(x, mul(A, x))));
  const own = await minimize(f, { on: ownManifold({ rows: 8, cols: 1, ...unitSphere }), engine: E });
  const usual = await minimize(f, { on: sphere(8), engine: E });
  expect(own.fval).toBeCloseTo(usual.fval, 12);
  const [a, b] = [own.certificate, usual.certificate];
  expect(a.level).toBe("second-order");
  // c has a gradient of length 1 in the equations of the run, and 2 in xᵀx − 1
  if (b.curvature) expect(a.curvature!.lowest).toBeCloseTo(b.curvature.lowest, 6);
});

test("a saddle is seen and left", async () => {
  const A = matrixOf(6, 6, (i, j) => (i === j ? i + 1 : 0));
  const f = formula((x) => scale(0.5, inner(x, mul(A, x))));
  const start = matrixOf(6, 1, (i) => (i === 3 ? 1 : 0));
  const result = await minimize(f, { on: ownManifold({ rows: 6, cols: 1, ...unitSphere }), engine: E, start });
  expect(result.notes.join("; ")).toMatch(/left a saddle at f = 2/);
  expect(result.fval).toBeCloseTo(0.5, 10);
});

test("a part of a product, beside a named manifold", async () => {
  const { rows, cols, c, f, optimum } = ellipsoid(10, 2);
  const A = normals(7, 2, 5);
  const [first, second] = [f(E), nearestTo(A)(E)];
  type Pair = { x: Tall; V: Tall };
  const both = {
    fg: (G: Pair, X: Pair): number => first.fg!(G.x, X.x) + second.fg!(G.V, X.V),
  } as unknown as UserObjective<View>;
  const manifold = product({ x: ownManifold({ rows, cols, c }), V: stiefel(7, 2) }) as unknown as Manifold<View>;
  const result = await minimize(both, { on: manifold, engine: E });
  const alone = await minimize(second, { on: stiefel(7, 2) as unknown as Manifold<View>, engine: E });
  expect(result.status).toBe("converged");
  expect(result.fval).toBeCloseTo(optimum! + alone.fval, 8);
  expect(result.feasibility).toBeLessThan(1e-12);
  expect(result.certificate.level).toBe("second-order");
});

test("with x ≥ 0 by subjectTo: the part of b below zero decides", async () => {
  const { rows, cols, c, f } = ellipsoid(20, 3);
  const b = normals(20, 1, 3).data;
  const below = b.reduce((sum, v, i) => sum + (v < 0 ? ((1 - (0.9 * i) / 19) * v) ** 2 : 0), 0);
  const manifold = ownManifold({ rows, cols, c }) as Manifold<View>;
  const result = await minimize(f(E), { on: manifold, engine: E, subjectTo: [nonnegative()] });
  expect(result.status).toBe("converged");
  expect(Math.abs(result.fval + Math.sqrt(below))).toBeLessThan(1e-5 * Math.sqrt(below));
  expect(Math.min(...(result.X as unknown as { data: Float64Array }).data)).toBeGreaterThan(-1e-6);
});

test("subjectTo on XᵀBX = I: each inner run begins at the point of the last one", async () => {
  const B = matrixOf(12, 12, (i, j) => (i === j ? 1 + i * i : 0));
  const f = nearestTo(normals(12, 2, 8))(E);
  const rowSum = {
    size: 1,
    value: (out: Float64Array, X: Tall) => void (out[0] = E.read(X).reduce((a, v) => a + v, 0)),
  };
  const ones = E.tall(12, 2);
  E.fill(ones, 1);
  const h = equal({ ...rowSum, adjoint: (G: Tall, _X: Tall, w: Float64Array) => E.combine(G, 1, G, w[0]!, ones) });
  const result = await minimize(f, {
    on: generalizedStiefel(B, 2) as unknown as Manifold<View>,
    engine: E,
    subjectTo: [h],
  });
  expect(result.status).toBe("converged");
  expect(result.violation).toBeLessThan(1e-6);
  expect(result.feasibility).toBeLessThan(1e-10);
});

test.each(["rlbfgs", "rcg", "rtr", "frame"])("the solver %s runs there too", async (solver) => {
  const problem = symplectic(8, 2, 1);
  const options = { on: on(problem), engine: E, seed: 2, relTol: 1e-6 };
  const usual = await minimize(problem.f(E), options);
  const { status, fval, feasibility } = await minimize(problem.f(E), { ...options, solver });
  expect(status).toBe("converged");
  expect(fval).toBeCloseTo(usual.fval, 8);
  expect(feasibility).toBeLessThan(1e-12);
});

test("a point where the rank of the Jacobian falls is called singular, and nothing is said of second order", async () => {
  // x² + y² = z² with its tip, and an equation that says nothing
  const cone = {
    c: ({ data: [x, y, z] }: Tall) => [x! * x! + y! * y! - z! * z!, 0 * x!],
    jacobian: ({ data: [x, y, z] }: Tall) => [
      [2 * x!, 2 * y!, -2 * z!],
      [0, 0, 0],
    ],
  };
  const manifold = ownManifold({ rows: 3, cols: 1, ...cone, start: matrixOf(3, 1, (i) => [3, 4, 5][i]!) });
  const { on: constraint } = manifold.bind(E);
  expect(constraint.dimension).toBe(2);
  expect(constraint.traits.equations!.rankAt(E.tall(3, 1, [3, 4, 5]))).toBe(1);
  expect(constraint.traits.equations!.rankAt(E.tall(3, 1))).toBe(0);
  const tip = matrixOf(3, 1, () => 0);
  const f = nearestTo(tip)(E);
  const { certificate } = await minimize(f, { on: manifold as Manifold<View>, engine: E, start: tip, check: false });
  expect(certificate.level).toBe("stationary");
  expect(certificate.text).toMatch(/the Jacobian of c has rank 0 here and 1 at other points: a singular point/);
});
