import type { Constraint } from "../constraints/constraint.js";
import type { Engine, Objective, Solver, State, Tall } from "../types.js";
import { newState, roundingFloor } from "./state.js";

/** What rounding may leave of an equation, against its terms; and ‖grad f‖ at the end, against the largest of the run */
const [LINEAR, STATIONARY] = [1e-12, 1e-7];

/**
 * Where all feasible points are of one length, f = ½c‖X‖² + ⟨L, X⟩ + a is least at the nearest one to −L: a polar factor, a rotation,
 * unit columns, part by part in a product. With G = ∇f = cX + L at two points X and Y
 *
 *     c·(‖X‖² − ⟨X, Y⟩) = ⟨G_X, X⟩ − ⟨G_Y, X⟩,     f(Y) − f(X) = ⟨G_Y, Y⟩ − ⟨G_X, X⟩,     ‖G_Y‖² − ‖G_X‖² = 2c·(f(Y) − f(X)),
 *
 * and a run has two with its first trial point. So `method`, which begins with f at X0, is looked at until then; where the equations
 * hold, and f is lower and stationary at the nearest point to cY − G_Y, the run ends there, and `method` is left in the midst of its step.
 * A form that declares L is looked at before: with BX = cX for the X0 of a run no trial point is needed. An f of another kind costs some
 * sums, once.
 */
export function* linearShortcut(
  E: Engine,
  f: Objective,
  X0: Tall,
  on: Constraint,
  method: (f: Objective) => Solver,
): Solver {
  let calls = 0;
  let first: Sums | undefined;
  let state: State | undefined;
  const L = f.quadratic?.L;
  /** −L of a declared form, where BXC is a multiple of X in the first product */
  let declared: Tall | undefined;
  let seen = !L;
  /** thrown out of the evaluation that has shown the end of the run */
  const found: { end?: State | undefined } = {};
  const watched: Objective["fg"] = (G, X) => {
    const value = f.fg(G, X);
    if (++calls === 1) {
      first = sumsAt(G, X, value);
      if (L && !seen) look(minus(G, L), X);
    } else if (calls === 2 && first && state) {
      const target = negatedLinearPart(G, X, first, sumsAt(G, X, value));
      found.end = target && nearest(target, state);
      if (found.end) throw found;
    }
    return value;
  };
  const form = f.quadratic && {
    ...f.quadratic,
    apply(Y: Tall, X: Tall) {
      f.quadratic!.apply(Y, X);
      if (!seen && !f.quadratic!.C && X.cols === f.p) look(Y, X);
    },
  };
  const steps = method({ ...f, fg: watched, quadratic: form });
  try {
    while (calls < 2) {
      const next = steps.next();
      if (next.done) return next.value;
      state = next.value;
      yield state;
      const end: State | undefined = declared && nearest(declared, state);
      declared = undefined;
      if (!end) continue;
      yield end;
      return roundingFloor(end.gnorm);
    }
  } catch (thrown) {
    if (thrown !== found || !found.end) throw thrown;
    yield found.end;
    return roundingFloor(found.end.gnorm);
  }
  return yield* steps;

  function sumsAt(G: Tall, X: Tall, value: number): Sums {
    const sums = (): number[] => [E.dot(G, X), E.dot(G, G), E.dot(X, X0), E.dot(G, X0)];
    E.ranks?.foresee(sums);
    const [gx, gg, x, g] = sums() as [number, number, number, number];
    return { f: value, gx, gg, x, g };
  }

  function minus(G: Tall, L: Tall): Tall {
    const Z = E.tall(f.n, f.p);
    E.combine(Z, 1, G, -1, L);
    return Z;
  }

  /** cY − G_Y where the equations hold */
  function negatedLinearPart(G: Tall, Y: Tall, at: Sums, there: Sums): Tall | undefined {
    const c = (at.gx - there.g) / (at.x - there.x);
    const rise = there.gx - at.gx;
    const size = Math.abs(there.gx) + Math.abs(at.gx) + Math.abs(there.f) + Math.abs(at.f);
    const linear =
      Math.abs(there.f - at.f - rise) <= LINEAR * size &&
      Math.abs(there.gg - at.gg - 2 * c * rise) <= LINEAR * (there.gg + at.gg + Math.abs(c) * size);
    if (!linear) return undefined;
    const Z = E.tall(f.n, f.p);
    E.combine(Z, c, Y, -1, G);
    return Z;
  }

  /** `declared` ← −L where Y = cX */
  function look(Y: Tall, X: Tall): void {
    seen = true;
    const Z = E.tall(f.n, f.p);
    E.combine(Z, 1, Y, -E.dot(Y, X) / E.dot(X, X), X);
    const size = E.dot(Y, Y) + E.dot(L!, L!);
    if (!(E.dot(Z, Z) <= LINEAR ** 2 * size)) return;
    E.combine(Z, -1, L!, 0, L!);
    declared = Z;
  }

  /** The nearest point to −L, if f is lower and stationary there */
  function nearest(to: Tall, last: State): State | undefined {
    const [G, x] = [E.tall(f.n, f.p), on.point()];
    on.restore(x, to);
    // once more, from nearby: to rounding
    E.copy(to, x.X);
    on.restore(x, to);
    E.copy(to, x.X);
    const value = f.fg(G, to);
    on.dissolver.tangent(G, x);
    const gnorm = Math.sqrt(E.dot(G, G));
    if (!(value < last.f && gnorm <= STATIONARY * last.gnormMax)) return undefined;
    E.combine(G, 1, to, -1, last.X);
    const moved = { k: last.k + 1, gnormMax: last.gnormMax, decrease: last.f - value, step: Math.sqrt(E.dot(G, G)) };
    return { ...newState({ X: to, f: value, evaluations: last.evaluations }, gnorm), ...moved };
  }
}

/** f, ⟨G, X⟩, ‖G‖², ⟨X, X0⟩ and ⟨G, X0⟩ at X */
interface Sums {
  readonly f: number;
  readonly gx: number;
  readonly gg: number;
  readonly x: number;
  readonly g: number;
}
