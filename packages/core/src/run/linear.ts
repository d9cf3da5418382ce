/** An f that is linear on the manifold: the run ends after its first step. */

import type { Tall } from "@expen/linalg";
import type { Solver } from "../contracts/method.js";
import { endAtLeast, leastOfForm } from "./least-linear.js";
import type { Known } from "./strategy.js";

/** Residual of the equations below relative to their terms, up to which they hold: roundoff */
const LINEAR = 1e-12;

/**
 * The method; ends after its first step if f is linear on the manifold. Where all feasible points are of one length,
 * f = ½c‖X‖² + ⟨L, X⟩ + a is least at the nearest one to −L: a polar factor, a rotation, unit columns, part by part in a product. With
 * G = ∇f = cX + L at two points X and Y
 *
 *     c·(‖X‖² − ⟨X, Y⟩) = ⟨G_X, X⟩ − ⟨G_Y, X⟩,     f(Y) − f(X) = ⟨G_Y, Y⟩ − ⟨G_X, X⟩,     ‖G_Y‖² − ‖G_X‖² = 2c·(f(Y) − f(X)),
 *
 * and a run has two with its first trial point. Where the equations hold there, and f is lower and stationary at the nearest point to
 * cY − G_Y, the run ends. A form that declares L is seen to be linear at the start. Some sums, once, are what
 * this costs an f of another kind.
 */
export function unlessLinear(k: Known, begin: () => Solver): Solver {
  const { f, on } = k;
  // a form without L is linear only where it is constant
  const mayBeLinear = (!f.quadratic || f.quadratic.L) && on.longestStep < Number.POSITIVE_INFINITY;
  return mayBeLinear ? linearOr(k, begin) : begin();
}

function* linearOr(k: Known, begin: () => Solver): Solver {
  const { f, X0 } = k;
  const { G, f: value } = f.start(X0);
  const at = sumsAt(k, G, X0, value);
  const ofForm = f.quadratic?.L && leastOfForm(k, G, f.quadratic.L);
  const steps = begin();
  const first = steps.next();
  if (first.done) return first.value;
  const start = first.value;
  yield start;
  if (ofForm) {
    const end = endAtLeast(k, ofForm, start);
    if (end) return yield* end;
  }
  let least: Tall | undefined;
  const leave = f.watch((G, Y, value) => {
    leave();
    least = negatedLinearPart(k, G, Y, at, sumsAt(k, G, Y, value));
  });
  const next = steps.next();
  leave();
  if (!next.done) yield next.value;
  const end = least && endAtLeast(k, least, next.done ? start : next.value);
  if (end) return yield* end;
  return next.done ? next.value : yield* steps;
}

/** f, ⟨G, X⟩, ‖G‖², ⟨X, X0⟩ and ⟨G, X0⟩ at X */
interface Moments {
  readonly f: number;
  readonly gx: number;
  readonly gg: number;
  readonly x: number;
  readonly g: number;
}

function sumsAt({ E, X0 }: Known, G: Tall, X: Tall, value: number): Moments {
  const sums = E.sums(4);
  sums.dot(0, G, X);
  sums.dot(1, G, G);
  sums.dot(2, X, X0);
  sums.dot(3, G, X0);
  sums.arrive();
  const [gx, gg, x, g] = sums.at as unknown as readonly [number, number, number, number];
  return { f: value, gx, gg, x, g };
}

/** cY − G_Y if the equations hold */
function negatedLinearPart({ E, f }: Known, G: Tall, Y: Tall, at: Moments, trial: Moments): Tall | undefined {
  const c = (at.gx - trial.g) / (at.x - trial.x);
  const rise = trial.gx - at.gx;
  const size = Math.abs(trial.gx) + Math.abs(at.gx) + Math.abs(trial.f) + Math.abs(at.f);
  const isLinear =
    Math.abs(trial.f - at.f - rise) <= LINEAR * size &&
    Math.abs(trial.gg - at.gg - 2 * c * rise) <= LINEAR * (trial.gg + at.gg + Math.abs(c) * size);
  if (!isLinear) return undefined;
  const Z = E.tall(f.n, f.p);
  E.combine(Z, c, Y, -1, G);
  return Z;
}
