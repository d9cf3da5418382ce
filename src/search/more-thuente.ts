import type { Ray, Search } from "../types.js";

export interface MoreThuenteOptions {
  /** sufficient decrease: φ(t) ≤ φ(0) + c1·t·φ'(0) */
  c1?: number;
  /** curvature: |φ'(t)| ≤ c2·|φ'(0)| */
  c2?: number;
  /** smallest relative width of the bracket */
  xtol?: number;
  min?: number;
  limit?: number;
}

/**
 * A search in progress: its constants, the best step so far (tx, fx, dx) with its value and slope, the other end (ty, fy, dy) of the
 * bracket, and the trial (t, f, d), where values are tilted by `tilt`·t.
 */
class Bracket {
  readonly c1: number;
  readonly c2: number;
  readonly xtol: number;
  readonly min: number;
  readonly limit: number;
  tx = Number.NaN;
  fx = Number.NaN;
  dx = Number.NaN;
  ty = Number.NaN;
  fy = Number.NaN;
  dy = Number.NaN;
  t = Number.NaN;
  f = Number.NaN;
  d = Number.NaN;
  tilt = Number.NaN;
  lo = Number.NaN;
  hi = Number.NaN;
  found = false;

  constructor({ c1 = 1e-4, c2 = 0.9, xtol = 1e-14, min = 1e-100, limit = 100 }: MoreThuenteOptions) {
    this.c1 = c1;
    this.c2 = c2;
    this.xtol = xtol;
    this.min = min;
    this.limit = limit;
  }
}

/**
 * Strong Wolfe search of Moré and Thuente (ACM TOMS 20, 1994), with the constants and the bookkeeping of MINPACK-2's DCSRCH.
 */
export function moreThuente(options: MoreThuenteOptions = {}): Search {
  const b = new Bracket(options);
  return (ray) => find(b, ray);
}

function find(b: Bracket, ray: Ray): boolean {
  const { c1, c2, xtol, min, limit } = b;
  const { f0, slope0, max, t: first } = ray;
  if (!(slope0 < 0) || !(first >= min)) return false;
  const test = c1 * slope0;
  let stage = 1;
  let width = max - min;
  let width1 = 2 * width;
  b.tx = b.ty = b.lo = 0;
  b.fx = b.fy = f0;
  b.dx = b.dy = slope0;
  b.t = Math.min(first, max);
  b.hi = 5 * b.t;
  b.found = false;

  for (let i = 0; i < limit; i++) {
    const t = b.t;
    ray.t = t;
    ray.move();
    const f = ray.ft;
    if (!Number.isFinite(f)) return false;
    ray.differentiate();
    const d = ray.slopeT;
    const ftest = f0 + t * test;
    if (f <= ftest && Math.abs(d) <= c2 * -slope0) return true;
    if (stage === 1 && f <= ftest && d >= 0) stage = 2;
    if (b.found && (t <= b.lo || t >= b.hi || b.hi - b.lo <= xtol * b.hi)) return false;
    if ((t === max && f <= ftest && d <= test) || (t === min && (f > ftest || d >= test))) return false;

    // While no step with sufficient decrease is known, work on ψ(t) = φ(t) − φ(0) − c1·φ'(0)·t.
    b.tilt = stage === 1 && f <= b.fx && f > ftest ? test : 0;
    b.f = f - t * b.tilt;
    b.d = d - b.tilt;
    improve(b);

    if (b.found) {
      const now = Math.abs(b.ty - b.tx);
      if (now >= 0.66 * width1) b.t = b.tx + 0.5 * (b.ty - b.tx);
      width1 = width;
      width = now;
      b.lo = Math.min(b.tx, b.ty);
      b.hi = Math.max(b.tx, b.ty);
    } else {
      b.lo = b.t + 1.1 * (b.t - b.tx);
      b.hi = b.t + 4 * (b.t - b.tx);
    }
    b.t = Math.min(Math.max(b.t, min), max);
    if (b.found && (b.t <= b.lo || b.t >= b.hi || b.hi - b.lo <= xtol * b.hi)) b.t = b.tx;
  }
  return false;
}

/** Updates the bracket with the trial (t, f, d) and moves t to the next trial (DCSTEP). */
function improve(b: Bracket): void {
  const { t, f, d, tilt, tx, ty, lo, hi } = b;
  const fx = b.fx - tx * tilt;
  const dx = b.dx - tilt;
  const dy = b.dy - tilt;
  const opposite = d * Math.sign(dx) < 0;
  const theta = (3 * (fx - f)) / (t - tx) + dx + d;
  let next: number;
  if (f > fx) {
    // higher value: the minimum is bracketed; cubic step if it is nearer to tx, else between cubic and quadratic
    const gamma = t < tx ? -root(theta, dx, d) : root(theta, dx, d);
    const r = (gamma - dx + theta) / (gamma - dx + gamma + d);
    const cubic = tx + r * (t - tx);
    const quadratic = tx + (dx / ((fx - f) / (t - tx) + dx) / 2) * (t - tx);
    next = Math.abs(cubic - tx) <= Math.abs(quadratic - tx) ? cubic : cubic + (quadratic - cubic) / 2;
    b.found = true;
  } else if (opposite) {
    // slopes of opposite sign: bracketed; the farther of cubic and secant
    const gamma = t > tx ? -root(theta, dx, d) : root(theta, dx, d);
    const r = (gamma - d + theta) / (gamma - d + gamma + dx);
    const cubic = t + r * (tx - t);
    const secant = t + (d / (d - dx)) * (tx - t);
    next = Math.abs(cubic - t) > Math.abs(secant - t) ? cubic : secant;
    b.found = true;
  } else if (Math.abs(d) < Math.abs(dx)) {
    // the slope decreases: cubic if it tends to infinity that way, or lies beyond t
    const gamma = t > tx ? -root(theta, dx, d) : root(theta, dx, d);
    const r = (gamma - d + theta) / (gamma + (dx - d) + gamma);
    const cubic = r < 0 && gamma !== 0 ? t + r * (tx - t) : t > tx ? hi : lo;
    const secant = t + (d / (d - dx)) * (tx - t);
    if (b.found) {
      next = Math.abs(cubic - t) < Math.abs(secant - t) ? cubic : secant;
      const bound = t + 0.66 * (ty - t);
      next = t > tx ? Math.min(bound, next) : Math.max(bound, next);
    } else {
      next = Math.abs(cubic - t) > Math.abs(secant - t) ? cubic : secant;
      next = Math.min(Math.max(next, lo), hi);
    }
  } else if (b.found) {
    const fy = b.fy - ty * tilt;
    const phi = (3 * (f - fy)) / (ty - t) + dy + d;
    const gamma = t > ty ? -root(phi, dy, d) : root(phi, dy, d);
    const r = (gamma - d + phi) / (gamma - d + gamma + dy);
    next = t + r * (ty - t);
  } else {
    next = t > tx ? hi : lo;
  }

  if (f > fx) {
    b.ty = t;
    b.fy = f + t * tilt;
    b.dy = d + tilt;
  } else {
    if (opposite) {
      b.ty = tx;
      b.fy = b.fx;
      b.dy = b.dx;
    }
    b.tx = t;
    b.fx = f + t * tilt;
    b.dx = d + tilt;
  }
  b.t = next;
}

/** √(θ² − ab), scaled against overflow; 0 where the radicand is negative */
function root(theta: number, a: number, b: number): number {
  const s = Math.max(Math.abs(theta), Math.abs(a), Math.abs(b));
  return s === 0 ? 0 : s * Math.sqrt(Math.max(0, (theta / s) ** 2 - (a / s) * (b / s)));
}
