/** Stationary points planted by construction, with the true minimum and the true lowest curvature beside them. */
import { randomStart } from "../../src/start.js";
import type { Engine, Matrix, Objective, QuadraticForm } from "../../src/types.js";

export interface Planted {
  readonly name: string;
  /** whether X is a global minimum that the certificate must prove to be one */
  readonly provable: boolean;
  make(E: Engine): Instance;
}

export interface Instance {
  readonly f: Objective;
  readonly X: Matrix;
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
export type Declares = "nothing" | "hvp" | "apply" | "matrix" | "tridiagonal";

/** f = ½⟨X, BX⟩ for B = Q·Diag(λ)·Qᵀ, Q = I without a seed; X the eigenvectors `which`. */
export function eigenvectors(
  E: Engine,
  lambda: readonly number[],
  which: readonly number[],
  declares: Declares,
  seed?: number,
): Instance {
  const [n, p] = [lambda.length, which.length];
  const Q = seed === undefined ? undefined : randomStart(E, n, n, seed);
  const B = E.matrix(n, n);
  const at = (i: number, k: number): number => (Q ? Q.data[i * n + k]! : i === k ? 1 : 0);
  if (Q) {
    const QL = E.matrix(n, n);
    for (let i = 0; i < n; i++) for (let k = 0; k < n; k++) QL.data[i * n + k] = at(i, k) * lambda[k]!;
    E.mulT(B, QL, Q);
    E.symmetrize(B);
  } else for (let i = 0; i < n; i++) B.data[i * n + i] = lambda[i]!;
  const X = E.matrix(n, p);
  for (let i = 0; i < n; i++) which.forEach((k, j) => void (X.data[i * p + j] = at(i, k)));
  return { X, ...rayleighTruth(E, B, lambda, which, declares) };
}

/** The same of a B that is given with its eigenvalues, ascending */
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
  const apply = (Y: Matrix, X: Matrix): void => E.apply(Y, B, X);
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
  const V = E.matrix(n, p);
  const fg = (G: Matrix, X: Matrix): number => {
    apply(G, X);
    return 0.5 * E.dot(X, G);
  };
  return {
    n,
    p,
    f: (X) => fg(V, X),
    fg,
    ...(declares === "hvp" && { hvp: (H: Matrix, _X: Matrix, D: Matrix) => apply(H, D) }),
    ...(declares !== "hvp" && declares !== "nothing" && { quadratic }),
  };
}

/** f = ½ Σ_j x_jᵀ·Diag(a_j)·x_j at X = (e_{s(1)}, …): its minimum is that of an assignment problem (Birkhoff). */
export function assignment(E: Engine, a: number[][], s: readonly number[], hvp: boolean): Instance {
  const [n, p] = [a[0]!.length, a.length];
  const X = E.matrix(n, p);
  s.forEach((i, j) => void (X.data[i * p + j] = 1));
  const hessian = (H: Matrix, _X: Matrix, D: Matrix): void => {
    for (let i = 0; i < n; i++) for (let j = 0; j < p; j++) H.data[i * p + j] = a[j]![i]! * D.data[i * p + j]!;
  };
  const V = E.matrix(n, p);
  const fg = (G: Matrix, X: Matrix): number => {
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
  const [B, L, X, V] = [E.matrix(n, n), E.matrix(n, 1), E.matrix(n, 1), E.matrix(n, 1)];
  b.forEach((v, i) => void (B.data[i * n + i] = v));
  L.data.set(l);
  const point = (mu: number): number[] => l.map((v, i) => -v / (b[i]! - mu));
  const value = (x: readonly number[]): number => x.reduce((s, v, i) => s + (0.5 * b[i]! * v + l[i]!) * v, 0);
  const unit = (x: number[]): number[] => x.map((v) => v / Math.hypot(...x));
  X.data.set(unit(point(mu)));
  const fg = (G: Matrix, X: Matrix): number => {
    E.apply(G, B, X);
    const half = 0.5 * E.dot(X, G);
    E.axpby(G, 1, L, 1);
    return half + E.dot(L, X);
  };
  const hessian = (H: Matrix, _X: Matrix, D: Matrix): void => E.apply(H, B, D);
  const quadratic: QuadraticForm = {
    apply: (Y, Z) => E.apply(Y, B, Z),
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
  const [U, V] = [randomStart(E, n, p, seed), randomStart(E, p, p, seed + 1)];
  const [L, X, W] = [E.matrix(n, p), E.matrix(n, p), E.matrix(n, p)];
  const weighted = (Z: Matrix, w: readonly number[]): void => {
    for (let i = 0; i < n; i++) for (let j = 0; j < p; j++) W.data[i * p + j] = U.data[i * p + j]! * w[j]!;
    E.mulT(Z, W, V);
  };
  weighted(L, sigma);
  weighted(X, signs);
  const fg = (G: Matrix, X: Matrix): number => {
    E.combine(G, c, X, 1, L);
    return 0.5 * c * E.dot(X, X) + E.dot(L, X);
  };
  const hessian = (H: Matrix, _X: Matrix, D: Matrix): void => E.axpby(H, c, D, 0);
  const scratch = E.matrix(n, p);
  const f: Objective = {
    n,
    p,
    f: (X) => fg(scratch, X),
    fg,
    hvp: hessian,
    ...(convex && { convex }),
    ...(quadratic && { quadratic: { apply: (Y: Matrix, X: Matrix) => E.axpby(Y, c, X, 0), L } }),
  };
  const total = sigma.reduce((s, v) => s + v, 0);
  return { f, X, minimum: 0.5 * c * p - total, size: Math.abs(c) * p + total, hessian };
}
