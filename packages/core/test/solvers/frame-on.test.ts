import type { Engine, Small, Tall } from "@expen/linalg";
import { gaussian, random, unitSymmetric } from "@expen/linalg";
import { jsEngine } from "@expen/linalg/engine";
import { solvers } from "@expen/solvers";
import { opaque } from "@expen/testing/engines/opaque";
import { split } from "@expen/testing/engines/split";
import { describe, expect, test } from "vitest";
import type { Manifold, View } from "../../src/contracts/manifold.js";
import type { UserObjective } from "../../src/contracts/user-objective.js";
import {
  complexStiefel,
  euclidean,
  generalizedStiefel,
  grassmann,
  oblique,
  product,
  specialOrthogonal,
} from "../../src/manifolds/named.js";
import { plainPoint, pointOf } from "../../src/manifolds/point.js";
import { stiefel } from "../../src/manifolds/stiefel.js";
import { leaves } from "../../src/manifolds/view.js";
import { violationOf } from "../../src/manifolds/violation.js";
import { frameExpen } from "../../src/methods/quasi-newton/frame-expen.js";
import { frameOn, hasFrame } from "../../src/methods/quasi-newton/frame-of.js";
import type { Frame, Tangent } from "../../src/methods/quasi-newton/tangent.js";
import { minimize } from "../../src/minimize.js";
import { counted, noEvaluations } from "../../src/objective/evaluator.js";
import { objectiveOn } from "../../src/objective/objective.js";
import { randomPoint } from "../../src/run/start.js";

const base = jsEngine();
const r = random(5, "frames");

const manifolds: Record<string, Manifold<View>> = {
  complex: complexStiefel(9, 3) as Manifold<View>,
  unitary: complexStiefel(4, 4) as Manifold<View>,
  "unit columns": oblique(4, 6),
  free: euclidean(5, 3),
  rotations: specialOrthogonal(4),
  product: product({
    U: stiefel(7, 2),
    Q: stiefel(3, 3),
    Z: complexStiefel(5, 2),
    w: product({ C: oblique(3, 4), s: euclidean(2, 3) }),
  }) as Manifold<View>,
};

const normOf = (E: Engine, A: Tall | Small): number => Math.sqrt(E.dot(A, A));

/** A tangent vector of a frame at X, split from random numbers */
function anyTangent(E: Engine, frame: Frame, X: Tall): Tangent {
  const g = frame.make();
  const G = frame.gradientBuffer(g);
  E.write(G, r.normal);
  frame.toGradient(g, plainPoint(X), G);
  return g;
}

describe.each(Object.keys(manifolds))("the frame: %s", (name) => {
  const bound = manifolds[name]!.bind(base);
  const { E, on } = bound;
  const { frame, first } = frameOn(E, on);
  const X = randomPoint(bound, 2);
  const x = pointOf(E, on)(X);
  const { n, p } = on.shape;

  test("‖g‖ is the norm of the Riemannian gradient, and trial points leave X along it", () => {
    const [G, y, Z] = [E.tall(n, p), on.point(), E.tall(n, p)];
    const Y = y.X;
    E.write(G, r.normal);
    const g = frame.make();
    E.copy(frame.gradientBuffer(g), G);
    frame.toGradient(g, x, frame.gradientBuffer(g));
    on.dissolver.tangent(G, x);
    expect(Math.sqrt(frame.inner(g, g)) / normOf(E, G)).toBeCloseTo(1, 12);
    frame.retract(y, x, 0.7, g);
    expect(violationOf(E, on)(Y)).toBeLessThan(1e-9);
    const off = (t: number): number => {
      frame.retract(y, x, t, g);
      E.combine(Z, 1 / t, Y, -1 / t, X);
      E.combine(Z, 1, Z, -1, G);
      return normOf(E, Z);
    };
    expect(off(1e-5)).toBeLessThan(1e-4 * E.dot(G, G));
  });

  test("the first matrix has ⟨y, H₀y⟩ = ⟨s, y⟩ and is symmetric and positive", () => {
    const [Hy, Hz] = [frame.make(), frame.make()];
    for (let k = 0; k < 12; k++) {
      const [D, noise, y, t] = [anyTangent(E, frame, X), anyTangent(E, frame, X), frame.make(), 0.5];
      frame.combine(y, (2 + k) * t, D, 0.3, noise);
      const [dd, dy] = [frame.inner(D, D), frame.inner(D, y)];
      const sy = t * dy;
      // the multiplier is that of the last tangent vector
      first.learn(X, { t, D, y, dd, dy });
      first.apply(Hy, X, y);
      expect(frame.inner(y, Hy) / sy).toBeCloseTo(1, 11);
      first.apply(Hz, X, noise);
      expect(frame.inner(noise, Hz)).toBeGreaterThan(0);
      const [a, b] = [frame.inner(y, Hz), frame.inner(noise, Hy)];
      expect(Math.abs(a - b)).toBeLessThan(1e-11 * (Math.abs(a) + Math.sqrt(sy)));
    }
  });
});

