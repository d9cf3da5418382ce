import { describe, expect, test } from "vitest";
import { plainPoint } from "../../src/constraints/point.js";
import { smallOf, tallOf } from "../../src/engines/own-matrix.js";
import { stiefel } from "../../src/geometry/stiefel.js";
import { brockett } from "../../src/problems/brockett.js";
import { randomStart } from "../../src/run/start.js";
import { learnedMetric } from "../../src/solvers/lbfgs/learned-metric.js";
import { trialRay } from "../../src/solvers/ray.js";
import type { Small, Tall } from "../../src/types.js";
import { js as E, like, normal, wavy } from "../functions.js";

const [n, p] = [12, 4];
const norm = (A: Tall | Small): number => Math.sqrt(E.dot(A, A));
const difference = <M extends Tall | Small>(A: M, B: M): number => {
  const C = like(E, A);
  E.combine(C, 1, A, -1, B);
  return norm(C);
};
const diagonal = (values: number[]): Small => {
  const D = E.small(values.length, values.length);
  for (const [i, v] of values.entries()) D.data[i * (values.length + 1)] = v;
  return D;
};

describe("the metric of Brockett's function", () => {
  // across the span of the solution B is its mean eigenvalue, 0.7
  const b = [-3, -1, 1, 3, ...Array(n - p).fill(0)].map((v) => v + 0.7);
  const c = [2, 0.8, -0.9, -2.2];
  const V = E.small(p, p, E.read(randomStart(E, p, p, 5)));
  const C = E.small(p, p);
  const VC = E.small(p, p);
  E.mul(VC, V, diagonal(c));
  E.mulT(C, VC, V);
  E.symmetrize(C);
  const B = diagonal(b);

  /** the metric at X, after one look there */
  function metricAt(X: Tall, shift = 0) {
    const Bs = smallOf(E, B);
    E.addDiagonal(Bs, shift);
    const { objective: f } = brockett(E, { n, p, B: Bs, C });
    const geometry = stiefel(E, n, p);
    const metric = learnedMetric(E, f, geometry);
    const G = E.tall(n, p);
    const value = f.fg(G, X);
    const { D, G: y } = trialRay(E, f, geometry, X);
    metric.learn({ t: 1, D, y, dd: 1, dy: 1 });
    return { f, G, value, geometry, metric };
  }

  test("is the inverse of the Hessian at a solution, where B is a number across its span", () => {
    // the columns of X·V are the first unit vectors
    const [I, X] = [E.tall(n, p), E.tall(n, p)];
    for (let i = 0; i < p; i++) I.data[i * (p + 1)] = 1;
    E.mulT(X, I, V);
    const { f, G, value, geometry, metric } = metricAt(X);
    expect(value).toBeCloseTo(0.5 * c.reduce((sum, cj, j) => sum + cj * b[j]!, 0), 10);
    const D = normal(E, n, p, 8);
    geometry.project(D, plainPoint(X));
    const [H, Z] = [E.tall(n, p), E.tall(n, p)];
    f.hvp!(H, X, D);
    geometry.hessian(H, D, plainPoint(X), G);
    metric.apply(Z, X, H);
    expect(difference(Z, D)).toBeLessThan(1e-12 * norm(D));
  });

  test("is positive definite on tangent vectors, symmetric, and maps to tangent vectors at any point", () => {
    const X = randomStart(E, n, p, 3);
    const { geometry, metric } = metricAt(X);
    const [D, F, HD, HF] = [normal(E, n, p, 1), normal(E, n, p, 2), E.tall(n, p), E.tall(n, p)];
    geometry.project(D, plainPoint(X));
    geometry.project(F, plainPoint(X));
    metric.apply(HD, X, D);
    metric.apply(HF, X, F);
    expect(E.dot(D, HD)).toBeGreaterThan(0);
    expect(E.dot(F, HD)).toBeCloseTo(E.dot(D, HF), 11);
    const tangent = tallOf(E, HD);
    geometry.project(tangent, plainPoint(X));
    expect(difference(tangent, HD)).toBeLessThan(1e-12 * norm(HD));
  });

  test("does not change when c·I is added to B", () => {
    const X = randomStart(E, n, p, 3);
    const D = normal(E, n, p, 1);
    stiefel(E, n, p).project(D, plainPoint(X));
    const images = [0, 40].map((shift) => {
      const Z = E.tall(n, p);
      metricAt(X, shift).metric.apply(Z, X, D);
      return Z;
    });
    expect(difference(images[0]!, images[1]!)).toBeLessThan(1e-11 * norm(images[0]!));
  });
});

describe("the metric of any other function", () => {
  test.each([1 / 4, 1 / 2])("begins with D_ρ = P⊥G + 4ρ·XΩ, ρ = %f", (rho) => {
    const geometry = stiefel(E, n, p);
    const { apply } = learnedMetric(E, wavy(E, n, p), geometry, rho);
    const X = randomStart(E, n, p, 3);
    const [G, Z, Omega] = [normal(E, n, p, 4), E.tall(n, p), E.small(p, p)];
    geometry.project(G, plainPoint(X));
    apply(Z, X, G);
    E.tmul(Omega, X, G);
    const expected = tallOf(E, G);
    E.mul(expected, X, Omega, 4 * rho - 1, 1);
    expect(difference(Z, expected)).toBeLessThan(1e-13 * norm(G));
  });
});
