/** Convex quadratic programs, proved by the dual function of the multipliers: in any unit, with redundant constraints, at vertices. */

import type { Tall } from "@expen/linalg";
import { random } from "@expen/linalg";
import { formula, inner, scale, square, sub, sum } from "@expen/tape";
import { describe, expect, test } from "vitest";
import { euclidean, sphere } from "../../src/manifolds/named.js";
import { minimize } from "../../src/minimize.js";
import { atMost, bounds, equal } from "../../src/sets/subject.js";

const n = 8;
const SEEDS = [1, 2, 3, 4, 5, 6];

interface Program {
  /** min ½xᵀQx + ⟨c, x⟩ subject to d_i·(⟨g_i, x⟩ − h_i) ≤ 0 */
  readonly Q: number[][];
  readonly c: number[];
  readonly G: number[][];
  readonly h: number[];
  readonly d: number[];
}
const dot = (a: ArrayLike<number>, b: ArrayLike<number>): number => Array.from(a).reduce((s, v, i) => s + v * b[i]!, 0);

function program(seed: number, m: number, { unit = 1, f = 1, d = (_: number) => 1, isRedundant = false }): Program {
  const r = random(seed, "quadratic programs");
  const row = (): number[] => Array.from({ length: n }, r.normal);
  const B = Array.from({ length: n }, row);
  const Q = B.map((u, i) => B.map((v, j) => f * (dot(u, v) / n + (i === j ? 0.1 : 0))));
  const c = row().map((v) => 3 * f * unit * v);
  let G = Array.from({ length: m }, row);
  let h = G.map(() => unit * r.uniform());
  if (isRedundant) {
    G = [...G, ...G, G[0]!.map((v, k) => v + G[1]![k]!)];
    h = [...h, ...h, h[0]! + h[1]!];
  }
  return { Q, c, G, h, d: G.map((_, i) => d(i)) };
}

/** x with Qx = b, by elimination with pivots on the diagonal of a positive definite Q */
function solve(Q: readonly number[][], b: readonly number[]): number[] {
  const A = Q.map((row, i) => [...row, b[i]!]);
  for (let i = 0; i < n; i++)
    for (let k = i + 1; k < n; k++) {
      const t = A[k]![i]! / A[i]![i]!;
      for (let j = i; j <= n; j++) A[k]![j]! -= t * A[i]![j]!;
    }
  const x = new Array<number>(n).fill(0);
  for (let i = n - 1; i >= 0; i--) x[i] = (A[i]![n]! - dot(A[i]!.slice(0, n), x)) / A[i]![i]!;
  return x;
}

async function expectProved({ Q, c, G, h, d }: Program, seed: number): Promise<number> {
  const f = {
    fg(O: Tall, X: Tall) {
      const x = X.data;
      const Qx = Q.map((row) => dot(row, x));
      O.data.set(Qx.map((v, i) => v + c[i]!));
      return dot(x, Qx) / 2 + dot(c, x);
    },
  };
  const g = {
    size: G.length,
    value: (out: Float64Array, X: Tall) => out.set(G.map((row, i) => d[i]! * (dot(row, X.data) - h[i]!))),
    adjoint(O: Tall, _X: Tall, w: Float64Array) {
      for (const [i, row] of G.entries()) for (let k = 0; k < n; k++) O.data[k]! += d[i]! * w[i]! * row[k]!;
    },
  };
  const { status, fval, violation, multipliers, evaluations } = await minimize(f, {
    on: euclidean(n, 1),
    subjectTo: [atMost(g)],
    seed,
  });
  expect([seed, status]).toEqual([seed, "converged"]);
  expect(violation).toBeLessThanOrEqual(1e-6);
  const lambda = Array.from(multipliers![0]!, (v, i) => d[i]! * v);
  for (const v of lambda) expect(v).toBeGreaterThanOrEqual(0);
  // min over x of the Lagrangian: −½‖c + Gᵀλ‖² in the norm of Q⁻¹, −⟨λ, h⟩
  const slope = c.map((v, k) => v + G.reduce((s, row, i) => s + lambda[i]! * row[k]!, 0));
  const dual = -dot(slope, solve(Q, slope)) / 2 - dot(lambda, h);
  expect(Math.abs(fval - dual)).toBeLessThan(2e-4 * Math.abs(dual));
  return evaluations.f;
}

test.each<[string, number, Parameters<typeof program>[2]]>([
  ["six inequalities", 6, {}],
  ["twelve, many of them active", 12, {}],
  ["x of the size 1000", 6, { unit: 1e3 }],
  ["x of the size 1/1000", 6, { unit: 1e-3 }],
  ["f·10⁶", 6, { f: 1e6 }],
  ["f·10⁻⁶", 6, { f: 1e-6 }],
  ["g in six orders of magnitude", 6, { d: (i) => 10 ** (((3 * i) % 7) - 3) }],
  ["each twice, and a sum of two", 6, { isRedundant: true }],
])("the gap to the dual function is small: %s", async (_, m, options) => {
  const counts: number[] = [];
  for (const seed of SEEDS) counts.push(await expectProved(program(seed, m, options), seed));
  // 50 to 110 in the median of 60 seeds
  expect(counts.sort((a, b) => a - b)[SEEDS.length >> 1]).toBeLessThan(220);
});

describe("what is no program", () => {
  const C = { rows: 5, cols: 1, data: Float64Array.of(0.1, -0.3, 0.5, -0.2, 1) };
  const linear = formula((x) => inner(C, x));

  test.each([
    ["bounds from below", bounds(-1, Number.POSITIVE_INFINITY)],
    [
      "a half space",
      atMost(
        formula((x) => sum(x)),
        1,
      ),
    ],
  ])("f without a lower bound is called so: %s", async (_, subject) => {
    const { status, reason, certificate } = await minimize(linear, { on: euclidean(5, 1), subjectTo: [subject] });
    expect(status).toBe("unbounded");
    expect(reason.text).toMatch(/is it bounded below\?$/);
    expect(certificate.level).toBe("none");
  });

  test.each([
    [
      "an equation",
      equal(
        formula((x) => sum(square(x))),
        1,
      ),
    ],
    [
      "an inequality",
      atMost(
        formula((x) => sum(square(x))),
        1,
      ),
    ],
    ["one of size 10⁻⁶", equal(formula((x) => scale(1e-6, sub(sum(square(x)), 1))))],
  ])("%s that follows from the manifold changes nothing", async (_, subject) => {
    const plain = await minimize(linear, { on: sphere(5) });
    const { status, fval, certificate } = await minimize(linear, { on: sphere(5), subjectTo: [subject] });
    expect([status, certificate.level]).toEqual(["converged", "second-order"]);
    expect(fval).toBeCloseTo(plain.fval, 9);
  });

  test("one that contradicts the manifold is infeasible", async () => {
    const subject = equal(
      formula((x) => sum(square(x))),
      2,
    );
    expect((await minimize(linear, { on: sphere(5), subjectTo: [subject] })).status).toBe("infeasible");
  });
});
