import type { Constraint } from "../constraints/constraint.js";
import type { Engine, Evaluations, Objective, QuadraticForm, Solver, Tall } from "../types.js";
import { dissolvedExpen } from "./dissolved-expen.js";
import { firstEvaluation } from "./first-evaluation.js";
import { frameExpen } from "./frame/lbfgs.js";
import { hasFrame } from "./frame/on.js";
import { krylovExpen } from "./krylov/krylov-expen.js";
import { wayOf } from "./krylov/plan.js";
import { linearShortcut } from "./linear-shortcut.js";
import { subspaceExpen } from "./subspace/subspace-expen.js";
import { wholeSpaceExpen, wholeSpacePays } from "./whole-space-expen.js";

export interface DefaultOptions {
  /** where X lives; left out: XᵀX = I */
  on?: Constraint;
  memory?: number;
  /** the gradient norm that will be asked for, and the seed of random vectors: for Krylov spaces */
  tolerance?: number;
  seed?: number;
  evaluations?: Evaluations;
}

/**
 * The default of the project, chosen by what f declares and by what it costs (docs/decisions/0014):
 *
 *     an eigenproblem, n ≥ 256                  in Krylov spaces        krylov-expen.ts
 *     a quadratic form with a dear operator     in subspaces            subspace-expen.ts
 *     a form, XᵀBX = I, both matrices small     in the whole space      whole-space-expen.ts
 *     any f, a product with XᵀBX = I, B dense   in the moving frame     frame/lbfgs.ts, frame/metric.ts
 *     any other quadratic form, or a cheap f    with the multiplier     dissolved-expen.ts
 *     any other f                               in the moving frame     frame/lbfgs.ts
 *
 * Where f turns out to be linear the last three end at their first trial point, or before it (linear-shortcut.ts).
 *
 * The frame takes two thirds of the evaluations, and half as much again of algebra for each. No clock decides, so that runs are
 * repeatable to the bit: the first evaluation is looked at, and its numbers are used by the method that is chosen.
 */
export function defaultExpen(E: Engine, f: Objective, X0: Tall, o: DefaultOptions): Solver {
  const { n, p, quadratic } = f;
  const { on } = o;
  const { orthonormal = true, metric, parts } = on?.traits ?? {};
  const bounded = on && on.longestStep < Number.POSITIVE_INFINITY;
  /** where f may be linear */
  const unlessLinear = (f: Objective, method: (f: Objective) => Solver): Solver =>
    bounded ? linearShortcut(E, f, X0, on, method) : method(f);
  // without L a form is linear only where it is constant
  const ofForm = (method: (f: Objective) => Solver): Solver => (quadratic?.L ? unlessLinear(f, method) : method(f));
  const dissolved = (): Solver => ofForm((f) => dissolvedExpen(E, f, X0, o));
  if (on && quadratic && metric?.operator && wholeSpacePays(E, f, metric.operator)) {
    return wholeSpaceExpen(E, { ...f, quadratic }, X0, { ...o, on });
  }
  // in a product the multiplier's metric has no coordinates of B
  if (on && parts && metric && hasFrame(E, on)) return frameExpen(E, f, X0, o);
  // subspaces are those of XᵀX = I
  if (on && (quadratic || metric ? !orthonormal : !hasFrame(E, on))) return dissolved();
  if (quadratic && wayOf(E, n, p, quadratic) !== "general") {
    return krylovExpen(E, { ...f, quadratic }, X0, o);
  }
  if (quadratic && subspacePays(n, p, quadratic)) {
    return ofForm((f) => subspaceExpen(E, { ...f, quadratic: f.quadratic! }, X0, o));
  }
  if (quadratic) return dissolved();
  const first = firstEvaluation(E, f, X0);
  // all processes decide alike
  const agreed = E.ranks?.agree ?? (on && !orthonormal ? rowMean(E, f) : (count: number) => count);
  const [multiplied, passed] = [agreed(first.multiplied), agreed(first.passed)];
  const cheap = multiplied < DEAR * algebra(f, on) && passed > SEEN * n * p;
  const method = (f: Objective): Solver =>
    (cheap ? dissolvedExpen : frameExpen)(E, f, X0, { ...o, gradient: first.gradient });
  return unlessLinear(first.f, method);
}

/**
 * Subspaces save products with the operator and cost some dozens of np² flops a step; three blocks of p columns must leave room in n.
 * (Measured: twice as fast at 10np² flops a product, three times slower at ⅓np².)
 */
const subspacePays = (n: number, p: number, { flops = 2 * n * n }: QuadraticForm): boolean =>
  n >= 4 * p && flops >= 4 * n * p;

/** An f that multiplies as much as one tall by one small matrix, 2np² flops, is dear. (A margin for rounding.) */
const DEAR = 1.9;
/**
 * One that went over fewer entries of the size of X than these works in loops of its own, and is dear too: the engine sees a ⟨X, G⟩ at
 * most, beside the norm of the first gradient, which every run takes.
 */
const SEEN = 2.5;

/** np², of a product the sum over its parts; np where there is no product with a p×p matrix: unit columns, and no constraint */
function algebra({ n, p }: { n: number; p: number }, on?: Constraint): number {
  const { parts, coordinates } = on?.traits ?? {};
  if (parts) return parts.list.reduce((sum, part) => sum + algebra(part.on.shape, part.on), 0);
  return coordinates === "columns" || coordinates === "free" ? n * p : n * p * p;
}

/**
 * The mean over the rows of a number that each process has for its own: the same for all where an algebra does not show that there are
 * several, and the number itself, to rounding, where there is one.
 */
function rowMean(E: Engine, { n, p }: Objective): (own: number) => number {
  const [one, filled] = [E.tall(n, p), E.tall(n, p)];
  E.fill(one, 1);
  const count = E.dot(one, one);
  return (own) => {
    E.fill(filled, own);
    return E.dot(filled, one) / count;
  };
}