test("where XᵀBX = I there is a frame for a dense B of moderate size, in a product with one too, and for the action of B", () => {
  const B = { rows: 3, cols: 3, data: Float64Array.of(2, 0, 0, 0, 3, 0, 0, 0, 4) };
  const action = { rows: 300, apply: (Y: Tall, X: Tall) => base.combine(Y, 2, X, 0, X) };
  const has = (on: Manifold<View>): boolean => hasFrame(base, on.bind(base).on);
  expect(has(generalizedStiefel(B, 2))).toBe(true);
  expect(has(generalizedStiefel(action, 2))).toBe(true);
  expect(has(product({ X: generalizedStiefel(B, 2), V: stiefel(4, 2) }) as Manifold<View>)).toBe(true);
  expect(has(product({ X: generalizedStiefel(action, 2), V: stiefel(4, 2) }) as Manifold<View>)).toBe(false);
  const on = generalizedStiefel(B, 2).bind(base).on;
  expect(hasFrame(base, { ...on, shape: { n: 2001, p: 10 } })).toBe(false);
  expect(hasFrame(base, { ...on, shape: { n: 2000, p: 1 } })).toBe(true);
  expect(has(product({ X: grassmann(5, 2), V: stiefel(4, 2) }) as Manifold<View>)).toBe(true);
});

/** Gradient norms of the first steps */
function norms(on: Manifold<View>, f: UserObjective<View>, steps = 10): number[] {
  const bound = on.bind(base);
  const list: number[] = [];
  const [{ X }, x0] = [bound.on.point(), bound.on.point()];
  // the same numbers for a part whatever stands beside it
  for (const { name, matrix } of leaves(bound.view(X))) base.write(matrix as Tall, random(1, name).normal);
  bound.on.project(x0, X);
  for (const { gnorm } of frameExpen(bound.E, objectiveOn(bound, f), x0.X, { on: bound.on })) {
    if (list.push(gnorm) === steps) break;
  }
  return list;
}

const alike = (a: number[], b: number[], factor = 1): void => {
  expect(a).toHaveLength(b.length);
  for (const [k, v] of a.entries()) expect(Math.abs(v / (factor * b[k]!) - 1), `step ${k}`).toBeLessThan(1e-6);
};

type UV = { U: Tall; V: Tall };

describe("the steps on a product", () => {
  const [n, m, p] = [8, 6, 2];
  const A = base.operator(gaussian(n, m, r));
  const B = base.operator(unitSymmetric(n, r));
  const N = base.small(p, p, Float64Array.of(2, 0, 0, 1));
  const [AV, AU, BU] = [base.tall(n, p), base.tall(m, p), base.tall(n, p)];
  /** −tr UᵀAVN + ½⟨U, BU⟩ */
  const f = (scale = 1, shift = 0): UserObjective<View> =>
    ({
      fg(G: UV, X: UV) {
        A.apply(AV, X.V);
        A.applyT(AU, X.U);
        B.apply(BU, X.U);
        base.mul(G.U, AV, N, -scale);
        base.mul(G.V, AU, N, -scale);
        const bilinear = base.dot(X.U, G.U);
        base.combine(G.U, 1, G.U, scale, BU);
        base.combine(G.U, 1, G.U, shift, X.U);
        return bilinear + 0.5 * scale * base.dot(X.U, BU) + 0.5 * shift * base.dot(X.U, X.U);
      },
    }) as unknown as UserObjective<View>;
  const UVs = product({ U: stiefel(n, p), V: stiefel(m, p) }) as Manifold<View>;
  const plain = norms(UVs, f());

  test("they do not depend on the order of the parts", () => {
    alike(norms(product({ V: stiefel(m, p), U: stiefel(n, p) }) as Manifold<View>, f()), plain);
  });

  test("they do not change with a·f, nor with c/2·‖U‖² added to f", () => {
    alike(norms(UVs, f(1e3)), plain, 1e3);
    alike(norms(UVs, f(1, 3)), plain);
  });
});

/** Evaluations until f, whose minimum is 0, has fallen by ten digits. S starts divided by `unit`. */
async function evaluationsTo(on: Manifold<View>, f: UserObjective<View>, unit = 1): Promise<number> {
  const bound = on.bind(base);
  const evaluations = noEvaluations();
  const X = randomPoint(bound, 3);
  const S = leaves(bound.view(X)).find(({ name }) => name === "S");
  if (S) base.combine(S.matrix as Tall, 1 / unit, S.matrix as Tall, 0, S.matrix as Tall);
  const objective = counted(objectiveOn(bound, f), evaluations);
  let first: number | undefined;
  for (const { f: value } of await solvers.auto.create(bound.E, objective, X, { on: bound.on })) {
    first ??= value;
    if (value <= 1e-10 * first || evaluations.grad > 2000) return evaluations.grad;
  }
  return Number.NaN;
}

