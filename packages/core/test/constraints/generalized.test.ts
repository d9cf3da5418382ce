import type { Matrix, Tall } from "@expen/linalg";
import { random } from "@expen/linalg";
import { jsEngine } from "@expen/linalg/engine";
import { minimize } from "@expen/solvers";
import { opaque } from "@expen/testing/engines/opaque";
import { slope } from "@expen/testing/functions";
import { noeig } from "@expen/testing/operators";
import { describe, expect, test } from "vitest";
import type { Constraint } from "../../src/contracts/constraint.js";
import type { Solver } from "../../src/contracts/method.js";
import type { Objective } from "../../src/contracts/objective.js";
import { dissolvedExpen } from "../../src/expen/dissolved.js";
import { shiftedExpen } from "../../src/expen/shift.js";
import { stagedExpen } from "../../src/expen/stages.js";
import { generalizedStiefelConstraint } from "../../src/manifolds/generalized-stiefel.js";
import { generalizedStiefel } from "../../src/manifolds/named.js";
import { pointOf } from "../../src/manifolds/point.js";
import { lbfgs } from "../../src/methods/quasi-newton/lbfgs.js";
import { quadraticObjective } from "../../src/objective/quadratic.js";

const [n, p] = [30, 3];
const E = opaque(jsEngine());
const violation = (on: Constraint, X: Tall): number => {
  const { p } = on.shape;
  return on.dissolver.K(E.small(p, p), pointOf(E, on)(X));
};
const r = random(1, "generalized");
const [a, b] = [1, 2].map(() => Float64Array.from({ length: n }, () => 1 + 4 * r.uniform()));
const [A, B] = [E.tall(n, 1, a!), E.tall(n, 1, b!)];
/** ½tr(XᵀAX), whose minimum over XᵀBX = I is half the sum of the p smallest a_i/b_i */
const { quadratic: _form, ...trace } = quadraticObjective(E, n, p, { apply: (Y, X) => E.scaleRows(Y, A, X) });
const minimum =
  0.5 *
  [...a!]
    .map((v, i) => v / b![i]!)
    .sort((x, y) => x - y)
    .slice(0, p)
    .reduce((sum, v) => sum + v, 0);

const solvers: [string, (f: Objective, X0: Tall) => Solver][] = [
  [
    "the default",
    (f, X0) => dissolvedExpen(E, f, X0, { on: generalizedStiefelConstraint(E, n, p, (Y, X) => E.scaleRows(Y, B!, X)) }),
  ],
  [
    "ExPen in stages",
    (f, X0) =>
      stagedExpen(E, f, () => lbfgs(E, n, p, { stepCap: 1 }), {
        on: generalizedStiefelConstraint(E, n, p, (Y, X) => E.scaleRows(Y, B!, X)),
      })(X0),
  ],
];

describe("XᵀBX = I through the same seam", () => {
  const on = generalizedStiefelConstraint(E, n, p, (Y, X) => E.scaleRows(Y, B!, X));
  const x0 = on.point();
  on.random(x0, r);
  const X0 = x0.X;

  test.each(solvers)("%s finds the smallest generalized eigenvalues", (_title, make) => {
    const steps = make(trace, X0);
    let [f, X, gnorm]: [number, Tall, number] = [Number.NaN, X0, Number.NaN];
    for (let k = 0; k < 500; k++) {
      const next = steps.next();
      if (next.done) break;
      ({ f, X, gnorm } = next.value);
      if (gnorm <= 1e-7) break;
    }
    expect(gnorm).toBeLessThanOrEqual(1e-7);
    expect(violation(on, X)).toBeLessThanOrEqual(1e-6);
    expect(Math.abs(f - minimum)).toBeLessThanOrEqual(1e-9 * minimum);
  });

  test("gradient and Hessian of its penalty have Taylor slopes 2 and 3", () => {
    const h = shiftedExpen(E, noeig(E, n, p), 2, on);
    E.write(h.M, r.normal);
    E.symmetrize(h.M);
    const [Z, D, G, H, W] = [E.tall(n, p), E.tall(n, p), E.tall(n, p), E.tall(n, p), E.tall(n, p)];
    E.write(D, r.normal);
    E.combine(Z, 1, X0, 0.1, D);
    E.write(D, r.normal);
    E.combine(D, 1 / Math.sqrt(E.dot(D, D)), D, 0, D);
    const value = h.fg(G, Z);
    h.hvp!(H, Z, D);
    const error = (t: number, second: number): number => {
      E.combine(W, 1, Z, t, D);
      return Math.abs(h.f(W) - value - t * E.dot(G, D) - (second * t * t * E.dot(H, D)) / 2);
    };
    expect(slope((t) => error(t, 0), 1e-3)).toBeCloseTo(2, 1);
    expect(slope((t) => error(t, 1), 1e-3)).toBeCloseTo(3, 1);
  });
});

