import type { Engine, Tall } from "@expen/linalg";
import type { Constraint } from "../contracts/constraint.js";

/** A point with f and ∇f as the user's functions gave them */
export interface SeenPoint {
  readonly X: Tall;
  readonly G: Tall;
  readonly f: number;
}

/**
 * Comparisons of f with its gradient along the way of a run, which cost no evaluation. For two of its points and s = Y − X the trapezoidal
 * rule has an error of third order,
 *
 *     e = f(Y) − f(X) − ½⟨∇f(X) + ∇f(Y), s⟩ = O(‖s‖³),
 *
 * while a G ≠ ∇f leaves −½⟨(G − ∇f)(X) + (G − ∇f)(Y), s⟩, of first order: the smaller the steps, the plainer it is. On the manifold the
 * normal part of G has no effect of first or second order on e.
 */
export interface StepComparison {
  /** Begins at this point; evaluations before it are not compared. */
  begin(start: SeenPoint): void;
  /** To be called after each evaluation of f with its gradient. */
  see(G: Tall, X: Tall, f: number): void;
  /** Compares the next evaluation with the last point that is kept. */
  compareNext(): void;
  /** Does a comparison speak against the gradient? It is only a suspicion: f may have a large third derivative, or noise. */
  readonly isSuspicious: boolean;
  /** To be called where differences of f have shown that the gradient is right: what was seen is how large e may be. */
  acquit(): void;
  /** Was any pair of points compared? */
  readonly hasCompared: boolean;
  /** the last point that is kept; undefined before the start */
  readonly last: SeenPoint | undefined;
}

/** Evaluations that are all compared, each with the one before */
const DENSE = 16;
/** Later every fourth is: a comparison takes six passes over X. */
const PERIOD = 4;
/** |e| against the terms of its sum: half the gradient, its negative, or none at all has a third or more, also along short steps. */
const GROSS = 0.25;
/** |e|/‖s‖³ against the largest before, from which e does not seem to be of third order */
const SUDDEN = 10;
/** |e| against ½|⟨∇f(Y) − ∇f(X), s⟩|, the term of second order, up to which it is small all the same */
const SMALL = 1e-3;
/** ‖s‖/‖X‖ below which the points are one, up to rounding */
const NEAR = 1e-7;
/** Roundoff of f and of the products, relative to |f| and ‖∇f‖‖X‖: sums of many terms have some units */
const ROUNDING = 16 * 2 ** -52;

export function stepComparison(E: Engine, on: Constraint): StepComparison {
  const { n, p } = on.shape;
  const sums = E.sums(4);
  let [X, G] = [undefined, undefined] as (Tall | undefined)[];
  let f = Number.NaN;
  let isKept = false;
  let evaluations = 0;
  let hasCompared = false;
  let wantsNext = false;
  let isSuspicious = false;
  /** the largest |e|/‖s‖³ */
  let third = 0;
  /** ‖∇f‖‖X‖ at the first point */
  let size = Number.NaN;
  return {
    begin: (start) => keep(start.G, start.X, start.f),
    see(Gt, Xt, ft) {
      if (!isKept) return;
      const k = ++evaluations;
      const isDue = wantsNext || k <= DENSE || k % PERIOD === 1;
      if (isDue) compare(Gt, Xt, ft);
      wantsNext = false;
      if (isDue || k % PERIOD === 0) keep(Gt, Xt, ft);
    },
    compareNext() {
      wantsNext = true;
    },
    get isSuspicious() {
      return isSuspicious;
    },
    acquit() {
      isSuspicious = false;
    },
    get hasCompared() {
      return hasCompared;
    },
    get last() {
      return isKept ? { X: X!, G: G!, f } : undefined;
    },
  };

  function keep(Gt: Tall, Xt: Tall, ft: number): void {
    X ??= E.tall(n, p);
    G ??= E.tall(n, p);
    E.copy(X, Xt);
    E.copy(G, Gt);
    f = ft;
    isKept = true;
  }

  /** Overwrites the X that is kept. */
  function compare(Gt: Tall, Xt: Tall, ft: number): void {
    const s = X!;
    E.combine(s, 1, Xt, -1, s);
    sums.dot(0, G!, s);
    sums.dot(1, Gt, s);
    sums.dot(2, s, s);
    sums.dot(3, Gt, Gt);
    sums.arrive();
    const [before, after, ss, gg] = sums.at as unknown as readonly [number, number, number, number];
    const length = Math.sqrt(ss);
    if (Number.isNaN(size)) size = Math.sqrt(gg) * on.size;
    // far points say nothing of derivatives
    if (!(length > 0 && length <= on.size && Number.isFinite(ft - f + before + after))) return;
    if (length > NEAR * on.size) hasCompared = true;
    const change = ft - f;
    const e = Math.abs(change - 0.5 * (before + after));
    if (!(e > ROUNDING * (Math.abs(f) + Math.abs(ft) + 2 * size))) return;
    const isGross = e > GROSS * (Math.abs(change) + 0.5 * (Math.abs(before) + Math.abs(after)));
    const cubic = e / length ** 3;
    const isSudden = third > 0 && cubic > SUDDEN * third && e > 0.5 * SMALL * Math.abs(after - before);
    if (isGross || isSudden) isSuspicious = true;
    third = Math.max(third, cubic);
  }
}
