/** Value against plain numbers, gradient and Hessian by the slopes of Taylor's remainder: exact through third order in t. */
import type { Engine, Matrix, Tall } from "@expen/linalg";
import { random } from "@expen/linalg";
import type { Arg, Expr } from "@expen/tape";
import { expect } from "vitest";
import { compile } from "../src/index.js";

/** Points of moderate size: entries in about ±1 */
function normals(E: Engine, n: number, p: number, stream: string): Tall {
  const { normal } = random(11, stream);
  return E.tall(
    n,
    p,
    Float64Array.from({ length: n * p }, () => 0.4 * normal()),
  );
}

/** |c₃|·t³ with c₃ from the remainders at t and −t: the remainder is odd to leading order. */
function expectSlope(remainder: (t: number) => number, order: number, size: number): void {
  const [t, rounding] = [2 ** -6, 4e-14 * size];
  const [far, near] = [remainder(t), remainder(t / 2)].map(Math.abs) as [number, number];
  if (far < rounding * 2 ** 8) return void expect(near).toBeLessThan(rounding * 2 ** 8);
  expect(Math.log2(far / near)).toBeGreaterThan(order - 0.35);
}

export interface Derivatives {
  readonly value: number;
  readonly gradient: Float64Array;
  readonly hessian: Float64Array;
}

/** Checks the derivatives of the formula at a random point of E, and returns them. */
export function expectDerivatives(E: Engine, n: number, p: number, build: (X: Expr) => Arg): Derivatives {
  const f = compile(E, { n, p }, build);
  const [X, D, F, G, H, K, Y] = [
    ...["X", "D", "F"].map((name) => normals(E, n, p, name)),
    ...[1, 2, 3, 4].map(() => E.tall(n, p)),
  ] as [Tall, Tall, Tall, Tall, Tall, Tall, Tall];
  const value = f.fg(G, X);
  expect(Number.isFinite(value)).toBe(true);
  expect(f.f(X)).toBe(value);
  f.hvp(H, X, D);
  f.hvp(K, X, F);
  const [first, second] = [E.dot(G, D), E.dot(H, D)];
  const size = 1 + Math.abs(value) + Math.abs(first) + Math.abs(second);
  const along = (t: number): number => {
    E.combine(Y, 1, X, t, D);
    return f.f(Y);
  };
  expectSlope((t) => along(t) - value - t * first, 2, size);
  expectSlope((t) => along(t) - value - t * first - (t * t * second) / 2, 3, size);
  // the gradient in every direction, not D alone
  const change = (t: number): Float64Array => {
    E.combine(Y, 1, X, t, F);
    f.fg(K, Y);
    return E.read(K);
  };
  const [t, wanted] = [1e-5, E.read(K)];
  const symmetry = Math.abs(E.dot(H, F) - E.dot(K, D));
  expect(symmetry).toBeLessThan(1e-11 * (1 + Math.sqrt(E.dot(H, H) * E.dot(F, F))));
  const [up, down] = [change(t), change(-t)];
  for (const [i, h] of wanted.entries()) {
    const difference = (up[i]! - down[i]!) / (2 * t);
    expect(Math.abs(difference - h)).toBeLessThan(2e-6 * (size + Math.hypot(...wanted)));
  }
  return { value, gradient: E.read(G), hessian: E.read(H) };
}

export const close = (a: ArrayLike<number>, b: ArrayLike<number>, tolerance = 1e-12): void => {
  const size = 1 + Math.hypot(...Array.from(b));
  expect(a.length).toBe(b.length);
  for (let i = 0; i < b.length; i++) expect(Math.abs(a[i]! - b[i]!)).toBeLessThan(tolerance * size);
};

/** The point at which `expectDerivatives` looks, in plain numbers */
export function pointOf(E: Engine, n: number, p: number): Matrix {
  return { rows: n, cols: p, data: E.read(normals(E, n, p, "X")) };
}
