/** Second order along active constraints: projections to fixed entries, many bounds, XᵀBX = I, multipliers by least squares. */

import type { Engine, Matrix, Tall } from "@expen/linalg";
import { random } from "@expen/linalg";
import { norm } from "@expen/linalg/dense";
import { jsEngine } from "@expen/linalg/engine";
import { formula, square } from "@expen/tape";
import { describe, expect, test } from "vitest";
import type { Manifold, View } from "../../src/contracts/manifold.js";
import { euclidean, generalizedStiefel, oblique, product, sphere } from "../../src/manifolds/named.js";
import { stiefel } from "../../src/manifolds/stiefel.js";
import { tangentProjector } from "../../src/manifolds/tangent-projector.js";
import { minimize } from "../../src/minimize.js";
import { randomPoint } from "../../src/run/start.js";
import { activeConstraints } from "../../src/sets/active.js";
import { blockOf } from "../../src/sets/blocks.js";
import { faceAt } from "../../src/sets/face.js";
import { fixedEntries } from "../../src/sets/fixed-entries.js";
import { lagrangian } from "../../src/sets/lagrangian.js";
import { leastSquaresMultipliers } from "../../src/sets/least-squares.js";
import { atMost, bounds, nonnegative, type Subject } from "../../src/sets/subject.js";

const diagonal = (n: number, at: (i: number) => number): Matrix => ({
  rows: n,
  cols: n,
  data: Float64Array.from({ length: n * n }, (_, k) => (k % (n + 1) ? 0 : at(k / (n + 1)))),
});
const column = (n: number, at: (i: number) => number): Matrix => ({
  rows: n,
  cols: 1,
  data: Float64Array.from({ length: n }, (_, i) => at(i)),
});
/** Σ ½a_i·x_i² + c_i·x_i */
const separable = (a: (i: number) => number, c: (i: number) => number) => ({
  f: (X: Tall) => X.data.reduce((sum, x, i) => sum + 0.5 * a(i) * x * x + c(i) * x, 0),
  grad: (G: Tall, X: Tall) => void G.data.set(X.data.map((x, i) => a(i) * x + c(i))),
});

describe("the projection to tangent vectors that leave some entries as they are", () => {
  const B = diagonal(8, (i) => 1 + i);
  test.each<[string, unknown, number]>([
    ["sphere", sphere(10), 4],
    ["stiefel", stiefel(9, 3), 7],
    ["oblique", oblique(5, 4), 9],
    ["XᵀBX = I", generalizedStiefel(B, 2), 5],
    ["product", product({ X: stiefel(6, 2), y: generalizedStiefel(B, 1), z: euclidean(3, 1) }), 8],
  ])("%s: symmetric, idempotent, of the right dimension", (_, manifold, count) => {
    const { E, on } = (manifold as Manifold<View>).bind(jsEngine());
    const { n, p } = on.shape;
    const X = randomPoint({ E, on }, 3);
    const x = on.point(X);
    on.update(x);
    const r = random(5, "fixed");
    const M = E.tall(n, p);
    const mask = E.read(M);
    for (let left = count; left > 0; ) {
      const i = r.integer(mask.length);
      if (mask[i] === 0) left--;
      mask[i] = 1;
    }
    E.write(M, mask);
    const entries = fixedEntries(E, on, x, M);
    const toTangent = tangentProjector(E, on, x);
    const [Z, W] = [0, 1].map(() => {
      const V = E.tall(n, p);
      E.write(V, r.normal);
      return V;
    }) as [Tall, Tall];
    const project = (V: Tall): Tall => {
      const out = E.tall(n, p);
      E.copy(out, V);
      toTangent(out);
      entries.project(out);
      return out;
    };
    const [PZ, PW] = [project(Z), project(W)];
    expect(Math.abs(E.dot(PZ, W) - E.dot(Z, PW))).toBeLessThan(1e-12 * n * p);
    const again = project(PZ);
    E.combine(again, 1, again, -1, PZ);
    expect(norm(E, again)).toBeLessThan(1e-12 * n * p);
    // the entries of the tangent vector stay
    const J = E.tall(n, p);
    const along = on.point(PZ);
    on.update(along);
    on.dissolver.direction(J, x, along);
    for (const [i, d] of E.read(J).entries()) if (mask[i] === 1) expect(Math.abs(d)).toBeLessThan(1e-12 * n * p);
    expect(entries.left).toBeLessThan(1e-13);
    let trace = 0;
    for (const i of mask.keys()) {
      const unit = E.tall(n, p);
      E.write(
        unit,
        mask.map((_, k) => (k === i ? 1 : 0)),
      );
      trace += E.dot(unit, project(unit));
    }
    expect(trace).toBeCloseTo(on.dimension - count, 9);
  });
});

