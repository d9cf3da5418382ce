import type { Matrix, Tall } from "@expen/linalg";
import { gaussian, random, randomOrthonormal } from "@expen/linalg";
import { jsEngine } from "@expen/linalg/engine";
import { describe, expect, test } from "vitest";
import { stiefelConstraint } from "../../src/manifolds/stiefel.js";
import { chosenFirstMatrix } from "../../src/methods/quasi-newton/first/chosen.js";
import type { FirstMatrix, NewestPairs, Pair } from "../../src/methods/quasi-newton/first/first-matrix.js";
import { frameOn } from "../../src/methods/quasi-newton/frame-of.js";
import { growingCholesky } from "../../src/methods/quasi-newton/growing-cholesky.js";
import { quasiNewton } from "../../src/methods/quasi-newton/quasi-newton.js";
import { rayIn } from "../../src/methods/ray.js";
import { flat } from "../../src/methods/vectors.js";
import { counted, noEvaluations } from "../../src/objective/evaluator.js";
import { objective } from "../../src/objective/objective.js";
import { randomStart } from "../../src/run/start.js";
import { hagerZhang } from "../../src/search/hager-zhang.js";

const E = jsEngine();
const MOST = 8;
const N = 40;

/** Eight pairs of the quadratic ½⟨x, Bx⟩, B = Diag(b): M = SᵀBS */
function pairsOf(b: (i: number) => number, seed: number): { newest: NewestPairs<Tall>; last: Pair } {
  const r = random(seed, "pairs");
  const start = 2;
  const ss = Array.from({ length: MOST }, () => E.tall(N, 1, gaussian(N, 1, r).data));
  const ys = ss.map((s) =>
    E.tall(
      N,
      1,
      E.read(s).map((v, i) => b(i) * v),
    ),
  );
  const M = growingCholesky(MOST);
  for (const [i, y] of ys.entries())
    M.grow(
      Float64Array.from(ss.slice(0, i + 1), (s) => E.dot(s, y)),
      0,
    );
  const solve = (to: Float64Array, q: Float64Array): void => {
    to.set(q);
    M.solve(to.subarray(start));
  };
  const [D, y] = [ss.at(-1)!, ys.at(-1)!];
  return { newest: { start, ys, solve }, last: { t: 1, D, y, dd: E.dot(D, D), dy: E.dot(D, y) } };
}

/** Diag(h), which has learned */
const diagonal = (h: { of: (i: number) => number }): FirstMatrix => ({
  scaled: true,
  apply: (R, _X, Q) =>
    E.write(
      R,
      E.read(Q).map((v, i) => h.of(i) * v),
    ),
  learn: () => undefined,
  forget: () => true,
});

describe("the choice of the first matrix", () => {
  const condition = (i: number): number => 10 ** ((3 * i) / (N - 1));
  const X = E.tall(N, 1);

  /** Whether γI is in use after each of so many steps */
  function choices(h: { of: (i: number) => number }, b: (i: number) => number, steps: number, chosen?: FirstMatrix) {
    const first = chosen ?? chosenFirstMatrix(flat(E, N, 1), diagonal(h), MOST);
    const scratch = E.tall(N, 1);
    const isPlain: boolean[] = [];
    for (let k = 0; k < steps; k++) {
      const { newest, last } = pairsOf(b, k + 1);
      first.learn(X, last);
      first.compare!(X, () => newest, scratch);
      isPlain.push(first.multiple !== undefined);
    }
    return { first, isPlain };
  }

  test("an H near the inverse Hessian stays; one that conditions it worse gives way to γI = ⟨s, y⟩/⟨y, y⟩", () => {
    expect(choices({ of: (i) => 1 / condition(i) }, condition, 200).isPlain).not.toContain(true);
    const { first, isPlain } = choices({ of: condition }, condition, 200);
    expect(isPlain[0]).toBe(false);
    expect(isPlain.at(-1)).toBe(true);
    const { last } = pairsOf(condition, 200);
    expect(first.multiple!.value()).toBeCloseTo(last.dy / E.dot(last.y, last.y), 14);
  });

  test("the H that learns what is right comes back, and is forgotten with its history", () => {
    const h = { of: condition };
    const { first } = choices(h, condition, 100);
    expect(first.multiple).toBeDefined();
    h.of = (i) => 1 / condition(i);
    expect(choices(h, condition, 200, first).isPlain.at(-1)).toBe(false);
    h.of = condition;
    choices(h, condition, 200, first);
    first.forget();
    expect(first.multiple).toBeUndefined();
  });

  test("the sizes of H and of f, and a difference that is roundoff, do not matter", () => {
    for (const size of [1e-30, 1, 1e30]) {
      const wrong = choices({ of: (i) => size * condition(i) }, condition, 60).isPlain;
      expect(wrong).toEqual(choices({ of: condition }, (i) => size * condition(i), 60).isPlain);
      expect(choices({ of: () => size }, condition, 200).isPlain).not.toContain(true);
    }
  });

  test("products that are not definite decide nothing", () => {
    expect(choices({ of: (i) => (i % 2 ? 1 : -1) }, condition, 200).isPlain).not.toContain(true);
    expect(choices({ of: () => Number.NaN }, condition, 200).isPlain).not.toContain(true);
  });
});

/** ½⟨X, AX⟩ where p cuts a cluster of A */
function cutCluster(n: number, p: number, seed: number): { A: Matrix; X0: Tall } {
  const r = random(seed, "cluster");
  const value = (i: number): number => (i < p - 2 ? -2 - i / p : i < p + 6 ? -1 - 1e-3 * i : 38 * r.uniform());
  const Q = randomOrthonormal(n, n, r);
  const scaled = Q.data.slice();
  const values = Array.from({ length: n }, (_, i) => value(i));
  for (let k = 0; k < n * n; k++) scaled[k]! *= values[k % n]!;
  const A = E.small(n, n);
  E.mulT(A, E.small(n, n, scaled), E.small(n, n, Q.data));
  return { A: { rows: n, cols: n, data: E.read(A) }, X0: randomStart(E, n, p, seed) };
}

test("where p cuts a cluster of eigenvalues the choice takes less than 0.7 of the evaluations", () => {
  const [n, p] = [60, 6];
  let ratio = 1;
  const seeds = [1, 2, 3];
  for (const seed of seeds) {
    const { A, X0 } = cutCluster(n, p, seed);
    const B = E.operator(A);
    const fg = (G: Tall, X: Tall): number => {
      B.apply(G, X);
      return 0.5 * E.dot(X, G);
    };
    const f = objective(E, { fg }, n, p);
    const evaluationsOf = (isChosen: boolean): number => {
      const evaluations = noEvaluations();
      const { frame, first } = frameOn(E, stiefelConstraint(E, n, p));
      const H0 = isChosen ? first : Object.create(first, { compare: { value: undefined } });
      const method = quasiNewton(frame, H0, { memory: 30, block: MOST, search: hagerZhang({ delta: 0.01 }) });
      const ray = rayIn(E, counted(f, evaluations), frame);
      ray.restartAt(X0);
      for (const { gnorm, gnormMax } of method(ray)) if (gnorm <= 1e-6 * gnormMax) break;
      return evaluations.grad;
    };
    ratio *= evaluationsOf(true) / evaluationsOf(false);
  }
  expect(ratio ** (1 / seeds.length)).toBeLessThan(0.7);
});
