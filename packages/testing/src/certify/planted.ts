/** Stationary points planted by construction, with the true minimum and the true lowest curvature beside them. */

import type { Objective, QuadraticForm } from "@expen/core";
import { randomStart } from "@expen/core";
import type { Engine, Matrix, Tall } from "@expen/linalg";
import { chain } from "@expen/linalg/engine";

export interface Planted {
  readonly name: string;
  /** whether X is a global minimum that the certificate must prove to be one */
  readonly provable: boolean;
  make(E: Engine): Instance;
}

export interface Instance {
  readonly f: Objective;
  readonly X: Tall;
  /** min f over XᵀX = I */
  readonly minimum: number;
  /** what rounding of f is relative to */
  readonly size: number;
  /** given as the closed form; may be a lie */
  readonly optimum?: number;
  /** the true smallest curvature, where it is known; else it is computed from this Hessian */
  readonly curvature?: number;
  readonly hessian?: NonNullable<Objective["hvp"]>;
}

/** What an objective says of itself beside value and gradient */
export type Declares = "nothing" | "hvp" | "apply" | "matrix" | "sparse" | "tridiagonal" | "low rank";

export function plain(rows: number, cols: number, at: (i: number, j: number) => number): Matrix {
  return { rows, cols, data: Float64Array.from({ length: rows * cols }, (_, k) => at(Math.floor(k / cols), k % cols)) };
}

/** f = ½⟨X, BX⟩ for B = Q·Diag(λ)·Qᵀ, Q = I without a seed; X the eigenvectors `which`. */
export function eigenvectors(
  E: Engine,
  lambda: readonly number[],
  which: readonly number[],
  declares: Declares,
  seed?: number,
): Instance {
  const [n, p] = [lambda.length, which.length];
  const Q = seed === undefined ? undefined : E.read(randomStart(E, n, n, seed));
  const at = (i: number, k: number): number => (Q ? Q[i * n + k]! : i === k ? 1 : 0);
  const B = plain(n, n, (i, j) => {
    if (!Q) return i === j ? lambda[i]! : 0;
    return lambda.reduce((s, v, k) => s + v * (at(i, k) * at(j, k)), 0);
  });
  const X = plain(n, p, (i, j) => at(i, which[j]!));
  return { X: E.tall(n, p, X.data), ...rayleighTruth(E, B, lambda, which, declares) };
}

/** The same of a B that is given in host memory with its eigenvalues, ascending */
export function rayleighTruth(
  E: Engine,
  B: Matrix,
  lambda: readonly number[],
  which: readonly number[],
  declares: Declares,
  tridiagonal?: QuadraticForm["matrix"],
): Omit<Instance, "X"> {
  const p = which.length;
  const others = lambda.filter((_, k) => !which.includes(k));
  const top = Math.max(...which.map((k) => lambda[k]!));
  const { apply } = E.operator(B);
  const quadratic: QuadraticForm = {
    apply,
    ...(declares === "matrix" && { matrix: B }),
    ...(declares === "tridiagonal" && tridiagonal && { matrix: tridiagonal }),
  };
  return {
    f: rayleigh(E, B.rows, p, apply, declares, quadratic),
    minimum: 0.5 * lambda.slice(0, p).reduce((s, v) => s + v, 0),
    size: p * Math.max(...lambda.map(Math.abs)),
    // rotations within X are flat, out of X it is λ_off − λ_on
    curvature: Math.min(p > 1 ? 0 : Number.POSITIVE_INFINITY, ...others.map((v) => v - top)),
  };
}

export function rayleigh(
  E: Engine,
  n: number,
  p: number,
  apply: QuadraticForm["apply"],
  declares: Declares,
  quadratic: QuadraticForm = { apply },
): Objective {
  const V = E.tall(n, p);
  const fg = (G: Tall, X: Tall): number => {
    apply(G, X);
    return 0.5 * E.dot(X, G);
  };
  return {
    n,
    p,
    f: (X) => fg(V, X),
    fg,
    ...(declares === "hvp" && { hvp: (H: Tall, _X: Tall, D: Tall) => apply(H, D) }),
    ...(declares !== "hvp" && declares !== "nothing" && { quadratic }),
  };
}

const product = chain(2, ({ mul }, x, y) => ({ outputs: [mul(x, y)] }));

/** f = ½ Σ_j x_jᵀ·Diag(a_j)·x_j at X = (e_{s(1)}, …): its minimum is that of an assignment problem (Birkhoff). */
export function assignment(E: Engine, a: number[][], s: readonly number[], hvp: boolean): Instance {
  const [n, p] = [a[0]!.length, a.length];
  const X = E.tall(n, p, plain(n, p, (i, j) => (s[j] === i ? 1 : 0)).data);
  const A = E.tall(n, p, plain(n, p, (i, j) => a[j]![i]!).data);
  const hessian = (H: Tall, _X: Tall, D: Tall): void => void E.map([H], product, [A, D]);
  const V = E.tall(n, p);
  const fg = (G: Tall, X: Tall): number => {
    hessian(G, X, X);
    return 0.5 * E.dot(G, X);
  };
  let minimum = Number.POSITIVE_INFINITY;
  const cost = (t: readonly number[]): number => t.reduce((sum, i, j) => sum + 0.5 * a[j]![i]!, 0);
  for (const t of injections(n, p)) minimum = Math.min(minimum, cost(t));
  const f: Objective = { n, p, f: (X) => fg(V, X), fg, ...(hvp && { hvp: hessian }) };
  return { f, X, minimum, size: p * Math.max(...a.flat().map(Math.abs)), hessian, optimum: minimum };
}

