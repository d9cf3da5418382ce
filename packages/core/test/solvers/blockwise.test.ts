/** Sums over the points of a power: each point has pairs of its own, and the number and the sizes of the terms count for little. */
import type { Tall } from "@expen/linalg";
import { random } from "@expen/linalg";
import { blockEngine } from "@expen/linalg/algebras";
import { unstack } from "@expen/linalg/arrays";
import { jsEngine } from "@expen/linalg/engine";
import { minimize } from "@expen/solvers";
import { add, type Expr, formula, inner, mul, scale, square } from "@expen/tape";
import { opaque } from "@expen/testing/engines/opaque";
import { split } from "@expen/testing/engines/split";
import { describe, expect, test } from "vitest";
import type { Manifold } from "../../src/contracts/manifold.js";
import { grassmann, specialOrthogonal, sphere } from "../../src/manifolds/named.js";
import { power } from "../../src/manifolds/powers.js";
import { stiefel } from "../../src/manifolds/stiefel.js";
import { blockPairs } from "../../src/methods/quasi-newton/block-pairs.js";
import { frame } from "../../src/methods/quasi-newton/frame.js";
import { rayIn } from "../../src/methods/ray.js";
import { evaluator } from "../../src/objective/evaluator.js";
import { objectiveOn } from "../../src/objective/objective.js";
import { isBlockSum } from "../../src/run/block-sum.js";

/** ⟨A_i, X_i⟩ + ⟨W_i, X_i⁴⟩, entry by entry, of each of k points, times a size that is spread over so many decades */
function sum(k: number, [n, p]: readonly [number, number], decades: number) {
  const { normal } = random(2, "terms");
  const { uniform } = random(3, "sizes");
  const sizes = Array.from({ length: k }, () => 10 ** (decades * (uniform() - 0.5)));
  const stack = (of: () => number) => ({
    rows: k * n,
    cols: p,
    data: Float64Array.from({ length: k * n * p }, (_, at) => sizes[Math.floor(at / (n * p))]! * of()),
  });
  const [A, W] = [stack(normal), stack(() => 0.3 + normal() / 6)];
  return formula((X: Expr) => add(inner(A, X), inner(W, square(square(X)))));
}

const runs: [string, Manifold][] = [
  ["rotations", specialOrthogonal(3)],
  ["unit vectors", sphere(8)],
  ["frames", stiefel(6, 2)],
];

describe.each(runs)("%s", (_name, one) => {
  const evaluations = async (k: number, decades: number): Promise<number> => {
    const run = await minimize(sum(k, [one.n, one.p], decades), {
      on: power(one, k),
      certificate: "stationary",
      tol: 1e-6,
    });
    expect([run.reason.converged, run.run.method]).toEqual([true, "blocks"]);
    return run.evaluations.f;
  };

  test("five hundred points take at most twice the evaluations of five", async () => {
    expect(await evaluations(500, 0)).toBeLessThanOrEqual(2 * (await evaluations(5, 0)));
  });

  test("terms over six decades take at most one and a half times those of one size", async () => {
    expect(await evaluations(100, 6)).toBeLessThanOrEqual(1.5 * (await evaluations(100, 0)));
  });
});

describe.each([
  ["js", jsEngine],
  ["opaque", () => opaque(jsEngine())],
  ["split", () => split(jsEngine())],
] as const)("on %s", (_name, engine) => {
  test("the ends are local minima of the terms: no run from one of them finds a lower point", async () => {
    const k = 12;
    const f = sum(k, [3, 3], 2);
    const o = { engine: engine(), tol: 1e-8, certificate: "second-order" } as const;
    const all = await minimize(f, { on: power(specialOrthogonal(3), k), ...o });
    expect([all.run.method, all.certificate.level]).toEqual(["blocks", "second-order"]);
    const again = await minimize(f, { on: power(specialOrthogonal(3), k), start: all.X, solver: "rtr", tol: 1e-8 });
    expect(all.fval - again.fval).toBeLessThan(1e-9 * Math.abs(all.fval));
  });

  test("products and sums by blocks are those of each block", () => {
    const [k, n, p] = [4, 5, 3];
    const E = blockEngine(engine(), { k, n, p });
    for (const make of [() => E.tall(n, k * p), () => E.small(k * p, k * p)]) {
      const [A, B] = [make(), make()];
      for (const [i, M] of [A, B].entries()) E.write(M, random(i + 1, "blocks").normal);
      const blocksOf = (M: typeof A) => unstack({ rows: E.stacked(M).rows, cols: p, data: E.read(M) }, k);
      const [a, b] = [blocksOf(A), blocksOf(B)];
      const r = new Float64Array(k);
      E.blockDots(r, A, B);
      for (let i = 0; i < k; i++) {
        const exact = a[i]!.data.reduce((total, x, l) => total + x * b[i]!.data[l]!, 0);
        expect(Math.abs(r[i]! - exact)).toBeLessThan(1e-13);
      }
      E.blockAdd(A, Float64Array.of(0, 1, 2, -3), B, 0.5);
      const sums = blocksOf(A);
      for (const [i, c] of [0, 1, 2, -3].entries())
        for (const [l, x] of sums[i]!.data.entries())
          expect(Math.abs(x - c * b[i]!.data[l]! - 0.5 * a[i]!.data[l]!)).toBeLessThan(1e-13);
    }
  });
});

