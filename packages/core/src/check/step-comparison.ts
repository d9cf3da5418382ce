import type { Engine, Tall } from "@expen/linalg";
import type { Constraint } from "../contracts/constraint.js";
import type { StepComparison } from "../contracts/step-comparison.js";

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

/**
 * Comparisons of f with its gradient along the way of a run, which cost no evaluation. For two of its points and s = Y − X the trapezoidal
 * rule has an error of third order,
 *
 *     e = f(Y) − f(X) − ½⟨∇f(X) + ∇f(Y), s⟩ = O(‖s‖³),
 *
 * while a G ≠ ∇f leaves −½⟨(G − ∇f)(X) + (G − ∇f)(Y), s⟩, of first order: the smaller the steps, the plainer it is. On the manifold the
 * normal part of G has no effect of first or second order on e.
 */
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
  /** f at the two points of a comparison that is not judged yet */
  let waiting: { readonly from: number; readonly to: number } | undefined;
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
      judge();
      return isSuspicious;
    },
    acquit() {
      judge();
      isSuspicious = false;
    },
    get hasCompared() {
      judge();
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

  /** Requests the products of a comparison, which among processes travel with others of the run. Overwrites the X that is kept. */
  function compare(Gt: Tall, Xt: Tall, ft: number): void {
    judge();
    const s = X!;
    E.combine(s, 1, Xt, -1, s);
    sums.dot(0, G!, s);
    sums.dot(1, Gt, s);
    sums.dot(2, s, s);
    sums.dot(3, Gt, Gt);
    waiting = { from: f, to: ft };
    if (!E.ranks) judge();
  }

  /** The comparison whose products were requested */
  function judge(): void {
    if (!waiting) return;
    sums.arrive();
    const { from, to } = waiting;
    waiting = undefined;
    const [before, after, ss, gg] = sums.at as unknown as readonly [number, number, number, number];
    const length = Math.sqrt(ss);
    if (Number.isNaN(size)) size = Math.sqrt(gg) * on.size;
    // far points say nothing of derivatives
    if (!(length > 0 && length <= on.size && Number.isFinite(to - from + before + after))) return;
    if (length > NEAR * on.size) hasCompared = true;
    const change = to - from;
    const e = Math.abs(change - 0.5 * (before + after));
    if (!(e > ROUNDING * (Math.abs(from) + Math.abs(to) + 2 * size))) return;
    const isGross = e > GROSS * (Math.abs(change) + 0.5 * (Math.abs(before) + Math.abs(after)));
    const cubic = e / length ** 3;
    const isSudden = third > 0 && cubic > SUDDEN * third && e > 0.5 * SMALL * Math.abs(after - before);
    if (isGross || isSudden) isSuspicious = true;
    third = Math.max(third, cubic);
  }
}