test("US = M: the unit in which S is measured changes little", async () => {
  const [n, m, p] = [20, 12, 3];
  // M of rank p: the minimum is 0
  const [L, R, T] = [base.tall(n, p), base.tall(m, p), base.small(m, p)];
  for (const A of [L, R]) base.write(A, r.normal);
  base.write(T, base.read(R));
  const M = base.tall(n, m);
  base.mulT(M, L, T);
  const [W, S, Q] = [base.tall(n, m), base.small(p, m), base.small(p, m)];
  type US = { U: Tall; S: Tall };
  const measuredIn = (unit: number): UserObjective<View> =>
    ({
      fg(G: US, X: US) {
        base.write(S, base.read(X.S).map((v) => unit * v)); // biome-ignore format: one thought
        base.copy(W, M);
        base.mul(W, X.U, S, 1, -1);
        base.mulT(G.U, W, S);
        base.tmul(Q, X.U, W);
        base.write(G.S, base.read(Q).map((v) => unit * v)); // biome-ignore format: one thought
        return 0.5 * base.dot(W, W);
      },
    }) as unknown as UserObjective<View>;
  const on = product({ U: stiefel(n, p), S: euclidean(p, m) }) as Manifold<View>;
  const one = await evaluationsTo(on, measuredIn(1));
  expect(one).toBeLessThan(100);
  for (const unit of [30, 1 / 30]) expect(await evaluationsTo(on, measuredIn(unit), unit)).toBeLessThan(1.7 * one);
});

test("a part of a product that turns in its columns' span alone, with ⟨s, y⟩ ≤ 0 at first, does not stop the run", async () => {
  const [n, p] = [6, 3];
  const own = p * p;
  const start = { rows: n, cols: p, data: Float64Array.from({ length: n * p }, (_, k) => (k % (p + 1) === 0 ? 1 : 0)) };
  start.data.fill(0, own);
  for (let seed = 1; seed <= 60; seed++) {
    const normal = random(seed, "bilinear").normal;
    const [A, C, D] = [own * own, own, own].map((length) => Float64Array.from({ length }, normal));
    // of the first p rows of U and V, so that Z = 0 up to roundoff
    const fg = (G: { U: Tall; V: Tall }, X: { U: Tall; V: Tall }): number => {
      const [u, v, gu, gv] = [base.read(X.U), base.read(X.V), new Float64Array(n * p), new Float64Array(n * p)];
      let value = 0;
      for (let i = 0; i < own; i++) {
        value += C![i]! * u[i]! + D![i]! * v[i]!;
        gu[i]! += C![i]!;
        gv[i]! += D![i]!;
        for (let j = 0; j < own; j++) {
          const a = 3 * A![own * i + j]!;
          value += a * u[i]! * v[j]!;
          gu[i]! += a * v[j]!;
          gv[j]! += a * u[i]!;
        }
      }
      base.write(G.U, gu);
      base.write(G.V, gv);
      return value;
    };
    const on = product({ U: stiefel(n, p), V: stiefel(n, p) });
    const options = {
      on,
      engine: base,
      solver: "frame",
      start: { U: start, V: start },
      certificate: "stationary",
    } as const;
    const { status, iterations } = await minimize({ fg }, options);
    expect(status).toBe("converged");
    expect(iterations).toBeLessThan(150);
  }
});

test.each([
  ["opaque", () => opaque(jsEngine())],
  ["split", () => split(jsEngine())],
])("the default on complex matrices beside unit columns: %s takes the steps of js", async (_name, make) => {
  const n = 12;
  const A = unitSymmetric(n, random(8, "A"));
  type Point = { Z: { re: Tall; im: Tall }; C: Tall };
  const values = async (E: Engine): Promise<number[]> => {
    const { apply } = E.operator(A);
    const bound = product({ Z: complexStiefel(n, 3), C: oblique(n, 2) }).bind(E) as unknown as ReturnType<
      Manifold<View>["bind"]
    >;
    const f = {
      fg(G: Point, X: Point) {
        const parts = [
          [G.Z.re, X.Z.re],
          [G.Z.im, X.Z.im],
          [G.C, X.C],
        ] as const;
        let value = 0;
        for (const [g, x] of parts) {
          apply(g, x);
          value += 0.5 * E.dot(g, x);
        }
        return value;
      },
    } as unknown as UserObjective<View>;
    const list: number[] = [];
    const run = await solvers.auto.create(bound.E, objectiveOn(bound, f), randomPoint(bound, 1), { on: bound.on });
    for (const { f: value } of run) if (list.push(value) === 12) break;
    return list;
  };
  const [plain, other] = [await values(base), await values(make())];
  expect(plain.at(-1)!).toBeLessThan(plain[0]! - 0.1);
  for (const [k, v] of other.entries()) expect(v).toBeCloseTo(plain[k]!, 9);
});
