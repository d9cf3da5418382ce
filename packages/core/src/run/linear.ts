import type { Tall } from "@expen/linalg";
import type { Solver, State } from "../contracts/method.js";
import type { Objective } from "../contracts/objective.js";
import { newState, roundingFloor } from "../methods/state.js";
import { fromStart, type Start } from "../objective/evaluator.js";
import { linearPartOn } from "../objective/linear-part.js";
import type { Known } from "./strategy.js";

/** Residual of the equations below relative to their terms, and ‖grad f‖ at the end relative to the largest of the run: roundoff */
const [LINEAR, STATIONARY] = [1e-12, 1e-7];

/** A method on an f with a known first evaluation, at the start; it may write into that gradient. */
export type Begin = (f: Objective, gradient: Tall | undefined) => Solver;

/** Begins the method with the known f and ∇f at the start. */
export function beginAt({ E, f, X0 }: Known, method: Begin): Solver {
  const start = f.take(X0);
  return method(fromStart(E, f, start), start?.G);
}

/** The same; ends after the first step if f is linear on the manifold. */
export function unlessLinear(k: Known, method: Begin): Solver {
  const { f, X0, on } = k;
  // a form without L is linear only where it is constant
  const mayBeLinear = (!f.quadratic || f.quadratic.L) && on.longestStep < Number.POSITIVE_INFINITY;
  return mayBeLinear ? linearOr(k, f.start(X0), method) : beginAt(k, method);
}

/**
 * Where all feasible points are of one length, f = ½c‖X‖² + ⟨L, X⟩ + a is least at the nearest one to −L: a polar factor, a rotation,
 * unit columns, part by part in a product. With G = ∇f = cX + L at two points X and Y
 *
 *     c·(‖X‖² − ⟨X, Y⟩) = ⟨G_X, X⟩ − ⟨G_Y, X⟩,     f(Y) − f(X) = ⟨G_Y, Y⟩ − ⟨G_X, X⟩,     ‖G_Y‖² − ‖G_X‖² = 2c·(f(Y) − f(X)),
 *
 * and a run has two with its first trial point. Where the equations hold there, and f is lower and stationary at the nearest point to
 * cY − G_Y, the run ends after the first step. A form that declares L is seen to be linear at the start: by itself, or as G − L = cX. Some
 * sums, once, are what this costs an f of another kind.
 */
function* linearOr({ E, f, X0, on }: Known, start: Start, method: Begin): Solver {
  const L = f.quadratic?.L;
  const at = sumsAt(start.G, X0, start.f);
  const declared = L && (linearPartOn(on, f.quadratic) ? negated(L) : declaredLinearPart(start.G, L));
  f.forget();
  const steps = method(fromStart(E, f, start), start.G);
  const first = steps.next();
  if (first.done) return first.value;
  const state = first.value;
  yield state;
  const atOnce = declared && nearest(declared, state);
  if (atOnce) return yield* ending(atOnce);
  let target: Tall | undefined;
  f.watch((G, Y, value) => {
    f.watch(undefined);
    target = negatedLinearPart(G, Y, at, sumsAt(G, Y, value));
  });
  const next = steps.next();
  f.watch(undefined);
  if (!next.done) yield next.value;
  const end = target && nearest(target, next.done ? state : next.value);
  if (end) return yield* ending(end);
  return next.done ? next.value : yield* steps;

  function sumsAt(G: Tall, X: Tall, value: number): Moments {
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
  function negatedLinearPart(G: Tall, Y: Tall, at: Moments, trial: Moments): Tall | undefined {
    const c = (at.gx - trial.g) / (at.x - trial.x);
    const rise = trial.gx - at.gx;
    const size = Math.abs(trial.gx) + Math.abs(at.gx) + Math.abs(trial.f) + Math.abs(at.f);
    const linear =
      Math.abs(trial.f - at.f - rise) <= LINEAR * size &&
      Math.abs(trial.gg - at.gg - 2 * c * rise) <= LINEAR * (trial.gg + at.gg + Math.abs(c) * size);
    if (!linear) return undefined;
    const Z = E.tall(f.n, f.p);
    E.combine(Z, c, Y, -1, G);
    return Z;
  }

  /** −L of a declared form if G − L = BXC = cX */
  function declaredLinearPart(G: Tall, L: Tall): Tall | undefined {
    const Z = E.tall(f.n, f.p);
    E.combine(Z, 1, G, -1, L);
    const size = E.dot(Z, Z) + E.dot(L, L);
    E.combine(Z, 1, Z, -E.dot(Z, X0) / E.dot(X0, X0), X0);
    return E.dot(Z, Z) <= LINEAR ** 2 * size ? negated(L) : undefined;
  }

  function negated(L: Tall): Tall {
    const Z = E.tall(f.n, f.p);
    E.combine(Z, -1, L, 0, L);
    return Z;
  }

  /** The nearest point to −L, if f is lower and stationary there */
  function nearest(to: Tall, last: State): State | undefined {
    const [near, x] = [on.point(), on.point(to)];
    const G = near.X;
    on.restore(near, to);
    // once more, from nearby: to rounding
    on.restore(x, G);
    const value = f.fg(G, to);
    on.dissolver.tangent(G, x);
    const gnorm = Math.sqrt(E.dot(G, G));
    if (!(value < last.f && gnorm <= STATIONARY * last.gnormMax)) return undefined;
    E.combine(G, 1, to, -1, last.X);
    const moved = { k: last.k + 1, gnormMax: last.gnormMax, decrease: last.f - value, step: Math.sqrt(E.dot(G, G)) };
    return { ...newState({ X: to, f: value, evaluations: last.evaluations }, gnorm), ...moved };
  }
}

function* ending(end: State): Solver {
  yield end;
  return roundingFloor(end.gnorm);
}

/** f, ⟨G, X⟩, ‖G‖², ⟨X, X0⟩ and ⟨G, X0⟩ at X */
interface Moments {
  readonly f: number;
  readonly gx: number;
  readonly gg: number;
  readonly x: number;
  readonly g: number;
}
