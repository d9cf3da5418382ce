/** A quadratic f on permutations: the model learned from gradients equals f, an f that is not quadratic is recognised, and few starts find
 * minima that were planted, or found by enumeration. */

import type { Tall } from "@expen/linalg";
import { random } from "@expen/linalg";
import { expect, test } from "vitest";
import { permutations } from "../../src/manifolds/named.js";
import { minimize } from "../../src/minimize.js";
import { matrixOf } from "../../src/sets/permutations/labels.js";
import { type Evaluate, evaluationsOf, learnQuadratic } from "../../src/sets/permutations/quadratic.js";
import { descend, tabuSearch } from "../../src/sets/permutations/tabu.js";

const N = (n: number): number => n * n;
/** ½⟨W, QW⟩ + ⟨c, W⟩ + power·Σ W⁴ with a Q that is not symmetric and has no structure */
function form(n: number, seed: number, fourth = 0): Evaluate {
  const { normal } = random(seed, "form");
  const Q = Float64Array.from({ length: N(n) ** 2 }, normal);
  const c = Float64Array.from({ length: N(n) }, normal);
  return (W) => {
    let f = 0;
    const G = new Float64Array(N(n));
    for (let a = 0; a < N(n); a++) {
      for (let b = 0; b < N(n); b++) {
        f += 0.5 * W[a]! * Q[a * N(n) + b]! * W[b]!;
        G[a]! += 0.5 * (Q[a * N(n) + b]! + Q[b * N(n) + a]!) * W[b]!;
      }
      f += c[a]! * W[a]! + fourth * W[a]! ** 4;
      G[a]! += c[a]! + 4 * fourth * W[a]! ** 3;
    }
    return { f, G };
  };
}
function shuffled(n: number, seed: number): Int32Array {
  const r = random(seed, "shuffle");
  const labels = Int32Array.from({ length: n }, (_, i) => i);
  for (let i = n - 1; i > 0; i--) {
    const k = r.integer(i + 1);
    [labels[i], labels[k]] = [labels[k]!, labels[i]!];
  }
  return labels;
}
function counted(evaluate: Evaluate): { evaluate: Evaluate; count(): number } {
  let count = 0;
  return {
    evaluate(W) {
      count++;
      for (const w of W) if (!(w >= 0)) throw new Error("a negative entry");
      return evaluate(W);
    },
    count: () => count,
  };
}

test.each([2, 3, 6])("f and all exchanges of the model are those of a quadratic f, n = %i", (n) => {
  const { evaluate, count } = counted(form(n, n));
  const start = shuffled(n, 1);
  const model = learnQuadratic(n, evaluate, { labels: start, ...form(n, n)(matrixOf(start)) })!;
  expect(count()).toBe(evaluationsOf(n));
  const labels = shuffled(n, 2);
  const at = model.at(labels);
  for (let i = 1; i < n; i++)
    for (let k = 0; k < i; k++) {
      const change = model.change(at, i, k);
      const before = evaluate(matrixOf(at.labels)).f;
      model.exchange(at, i, k);
      const { f } = evaluate(matrixOf(at.labels));
      expect(Math.abs(f - before - change)).toBeLessThan(1e-10 * n * n);
      expect(Math.abs(at.f - f)).toBeLessThan(1e-10 * n * n);
    }
});

test("a function that is not quadratic is told apart, at the latest at the first permutation", () => {
  const n = 5;
  for (const fourth of [1, 1e-3, 1e-6]) {
    const f = form(n, 3, fourth);
    const start = shuffled(n, 4);
    expect(learnQuadratic(n, f, { labels: start, ...f(matrixOf(start)) })).toBeUndefined();
  }
  // quadratic along each of the directions that are learned, cubic between them
  const mixed: Evaluate = (W) => {
    const [u, v, w] = [W[0]! - 1 / n, W[n + 1]! - 1 / n, W[2 * n + 2]! - 1 / n];
    const G = new Float64Array(n * n);
    [G[0], G[n + 1], G[2 * n + 2]] = [v * w, u * w, u * v];
    return { f: u * v * w, G };
  };
  const start = Int32Array.from({ length: n }, (_, i) => i);
  expect(learnQuadratic(n, mixed, { labels: start, ...mixed(matrixOf(start)) })).toBeUndefined();
});