describe("more than 400 active bounds", () => {
  const n = 1200;
  // the first 600 are free, the others at 0 with multipliers 1 to 7
  const f = separable(
    (i) => (i < 600 ? 1 + i / 100 : 0),
    (i) => (i < 600 ? 0 : 1 + (i % 7)),
  );
  const lower = column(n, (i) => (i < 600 ? Number.NEGATIVE_INFINITY : 0));
  const run = (at: number, more = {}) =>
    minimize(f, {
      on: sphere(n),
      subjectTo: [bounds(lower, Number.POSITIVE_INFINITY)],
      start: column(n, (i) => (i === at ? 1 : 0)),
      ...more,
    });

  test("a saddle along them is left, and a minimum shown", async () => {
    const { fval, certificate, notes } = await run(50);
    expect(notes.join()).toMatch(/left a saddle at f = 0\.7/);
    expect(fval).toBeCloseTo(0.5, 5);
    expect(certificate.level).toBe("second-order");
    expect(certificate.text).toMatch(/with 600 active constraints/);
  });

  test("all but five entries are fixed: the least curvature is that of the second one", async () => {
    // e_0 is the minimum among e_0 … e_4, the others are at 0
    const few = separable(
      (i) => (i < 5 ? 1 + i : 0),
      (i) => (i < 5 ? 0 : 1),
    );
    const { certificate } = await minimize(few, {
      on: sphere(500),
      subjectTo: [
        bounds(
          column(500, (i) => (i < 5 ? -2 : 0)),
          2,
        ),
      ],
      certificate: "second-order",
    });
    expect(certificate.level).toBe("second-order");
    const { curvature } = certificate as { curvature?: { lowest: number } };
    expect(curvature!.lowest).toBeCloseTo(1, 4);
  });

  test("gradients that are no entries of X: it is said", async () => {
    const { status, certificate } = await minimize(
      separable(
        () => 0,
        (i) => 1 + (i % 7),
      ),
      {
        on: euclidean(450, 1),
        subjectTo: [
          atMost(
            formula((x) => square(x)),
            1,
          ),
        ],
      },
    );
    expect([status, certificate.level]).toEqual(["converged", "stationary"]);
    expect(certificate.text).toMatch(/450 constraints are active, too many that are no bounds/);
  });
});

describe("XᵀBX = I", () => {
  // in y = √B·x: Σ ½(a/b)y² + (c/√b)y on the unit sphere
  const n = 30;
  const b = (i: number): number => 1 + (i % 4);
  const f = separable(
    (i) => b(i) * (i < 20 ? 1 + i : 0),
    (i) => (i < 20 ? 0 : 3),
  );
  const lower = column(n, (i) => (i < 20 ? Number.NEGATIVE_INFINITY : 0));
  const run = (at: number) =>
    minimize(f, {
      on: generalizedStiefel(diagonal(n, b), 1),
      subjectTo: [bounds(lower, Number.POSITIVE_INFINITY)],
      start: column(n, (i) => (i === at ? 1 / Math.sqrt(b(i)) : 0)),
      certificate: "second-order",
    });

  test("a saddle along the active bounds is left", async () => {
    const { notes, fval } = await run(3);
    expect(notes.join()).toMatch(/left a saddle/);
    expect(fval).toBeCloseTo(0.5, 5);
  });

  test("at the minimum the curvatures have the signs of those in coordinates", async () => {
    const { certificate, fval } = await run(0);
    expect(fval).toBeCloseTo(0.5, 5);
    expect(certificate.level).toBe("second-order");
    expect(certificate.text).toMatch(/with 10 active constraints, no curvature below 0\./);
  });
});

describe("multipliers by least squares", () => {
  /** the face and L of ⟨c, x⟩ on the sphere at its minimum among x ≥ 0, where λ = c₊ */
  function atMinimum(E: Engine, n: number) {
    const c = Float64Array.from({ length: n }, random(n, "least squares").normal);
    const size = Math.hypot(...c.map((v) => Math.max(-v, 0)));
    const domain = (sphere(n) as unknown as Manifold<View>).bind(E);
    const { on } = domain;
    const X = E.tall(
      n,
      1,
      c.map((v) => Math.max(-v, 0) / size),
    );
    const block = blockOf(domain, nonnegative() as Subject);
    const C = E.tall(n, 1, c);
    const linear = (G: Tall, Y: Tall): number => {
      E.copy(G, C);
      return E.dot(C, Y);
    };
    const L = lagrangian(E, { n, p: 1, fg: linear, f: (Y) => E.dot(C, Y) }, [block]);
    L.rho = 3;
    return { c, on, X, block, L };
  }

  test.each([30, 1000])("multipliers with errors of a tenth become those of the closed form, n = %i", (n) => {
    const E = jsEngine();
    const { c, on, X, block, L } = atMinimum(E, n);
    const r = random(1, "errors");
    // Θ = λ/ρ with an error, 0 where x > 0
    E.write(
      block.shifts[0]!,
      c.map((v) => (v > 0 ? (v * (1 + 0.1 * r.uniform())) / 3 : 0)),
    );
    L.f(X);
    const active = activeConstraints(E, [block], X, { rho: L.rho, tolerance: 1e-9, least: 1e-9 });
    L.f(X);
    const x = on.point(X);
    const face = faceAt(E, on, x, active)!;
    expect(Boolean(face.fixed)).toBe(n > 800);
    const after = leastSquaresMultipliers(E, on, L, [block], x, face)!;
    expect(after).toBeLessThan(1e-11 * n);
    for (const [i, lambda] of block.multipliers(L.rho).entries())
      expect(Math.abs(lambda + Math.max(c[i]!, 0))).toBeLessThan(1e-11 * n);
  });

  test("those of the run stay where they are as good", () => {
    const E = jsEngine();
    const { c, on, X, block, L } = atMinimum(E, 20);
    // away from the minimum along the face most of the gradient stays
    E.write(
      X,
      c.map((v) => (v < 0 ? 1 : 0)),
    );
    E.combine(X, 1 / norm(E, X), X, 0, X);
    E.write(
      block.shifts[0]!,
      c.map((v) => Math.max(v, 0) / 3),
    );
    L.f(X);
    const before = E.read(block.shifts[0]!);
    const active = activeConstraints(E, [block], X, { rho: L.rho, tolerance: 1e-9, least: 1e-9 });
    L.f(X);
    const x = on.point(X);
    expect(leastSquaresMultipliers(E, on, L, [block], x, faceAt(E, on, x, active)!)).toBeUndefined();
    expect([...E.read(block.shifts[0]!)]).toEqual([...before]);
  });
});