/** All ways to choose p different of n, in order */
export function injections(n: number, p: number): number[][] {
  if (p === 0) return [[]];
  return injections(n, p - 1).flatMap((s) =>
    Array.from({ length: n }, (_, i) => i)
      .filter((i) => !s.includes(i))
      .map((i) => [...s, i]),
  );
}

/**
 * f = ½xᵀDiag(b)x + lᵀx on the sphere: x_i = −l_i/(b_i − μ) for every root μ of Σ l_i²/(b_i − μ)² = 1. The root below all b is the
 * minimum; one of the next interval may be a local one.
 */
export function sphereRoots(b: readonly number[], l: readonly number[]): number[] {
  const phi = (mu: number): number => l.reduce((s, v, i) => s + (v / (b[i]! - mu)) ** 2, 0) - 1;
  const reach = Math.hypot(...l) + 1;
  const root = (inside: number, outside: number): number => {
    let [low, high] = [inside, outside];
    for (let i = 0; i < 200; i++) {
      const middle = 0.5 * (low + high);
      if (phi(middle) < 0) low = middle;
      else high = middle;
    }
    return low;
  };
  const roots = [root(b[0]! - reach, b[0]!)];
  for (let k = 0; k + 1 < b.length; k++) {
    let [low, high] = [b[k]!, b[k + 1]!];
    for (let i = 0; i < 200; i++) {
      const [u, v] = [low + (high - low) / 3, high - (high - low) / 3];
      if (phi(u) < phi(v)) high = v;
      else low = u;
    }
    const bottom = 0.5 * (low + high);
    if (phi(bottom) < 0) roots.push(root(bottom, b[k]!), root(bottom, b[k + 1]!));
  }
  return [...roots, root(b.at(-1)! + reach, b.at(-1)!)];
}

export function onSphere(
  E: Engine,
  b: readonly number[],
  l: readonly number[],
  mu: number,
  declares: Declares,
): Instance {
  const n = b.length;
  const B = plain(n, n, (i, j) => (i === j ? b[i]! : 0));
  const { apply } = E.operator(B);
  const [L, V] = [E.tall(n, 1, l), E.tall(n, 1)];
  const point = (mu: number): number[] => l.map((v, i) => -v / (b[i]! - mu));
  const value = (x: readonly number[]): number => x.reduce((s, v, i) => s + (0.5 * b[i]! * v + l[i]!) * v, 0);
  const unit = (x: number[]): number[] => x.map((v) => v / Math.hypot(...x));
  const X = E.tall(n, 1, unit(point(mu)));
  const fg = (G: Tall, X: Tall): number => {
    apply(G, X);
    const half = 0.5 * E.dot(X, G);
    E.combine(G, 1, L, 1, G);
    return half + E.dot(L, X);
  };
  const hessian = (H: Tall, _X: Tall, D: Tall): void => apply(H, D);
  const quadratic: QuadraticForm = {
    apply,
    L,
    ...(declares === "matrix" && { matrix: B }),
  };
  const f: Objective = {
    n,
    p: 1,
    f: (X) => fg(V, X),
    fg,
    ...(declares === "hvp" && { hvp: hessian }),
    ...((declares === "apply" || declares === "matrix") && { quadratic }),
  };
  const minimum = value(unit(point(sphereRoots(b, l)[0]!)));
  return { f, X, minimum, size: Math.max(...b.map(Math.abs)) + Math.hypot(...l), hessian };
}

/** f = c/2·‖X‖² + ⟨L, X⟩ with L = U·Diag(σ)·Vᵀ at X = U·Diag(signs)·Vᵀ: the minimum has all signs −1. */
export function signed(
  E: Engine,
  n: number,
  sigma: readonly number[],
  signs: readonly number[],
  { c = 0, seed = 1, convex = false, quadratic = false } = {},
): Instance {
  const p = sigma.length;
  const [U, V] = [randomStart(E, n, p, seed), E.small(p, p, E.read(randomStart(E, p, p, seed + 1)))];
  /** U·Diag(w)·Vᵀ */
  const weighted = (w: readonly number[]): Tall => {
    const [T, UW, Z] = [E.small(p, p), E.tall(n, p), E.tall(n, p)];
    E.write(T, plain(p, p, (i, j) => (i === j ? w[j]! : 0)).data);
    E.mul(UW, U, T);
    E.mulT(Z, UW, V);
    return Z;
  };
  const [L, X] = [weighted(sigma), weighted(signs)];
  const fg = (G: Tall, X: Tall): number => {
    E.combine(G, c, X, 1, L);
    return 0.5 * c * E.dot(X, X) + E.dot(L, X);
  };
  const hessian = (H: Tall, _X: Tall, D: Tall): void => E.combine(H, c, D, 0, D);
  const scratch = E.tall(n, p);
  const f: Objective = {
    n,
    p,
    f: (X) => fg(scratch, X),
    fg,
    hvp: hessian,
    ...(convex && { convex }),
    ...(quadratic && { quadratic: { apply: (Y: Tall, X: Tall) => E.combine(Y, c, X, 0, X), L } }),
  };
  const total = sigma.reduce((s, v) => s + v, 0);
  return { f, X, minimum: 0.5 * c * p - total, size: Math.abs(c) * p + total, hessian };
}
