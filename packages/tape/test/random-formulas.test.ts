import type { Small, Tall } from "@expen/linalg";
import { fillNormal, random } from "@expen/linalg";
import { jsEngine } from "@expen/linalg/engine";
import { rowsOf } from "@expen/testing/autodiff/rows";
import { describe, expect, test } from "vitest";
import { compile } from "../src/index.js";
import { formulas } from "./random-formulas.js";
import type { Pair } from "./random-reductions.js";

const E = jsEngine();
const norm = (A: Tall | Small): number => Math.sqrt(E.dot(A, A));

/** Weights of the central difference of order 8: f'(0) ≈ Σ w_k (f(kh) − f(−kh))/h */
const WEIGHTS = [4 / 5, -1 / 5, 4 / 105, -1 / 280];

/** d/dt of vector-valued `at` by the 8th-order difference; error about h⁸ + ε/h */
function central(at: (t: number) => readonly number[], h: number): number[] {
  const sum: number[] = [];
  for (const [k, w] of WEIGHTS.entries()) {
    const [plus, minus] = [at((k + 1) * h), at(-(k + 1) * h)];
    for (const [i, v] of plus.entries()) sum[i] = (sum[i] ?? 0) + (w * (v - minus[i]!)) / h;
  }
  return sum;
}

/** The step is halved as long as neighbouring results come closer: steep formulas need small steps, flat ones large. */
function difference(at: (t: number) => readonly number[]): number[] {
  let [result, h] = [central(at, 2 ** -7), 2 ** -8];
  for (let closest = Number.POSITIVE_INFINITY; ; h /= 2) {
    const next = central(at, h);
    const distance = Math.hypot(...next.map((v, i) => v - result[i]!));
    if (!(distance < closest)) return result;
    [result, closest] = [next, distance];
  }
}

const SHAPES = [[5, 2], [3, 3], [4, 1], [1, 3], [1, 1], [2, 4]] as const; // biome-ignore format: a list

function setting(seed: number) {
  const r = random(seed, "formula");
  const [n, p] = SHAPES[r.integer(SHAPES.length)]!;
  const depth = 1 + r.integer(6);
  let made: Pair | undefined;
  const f = compile(E, { n, p }, (X) => (made = formulas(r, X, n, p)(1, 1, depth)).expr);
  const [X, D, F] = [1, 2, 3].map(() => {
    const M = E.tall(n, p);
    fillNormal(M, r);
    E.combine(M, 0.5, M, 0, M);
    return M;
  }) as [Tall, Tall, Tall];
  return { f, X, D, F, n, p, pair: made!, depth };
}

const SEEDS = process.env.EXPEN_LONG ? 400 : 100;

describe("random formulas", () => {
  test.each(Array.from({ length: SEEDS }, (_, i) => i + 1))("seed %i: value, gradient, Hessian", (seed) => {
    const { f, X, D, F, n, p, pair } = setting(seed);
    const [G, H, K, Y] = [1, 2, 3, 4].map(() => E.tall(n, p)) as [Tall, Tall, Tall, Tall];
    for (const M of [G, H, K]) M.data.fill(Number.NaN);
    const close = (a: number, b: number, size: number, tolerance: number, what: string): void => {
      if (!(Math.abs(a - b) <= tolerance * (1 + size))) expect.fail(`${what}: ${a} instead of ${b}; ${pair.text}`);
    };
    // makes what the Hessian needs
    f.linearize(X);
    const made = E.counters.matrices;
    const value = f.fg(G, X);
    close(value, pair.value(rowsOf(X))[0]![0]!, Math.abs(value), 1e-11, "value");
    close(f.f(X), value, Math.abs(value), 1e-13, "f and fg");
    const along = (t: number): Tall => {
      E.combine(Y, 1, X, t, D);
      return Y;
    };
    const slope = difference((t) => [f.f(along(t))])[0]!;
    close(E.dot(G, D), slope, Math.abs(slope) + Math.abs(value) + norm(G) * norm(D), 1e-8, "slope");

    f.hvp(H, X, D);
    const change = difference((t) => {
      f.fg(K, along(t));
      return Array.from(K.data);
    });
    const size = Math.hypot(...change) + norm(G) + norm(H);
    for (const [i, v] of change.entries()) close(H.data[i]!, v, size, 1e-7, `entry ${i} of the Hessian`);
    f.hvp(K, X, F);
    close(E.dot(H, F), E.dot(K, D), norm(H) * norm(F) + norm(K) * norm(D), 1e-12, "symmetry of the Hessian");
    expect(E.counters.matrices).toBe(made);
  });
});
