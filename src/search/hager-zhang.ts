import type { Ray, Search } from "../types.js";

export interface HagerZhangOptions {
  /** Wolfe constants, 0 < delta < ½ ≤ … ≤ sigma < 1 */
  delta?: number;
  sigma?: number;
  /** φ may rise by epsilon·|φ(0)| in the approximate test: the size of rounding in f that is tolerated */
  epsilon?: number;
  /** bisection point, required shrinkage of the bracket, growth while bracketing */
  theta?: number;
  gamma?: number;
  rho?: number;
  limit?: number;
}

/**
 * A search in progress: its constants, the trial (t, v = φ(t), s = φ'(t)), the bracket [a, b] with its slopes, the largest φ of the
 * approximate test, trials so far.
 */
class Progress {
  readonly delta: number;
  readonly sigma: number;
  readonly epsilon: number;
  readonly theta: number;
  readonly gamma: number;
  readonly rho: number;
  readonly limit: number;
  t = Number.NaN;
  v = Number.NaN;
  s = Number.NaN;
  a = Number.NaN;
  sa = Number.NaN;
  b = Number.NaN;
  sb = Number.NaN;
  ceiling = Number.NaN;
  trials = 0;

  constructor({
    delta = 0.1,
    sigma = 0.9,
    epsilon = 1e-6,
    theta = 0.5,
    gamma = 0.66,
    rho = 5,
    limit = 50,
  }: HagerZhangOptions) {
    this.delta = delta;
    this.sigma = sigma;
    this.epsilon = epsilon;
    this.theta = theta;
    this.gamma = gamma;
    this.rho = rho;
    this.limit = limit;
  }
}

/**
 * The line search of CG_DESCENT (Hager and Zhang, ACM TOMS 32, 2006). A step is accepted by the Wolfe conditions
 *
 *     T1: φ(t) − φ(0) ≤ δ·t·φ'(0)  and  φ'(t) ≥ σ·φ'(0),
 *
 * or by the approximate ones, which look at slopes and so work down to rounding level where differences of φ are noise:
 *
 *     T2: (2δ − 1)·φ'(0) ≥ φ'(t) ≥ σ·φ'(0)  and  φ(t) ≤ φ(0) + ε.
 *
 * The bracket [a, b] keeps φ(a) ≤ φ(0) + ε, φ'(a) < 0, φ'(b) ≥ 0; it shrinks by the double secant step.
 */
export function hagerZhang(options: HagerZhangOptions = {}): Search {
  const q = new Progress(options);
  return (ray) => find(q, ray);
}

function find(q: Progress, ray: Ray): boolean {
  if (!(ray.slope0 < 0)) return false;
  begin(q, ray);
  return accepted(q, ray) || (retreated(q, ray) ?? bracketed(q, ray) ?? shrunk(q, ray));
}

function begin(q: Progress, { f0, slope0, t, max }: Ray): void {
  q.ceiling = f0 + q.epsilon * Math.abs(f0);
  q.trials = 0;
  q.a = q.b = q.sb = 0;
  q.sa = slope0;
  q.t = Math.min(t, max);
}

/** Pulls a trial back where f is not finite. Like those below: true or false where the search is over. */
function retreated(q: Progress, ray: Ray): boolean | undefined {
  while (!(Number.isFinite(q.v) && Number.isFinite(q.s))) {
    if (q.trials >= q.limit) return false;
    q.t *= 0.1;
    if (accepted(q, ray)) return true;
  }
  return undefined;
}

/** Grows the bracket from the trial on. */
function bracketed(q: Progress, ray: Ray): boolean | undefined {
  const { f0, slope0, max } = ray;
  for (;;) {
    if (q.s >= 0) {
      right(q);
      return undefined;
    }
    if (q.v > q.ceiling) {
      q.a = 0;
      q.sa = slope0;
      right(q);
      return bisect(q, ray) || undefined;
    }
    left(q);
    // At the cap there is nothing to bracket: a descending point there is as far as we may go.
    if (q.t >= max) return q.v <= f0 + q.delta * q.t * slope0;
    if (q.trials >= q.limit) return false;
    q.t = Math.min(q.rho * q.t, max);
    if (accepted(q, ray)) return true;
    if (!Number.isFinite(q.v) || !Number.isFinite(q.s)) {
      // beyond the domain of f: a wall, to be bisected towards the last good point
      right(q);
      return bisect(q, ray) || undefined;
    }
  }
}

/** Shrinks the bracket by double secant steps. */
function shrunk(q: Progress, ray: Ray): boolean {
  while (q.trials < q.limit && q.b - q.a > 1e-16 * q.b) {
    const { a, sa, b, sb } = q;
    const c = secant(a, sa, b, sb);
    q.t = c;
    if (narrowed(q, ray)) return true;
    if (q.b === c) {
      q.t = secant(b, sb, q.b, q.sb);
      if (narrowed(q, ray)) return true;
    } else if (q.a === c) {
      q.t = secant(a, sa, q.a, q.sa);
      if (narrowed(q, ray)) return true;
    }
    if (q.b - q.a > q.gamma * (b - a)) {
      q.t = (q.a + q.b) / 2;
      if (narrowed(q, ray)) return true;
    }
    if (q.b - q.a === b - a) return false;
  }
  return false;
}

/** Moves to t; true if it is accepted. */
function accepted(q: Progress, ray: Ray): boolean {
  const { t, delta } = q;
  q.trials++;
  ray.t = t;
  ray.move();
  const v = ray.ft;
  q.v = v;
  q.s = Number.NaN;
  if (!Number.isFinite(v)) return false;
  ray.differentiate();
  const s = ray.slopeT;
  q.s = s;
  const { f0, slope0 } = ray;
  if (!(s >= q.sigma * slope0)) return false;
  const wolfe = v - f0 <= delta * t * slope0;
  return (wolfe || ((2 * delta - 1) * slope0 >= s && v <= q.ceiling)) && (ray.acceptable?.() ?? true);
}

function left(q: Progress): void {
  q.a = q.t;
  q.sa = q.s;
}

function right(q: Progress): void {
  q.b = q.t;
  q.sb = q.s;
}

/** U3: bisects [a, b] where φ'(b) < 0 but φ(b) is above the ceiling, until φ'(b) ≥ 0. */
function bisect(q: Progress, ray: Ray): boolean {
  while (q.trials < q.limit) {
    q.t = (1 - q.theta) * q.a + q.theta * q.b;
    if (accepted(q, ray)) return true;
    if (q.s >= 0) {
      right(q);
      return false;
    }
    if (q.v <= q.ceiling) left(q);
    else right(q);
  }
  return false;
}

/** Narrows [a, b] by the trial point t; true if that is accepted. */
function narrowed(q: Progress, ray: Ray): boolean {
  const { t, a, b } = q;
  if (!(t > a && t < b) || q.trials >= q.limit) return false;
  if (accepted(q, ray)) return true;
  if (q.s >= 0) right(q);
  else if (q.v <= q.ceiling) left(q);
  else {
    right(q);
    return bisect(q, ray);
  }
  return false;
}

/** The zero of the line through (a, sa) and (b, sb) */
const secant = (a: number, sa: number, b: number, sb: number): number => (a * sb - b * sa) / (sb - sa);
