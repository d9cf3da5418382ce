/** A thorough check of the derivatives of a user's f: the result as data and in one sentence. */

import type { Engine, Tall } from "@expen/linalg";
import { anything, chosenOptions, digits, integer, random, wrongSizes } from "@expen/linalg";
import type { Constraint } from "../contracts/constraint.js";
import type { Manifold, View } from "../contracts/manifold.js";
import type { Objective } from "../contracts/objective.js";
import type { Formula, UserObjective } from "../contracts/user-objective.js";
import { requireManifold } from "../manifolds/required-manifold.js";
import { stiefelConstraint } from "../manifolds/stiefel.js";
import { hessianAt } from "../objective/hessian-at.js";
import { objectiveOn } from "../objective/objective.js";
import { randomPoint } from "../run/start.js";
import { contractViolation } from "./contract-violation.js";
import { nameGradientMistake, worstGradientEntry, worstHessianEntry } from "./mistakes.js";
import { type Slope, taylorSlopes } from "./slope.js";
import { describeEntry, type Suspect } from "./worst-entry.js";

export { type QuickCheck, quickCheck } from "./quick.js";
export type { Slope } from "./slope.js";
export type { Suspect } from "./worst-entry.js";

interface PointCheck {
  /** on the manifold? */
  on: boolean;
  gradient: Slope;
  hessian?: Slope;
  /** |⟨E, H[D]⟩ − ⟨D, H[E]⟩| / (‖H[D]‖ + ‖H[E]‖) for two unit directions */
  asymmetry?: number;
}

/** The result of `checkDerivatives`: the orders of both Taylor remainders, and the worst entry */
export interface DerivativeCheck {
  passed: boolean;
  /** one sentence */
  text: string;
  /** false where the objective has no Hessian-vector product */
  hasHessian: boolean;
  points: PointCheck[];
  /** the name of the mistake: "not-finite", "side-effect", "adds", "value", "factor", "riemannian", "along", "zero", "asymmetric" */
  mistake?: string;
  /** the entry with the largest error, if a derivative fails */
  suspect?: Suspect & { of: "gradient" | "hessian" };
}

/** |⟨E, H[D]⟩ − ⟨D, H[E]⟩| / (‖H[D]‖ + ‖H[E]‖) up to which H is symmetric: roundoff of 10⁸ operations and more */
const ASYMMETRY = 1e-8;
/** Points of the check, on the manifold and off it in turn */
const POINTS = 6;

/**
 * Taylor slopes at three points on the manifold and three off it; if one fails, the mistake. `on`: the manifold, as `minimize` takes it, or
 * a constraint with E the engine of its algebra; left out: XᵀX = I
 */
export function checkDerivatives<P extends View = Tall>(
  E: Engine,
  f: Objective | UserObjective<P> | Formula,
  options: { seed?: number; on?: Manifold<P> | Constraint } = {},
): DerivativeCheck {
  const { seed = 1, on } = chosenOptions("checkDerivatives", options, { seed: integer, on: anything });
  if (on !== undefined && !isConstraint(on)) {
    requireManifold("on", on);
    const bound = on.bind(E);
    return checkOn(bound.E, objectiveOn(bound, f as UserObjective<P> | Formula), bound.on, seed);
  }
  const { n, p } = Object(f) as Objective;
  const wrong = on === undefined && wrongSizes(n, p);
  if (wrong) throw new RangeError(`checkDerivatives without on: ${wrong}`);
  return checkOn(E, f as Objective, on ?? stiefelConstraint(E, n, p), seed);
}

const isConstraint = (on: unknown): on is Constraint => typeof on === "object" && on !== null && "dissolver" in on;