test("an f that is quadratic where it is learned, and larger where its model is lowest, takes swaps with its own values", async () => {
  const n = 6;
  const f = form(n, 3);
  /** larger at permutations with one of these ones: entries of the points that are learned are 2/n at most */
  const withPenalty =
    (places: readonly number[]): Evaluate =>
    (W) => {
      const { f: value, G } = f(W);
      let penalty = 0;
      for (const k of places) {
        const over = Math.max(0, W[k]! - 0.9);
        penalty += 1e5 * over ** 2;
        G[k]! += 2e5 * over;
      }
      return { f: value + penalty, G };
    };
  const run = (evaluate: Evaluate, exchange: "auto" | false) =>
    minimize(
      {
        fg(G: Tall, X: Tall) {
          const { f: value, G: gradient } = evaluate(X.data as Float64Array);
          G.data.set(gradient);
          return value;
        },
      },
      { on: permutations(n), starts: 1, exchange },
    );
  const first = (await run(f, false)).support!;
  const lowest = (await run(f, "auto")).support!;
  const places = [...lowest.keys()].filter((i) => lowest[i] !== first[i]).map((i) => i * n + lowest[i]!);
  expect(places.length).toBeGreaterThan(0);
  const own = withPenalty(places);
  const { support, fval, certificate } = await run(own, "auto");
  expect(certificate.text).toMatch(/none of 15 of 15 swaps/);
  for (let i = 1; i < n; i++)
    for (let k = 0; k < i; k++) {
      const to = support!.slice();
      [to[i], to[k]] = [to[k]!, to[i]!];
      expect(own(matrixOf(to)).f).toBeGreaterThanOrEqual(fval - 1e-6);
    }
});

test("the search ends where no exchange lowers f, and never above a descent", () => {
  const n = 8;
  let lower = 0;
  for (let seed = 1; seed <= 10; seed++) {
    const f = form(n, seed);
    const start = shuffled(n, seed);
    const model = learnQuadratic(n, f, { labels: start, ...f(matrixOf(start)) })!;
    const labels = tabuSearch(model, start, random(seed, "test"));
    const [end, down] = [labels, descend(model, start)].map((one) => f(matrixOf(one)).f) as [number, number];
    for (let i = 1; i < n; i++)
      for (let k = 0; k < i; k++) {
        const to = labels.slice();
        [to[i], to[k]] = [to[k]!, to[i]!];
        expect(f(matrixOf(to)).f).toBeGreaterThan(end - 1e-9);
      }
    expect(end).toBeLessThan(down + 1e-9);
    if (end < down - 1e-6) lower++;
  }
  expect(lower).toBeGreaterThan(4);
});

test("two starts find the minimum of the enumeration for an f that is not symmetric, and s·f takes the same way", async () => {
  const n = 6;
  for (const seed of [1, 2, 3, 4, 5, 6]) {
    const f = form(n, 10 * seed);
    const objective = (scale: number) => ({
      fg(G: Tall, X: Tall) {
        const { f: value, G: gradient } = f(X.data as Float64Array);
        G.data.set(gradient.map((g) => scale * g));
        return scale * value;
      },
    });
    const visit = (labels: number[]): number =>
      labels.length === n
        ? f(matrixOf(Int32Array.from(labels))).f
        : Math.min(
            ...Array.from({ length: n }, (_, j) =>
              labels.includes(j) ? Number.POSITIVE_INFINITY : visit([...labels, j]),
            ),
          );
    const least = visit([]);
    const { fval, evaluations, support } = await minimize(objective(1), { on: permutations(n), seed, starts: 2 });
    expect(Math.abs(fval - least)).toBeLessThan(1e-9);
    // a power of two: the same numbers but for their exponent
    const scaled = await minimize(objective(1024), { on: permutations(n), seed, starts: 2 });
    expect([...scaled.support!]).toEqual([...support!]);
    expect(scaled.evaluations.f).toBe(evaluations.f);
  }
});

test("an f that is not quadratic takes the same swaps when it is multiplied by a small number", async () => {
  const n = 6;
  for (const seed of [1, 2, 3]) {
    const f = form(n, seed, 3);
    const run = (scale: number) =>
      minimize(
        {
          fg(G: Tall, X: Tall) {
            const { f: value, G: gradient } = f(X.data as Float64Array);
            G.data.set(gradient.map((g) => scale * g));
            return scale * value;
          },
        },
        { on: permutations(n), seed, starts: 2 },
      );
    const [one, small] = [await run(1), await run(2 ** -40)];
    expect([...small.support!]).toEqual([...one.support!]);
    expect(small.fval).toBe(2 ** -40 * one.fval);
  }
});