test("f with terms of two points is no sum, and has the method that learns a curvature for each", async () => {
  const k = 20;
  const n = 3 * k;
  /** neighbours, X_i with X_{i+1} */
  const Q = {
    rows: n,
    cols: n,
    pointers: Array.from({ length: n + 1 }, (_, r) => r),
    indices: Array.from({ length: n }, (_, r) => (r + 3) % n),
    values: new Float64Array(n).fill(1),
  };
  const { run, reason } = await minimize(
    formula((X: Expr) => add(inner(X, mul(Q, X)), scale(0.3, inner(X, square(X))))),
    { on: power(specialOrthogonal(3), k), certificate: "stationary" },
  );
  expect([reason.converged, run.method]).toEqual([true, "frame"]);
});

test("a form with blocks along its diagonal is a sum too: subspaces of k matrices", async () => {
  const [k, n] = [6, 5];
  const rows = k * n;
  const A = {
    rows,
    cols: rows,
    pointers: Array.from({ length: rows + 1 }, (_, r) => r),
    indices: Array.from({ length: rows }, (_, r) => r),
    values: Float64Array.from({ length: rows }, (_, r) => 1 + (r % n) + Math.floor(r / n) / 10),
  };
  const { fval, run } = await minimize(
    formula((X: Expr) => scale(0.5, inner(X, mul(A, X)))),
    { on: power(grassmann(n, 2), k), tol: 1e-8 },
  );
  expect(run.method).toBe("blocks");
  let optimum = 0;
  for (let i = 0; i < k; i++) optimum += 0.5 * (1 + 2 + (2 * i) / 10);
  expect(fval).toBeCloseTo(optimum, 10);
});

test("a sum is told by one evaluation, and one pair of points among many is seen for half of the pairs", () => {
  const [k, E] = [16, jsEngine()];
  const domain = power(sphere(3), k).bind(E);
  const x = domain.on.point();
  domain.on.random(x, random(5, "start"));
  const told = (user: Parameters<typeof objectiveOn<Tall>>[1]): [boolean, number] => {
    const f = evaluator(domain.E, objectiveOn(domain, user));
    const sum = isBlockSum(domain.E, f, domain.on, x.X);
    return [sum, f.calls.f];
  };
  const own = (coupled: readonly [number, number][]) => ({
    fg(G: Tall, X: Tall): number {
      const [a, g] = [X.data, G.data];
      let f = 0;
      for (let l = 0; l < a.length; l++) {
        f += a[l]! ** 4;
        g[l] = 4 * a[l]! ** 3;
      }
      for (const [i, j] of coupled) {
        for (let l = 0; l < 3; l++) {
          f += 1e-6 * a[3 * i + l]! * a[3 * j + l]!;
          g[3 * i + l]! += 1e-6 * a[3 * j + l]!;
          g[3 * j + l]! += 1e-6 * a[3 * i + l]!;
        }
      }
      return f;
    },
  });
  expect(told(own([]))).toEqual([true, 2]);
  const pairs = Array.from({ length: k }, (_, i) =>
    Array.from({ length: i }, (_, j) => [i, j] as [number, number]),
  ).flat();
  const seen = pairs.filter((pair) => !told(own([pair]))[0]).length;
  expect(seen / pairs.length).toBeGreaterThan(0.4);
  expect(told(own(pairs))[0]).toBe(false);
});

test("the secant equation of each block: H·y = s of the newest pair, and none where ⟨s, y⟩ < 0", () => {
  const [k, E] = [3, jsEngine()];
  const { E: B, on } = power(sphere(4), k).bind(E);
  const V = frame(B, on);
  const pairs = blockPairs(V, on.traits.blocks!, 5);
  const ray = rayIn(B, { n: 4, p: k, f: () => 0, fg: () => 0 }, V);
  on.random(ray.x, random(1, "X"));
  const { normal } = random(2, "gradients");
  const curvatures = [1, 40, -2];
  const blockOf = (A: { Z: Tall | undefined }, i: number): number[] => [...B.read(A.Z!).slice(4 * i, 4 * i + 4)];
  for (let step = 0; step < 3; step++) {
    B.write(ray.G.Z!, normal);
    on.dissolver.tangent(ray.G.Z!, ray.x);
    pairs.direction(ray, { scaled: true, apply() {}, learn() {}, forget: () => false });
    ray.t = 1e-3;
    on.restore(ray.xt, ray.X);
    // y_i = c_i·s_i
    B.copy(ray.Gt.Z!, ray.G.Z!);
    on.traits.blocks!.add(
      ray.Gt.Z!,
      Float64Array.from(curvatures, (c) => 1e-3 * c),
      ray.D.Z!,
    );
    const s = curvatures.map((_, i) => blockOf(ray.D, i).map((x) => 1e-3 * x));
    const D = ray.D;
    ray.accept();
    const pair = pairs.update(ray, ray.t, B.dot(D.Z!, D.Z!), 0);
    expect(pair.stored).toBe(true);
    const y = B.tall(4, k);
    B.copy(y, pair.y.Z!);
    B.copy(ray.G.Z!, y);
    pairs.direction(ray, { scaled: true, apply() {}, learn() {}, forget: () => false });
    for (const [i, c] of curvatures.entries()) {
      const d = blockOf(ray.D, i);
      if (c > 0) for (const [l, x] of d.entries()) expect(x).toBeCloseTo(-s[i]![l]!, 12);
      // along −y, which descends
      else expect(d.reduce((total, x, l) => total + x * B.read(y)[4 * i + l]!, 0)).toBeLessThan(0);
    }
  }
});