function checkOn(E: Engine, f: Objective, on: Constraint, seed: number): DerivativeCheck {
  const hasHessian = f.hvp !== undefined || f.linearize !== undefined;
  const points: PointCheck[] = [];
  const check = pointChecker(E, f, on, seed);
  for (let i = 0; i < POINTS; i++) {
    const failure = check(i, points);
    if (!failure) continue;
    const { text, ...more } = failure;
    return { passed: false, text, hasHessian, points, ...more };
  }
  const what = hasHessian ? "gradient and Hessian-vector product are" : "the gradient is";
  const text = `Derivatives are right: ${what} consistent with f at ${points.length} points, on and off the manifold.`;
  return { passed: true, text, hasHessian, points };
}

type Failure = Pick<DerivativeCheck, "text" | "mistake" | "suspect">;

/** The check of point i, on the manifold for even i and off it for odd ones: adds its slopes to `points`, returns a failure. */
function pointChecker(
  E: Engine,
  f: Objective,
  manifold: Constraint,
  seed: number,
): (i: number, points: PointCheck[]) => Failure | undefined {
  const { n, p } = f;
  const [D, D2, Y] = [E.tall(n, p), E.tall(n, p), E.tall(n, p)];
  const [G, H, H2] = [E.tall(n, p), E.tall(n, p), E.tall(n, p)];

  return (i, points) => {
    const on = i % 2 === 0;
    const X = randomPoint({ E, on: manifold }, seed + i);
    const r = random(seed + i, "check");
    unitNormal(E, D2, r);
    if (!on) E.combine(X, 0.7, D2, 1, X);
    unitNormal(E, D, r);
    const violation = i === 0 ? contractViolation(E, f, X) : undefined;
    if (violation) return { text: violation.text, mistake: violation.name };
    f.fg(G, X);
    const hessian = hessianAt(f, X);
    hessian?.(H, D);
    const point: PointCheck = { on, ...taylorSlopes(E, f, X, D, Y, G, hessian && H) };
    points.push(point);
    if (!point.gradient.passed) return gradientFailure(X, point);
    return hessian && hessianFailure(X, point);
  };

  function gradientFailure(X: Tall, { on, gradient: { slope } }: PointCheck): Failure {
    const suspect = { of: "gradient" as const, ...worstGradientEntry(E, f, X, G, seed) };
    const mistake = on ? nameGradientMistake(E, f, X, G, seed, manifold) : undefined;
    const cause = mistake ? `; ${mistake.text}` : "";
    const text = `The gradient is wrong ${where(on)}: Taylor slope ${slope.toFixed(2)} instead of 2; ${describeEntry(suspect)}${cause}.`;
    return { text, suspect, ...(mistake && { mistake: mistake.name }) };
  }

  /** H = ∇²f(X)[D] fails by its symmetry or its slope */
  function hessianFailure(X: Tall, point: PointCheck): Failure | undefined {
    hessianAt(f, X)!(H2, D2);
    const scale = Math.sqrt(E.dot(H, H)) + Math.sqrt(E.dot(H2, H2));
    point.asymmetry = scale === 0 ? 0 : Math.abs(E.dot(D2, H) - E.dot(D, H2)) / scale;
    if (!(point.asymmetry <= ASYMMETRY)) {
      const text = `The Hessian is not symmetric: ⟨E, H[D]⟩ and ⟨D, H[E]⟩ differ by ${digits(point.asymmetry, 6)} of their size.`;
      return { text, mistake: "asymmetric" };
    }
    const { passed, slope } = point.hessian!;
    if (passed) return undefined;
    const suspect = { of: "hessian" as const, ...worstHessianEntry(E, f, X, D, H) };
    const order = `Taylor slope ${slope.toFixed(2)} instead of 3`;
    return {
      text: `The Hessian-vector product is wrong ${where(point.on)}: ${order}; ${describeEntry(suspect)}.`,
      suspect,
    };
  }
}

const where = (on: boolean): string => (on ? "on the manifold" : "off the manifold (f must be smooth there too)");

function unitNormal(E: Engine, D: Tall, r: ReturnType<typeof random>): void {
  E.write(D, r.normal);
  E.combine(D, 1 / Math.sqrt(E.dot(D, D)), D, 0, D);
}
