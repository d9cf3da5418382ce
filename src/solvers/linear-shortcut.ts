import type { Constraint } from "../constraints/constraint.js";
import type { Engine, Objective, Solver, State, Tall } from "../types.js";
import { newState, roundingFloor } from "./state.js";

/** ‖∇f(Y) − ∇f(X) − c(Y − X)‖ that rounding may leave, against ‖∇f(X)‖·‖Y − X‖/‖X‖; and ‖grad f‖ at the end, against the first */
const [LINEAR, STATIONARY] = [1e-11, 1e-7];

/**
 * Where all feasible points are of one length, f = ½c‖X‖² + ⟨L, X⟩ + a is least at the nearest one to −L: a polar factor, a rotation,
 * unit columns, part by part in a product. Two gradients show an f of this kind,
 *
 *     ∇f(Y) − ∇f(X) = c·(Y − X),   L = ∇f(Y) − cY,
 *
 * and a run has them after its first step. So `steps`, which begins with f at X0, is looked at until then, and ends at the nearest point
 * to −L if f is stationary there. An f of another kind costs some sums over two matrices, once.
 */
export function* linearShortcut(
  E: Engine,
  f: Objective,
  X0: Tall,
  gradient: Tall,
  on: Constraint,
  method: (f: Objective) => Solver,
): Solver {
  let calls = 0;
  /** −L */
  let target: Tall | undefined;
  const watched: Objective["fg"] = (G, X) => {
    const value = f.fg(G, X);
    if (calls++ === 1) target = negatedLinearPart(E, { X: X0, G: gradient }, { X, G });
    return value;
  };
  const steps = method({ ...f, fg: watched });
  let state: State | undefined;
  while (calls < 2) {
    const next = steps.next();
    if (next.done) return next.value;
    state = next.value;
    yield state;
  }
  if (target && state) {
    const end = nearest(target, state);
    if (end) {
      yield end;
      return roundingFloor(end.gnorm);
    }
  }
  return yield* steps;

  /** The nearest point to −L, if f is lower and stationary there */
  function nearest(to: Tall, last: State): State | undefined {
    const [Y, G, restore] = [E.tall(f.n, f.p), gradient, on.restorer()];
    restore(Y, to);
    // once more, from nearby: to rounding
    restore(to, Y);
    const value = f.fg(G, to);
    on.tangent(G, to);
    const gnorm = Math.sqrt(E.dot(G, G));
    if (!(value < last.f && gnorm <= STATIONARY * last.gnormMax)) return undefined;
    E.combine(G, 1, to, -1, last.X);
    const moved = { k: last.k + 1, gnormMax: last.gnormMax, decrease: last.f - value, step: Math.sqrt(E.dot(G, G)) };
    return { ...newState({ X: to, f: value, evaluations: last.evaluations }, gnorm), ...moved };
  }
}

/** Where a gradient is known */
interface Known {
  readonly X: Tall;
  readonly G: Tall;
}

/** −L, where two gradients say that f = ½c‖X‖² + ⟨L, X⟩ + a; the first one is destroyed. */
function negatedLinearPart(E: Engine, first: Known, { X, G }: Known): Tall | undefined {
  const D = E.tall(X.rows, X.cols);
  const sums = (): number[] => [E.dot(first.G, first.G), E.dot(X, X), E.dot(D, D), E.dot(D, G), E.dot(D, first.G)];
  E.combine(D, 1, X, -1, first.X);
  E.ranks?.foresee(sums);
  const [gg, xx, dd, dG, dG0] = sums() as [number, number, number, number, number];
  const c = (dG - dG0) / dd;
  E.combine(first.G, 1, G, -1, first.G);
  E.combine(first.G, 1, first.G, -c, D);
  if (!(E.dot(first.G, first.G) <= (LINEAR ** 2 * gg * dd) / xx)) return undefined;
  E.combine(D, c, X, -1, G);
  return D;
}