describe("what a dense B costs", () => {
  /** with eigenvalues from 1 to some 100 */
  function dense(n: number): Matrix {
    const [G, S] = [E.small(n, n), E.small(n, n)];
    E.write(G, random(4, "dense").normal);
    E.gram(S, G);
    E.addDiagonal(S, 1);
    return { rows: n, cols: n, data: E.read(S) };
  }
  const [rows, cols] = [40, 10];
  const B = dense(rows);

  test("binding takes a factorization and a product with one column; its factor draws feasible points", () => {
    const before = E.counters.flops;
    const { on } = generalizedStiefel(B, cols).bind(E);
    expect(E.counters.flops - before).toBeLessThanOrEqual(4 * rows * rows);
    const x = on.point();
    const drawn = E.counters.flops;
    on.random(x, random(2, "point"));
    // one product with B, of the point itself
    expect(E.counters.flops - drawn).toBeLessThan(2 * (2 * rows * rows * cols));
    const { X } = x;
    expect(violation(on, X)).toBeLessThan(1e-12);
    expect(Math.sqrt(E.dot(X, X)) / on.size).toBeGreaterThan(0.5);
    expect(Math.sqrt(E.dot(X, X)) / on.size).toBeLessThan(5);
    expect(on.traits.metric?.factor).toBeDefined();
  });

  test("the way back from near takes a product with B for each step, of which there are few", () => {
    const operator = E.operator(B);
    let products = 0;
    const on = generalizedStiefelConstraint(E, rows, cols, (Y, X) => {
      products++;
      operator.apply(Y, X);
    });
    const [x, y, D] = [on.point(), on.point(), E.tall(rows, cols)];
    on.random(x, random(5, "near"));
    E.write(D, random(6, "near").normal);
    E.combine(x.X, 1, x.X, 1e-4, D);
    expect(violation(on, x.X)).toBeGreaterThan(1e-4);
    products = 0;
    on.project(y, x.X);
    expect(products).toBeLessThanOrEqual(5);
    expect(violation(on, y.X)).toBeLessThan(1e-13 * rows);
  });
});

test("B as rows of numbers, or in another kind of list, is the matrix of these numbers", async () => {
  const rows = [
    [2, 1, 0],
    [1, 3, 1],
    [0, 1, 4],
  ];
  const dense = { rows: 3, cols: 3, data: Float64Array.from(rows.flat()) };
  const ends = await Promise.all(
    [
      dense,
      rows,
      { rows: 3, cols: 3, data: rows.flat() },
      { rows: 3, cols: 3, data: Float32Array.from(rows.flat()) },
    ].map((B) =>
      minimize(
        { fg: (G: Tall, X: Tall) => X.data.reduce((sum, x, i) => sum + (G.data[i] = i + 1) * x, 0) },
        { on: generalizedStiefel(B, 2), engine: jsEngine() },
      ),
    ),
  );
  for (const { X, reason } of ends) {
    expect(reason.converged).toBe(true);
    expect(X.data).toEqual(ends[0]!.X.data);
  }
});
