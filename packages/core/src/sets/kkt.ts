import type { Engine, Tall } from "@expen/linalg";
import { digits } from "@expen/linalg";
import { briefBudget } from "../certify/budget.js";
import { curvatureAt, LEAST } from "../certify/curvature.js";
import { measurer } from "../certify/measure.js";
import type { Certificate, Measured } from "../contracts/certificate.js";
import type { Constraint } from "../contracts/constraint.js";
import { multiplierEigenvalues } from "../manifolds/multiplier.js";
import { pointOf } from "../manifolds/point.js";
import { type Active, activeConstraints } from "./active.js";
import type { Block, Residuals } from "./block.js";
import type { Lagrangian } from "./lagrangian.js";

export interface At {
  readonly E: Engine;
  readonly on: Constraint;
  readonly L: Lagrangian;
  readonly blocks: readonly Block[];
  readonly X: Tall;
  readonly r: Residuals;
  /** the size of ∇f */
  readonly unit: number;
}

export interface Request {
  readonly constraintTolerance: number;
  readonly secondOrder: boolean;
  /** evaluations that the user allows, those of the run, and a counter of those since */
  readonly budget: number | undefined;
  readonly isThorough: boolean;
  readonly usual: number;
  used(): number;
  readonly seed: number;
}

/** The certificate with f and the multipliers of the point, read before the shifts change */
interface Kkt {
  readonly certificate: Certificate;
  readonly fval: number;
  readonly multipliers: Float64Array[];
  readonly penalty: number;
}

/** Active constraints whose gradients are made orthonormal; more of them cost more than a run. */
const MOST_ACTIVE = 400;

/**
 * The certificate of Karush, Kuhn and Tucker: λ ≥ 0 by its form, ‖P_X(∇f + J_gᵀλ + J_hᵀμ)‖ ≤ tol from `first`, g ≤ tol, |h| ≤ tol and
 * |min(−g, λ)| ≤ tol. Second order: the Hessian of the Lagrangian has no negative curvature on the tangent vectors orthogonal to the
 * gradients of the active constraints, where these have multipliers above the tolerance [Nocedal and Wright, Thm. 12.6].
 */
export function kktCertificate(at: At, first: Certificate, request: Request): Kkt {
  const { L, blocks, r } = at;
  const { constraintTolerance: tolerance } = request;
  const began = performance.now();
  const known = {
    fval: L.last.f,
    multipliers: blocks.map((block) => block.multipliers(L.rho)),
    penalty: L.rho,
  };
  const residual = `violation ${digits(r.violation)}, complementarity ${digits(r.complementarity)}`;
  const { curvature: _, ...common } = first as Certificate & { curvature?: unknown };
  const certificateOf = (verdict: object): Kkt => ({
    ...known,
    certificate: {
      ...common,
      ...verdict,
      evaluations: { f: request.used(), grad: request.used(), hvp: 0 },
      seconds: first.seconds + (performance.now() - began) / 1000,
    } as Certificate,
  });
  if (!(r.violation <= tolerance)) {
    return certificateOf({
      level: "none",
      text: `X violates the constraints: ${residual}, above ${digits(tolerance)}`,
    });
  }
  if (first.level === "none") return certificateOf({ level: "none", text: `${first.text}; ${residual}` });
  if (!(r.complementarity <= tolerance)) {
    return certificateOf({ level: "none", text: `X is feasible, its multipliers are not complementary: ${residual}` });
  }
  const stationary = `KKT point: ${first.text.replace(/^stationary: (Riemannian gradient)/, "$1 of the Lagrangian")}, ${residual}`;
  if (!request.secondOrder) return certificateOf({ level: "stationary", text: stationary });
  const { text, ...second } = secondOrder(at, request);
  const isShown = second.level === "second-order";
  return certificateOf({ ...second, text: isShown ? `${text}; ${stationary}` : `${stationary}; ${text}` });
}

/** The level that the curvature along the active constraints gives a KKT point, in words */
export function secondOrder(
  { E, on, L, blocks, X, unit }: Omit<At, "r">,
  request: Pick<Request, "constraintTolerance" | "budget" | "isThorough" | "usual" | "seed">,
): { level: string; text: string; curvature?: object } {
  const { constraintTolerance, budget, isThorough, usual, seed } = request;
  const missing = (text: string) => ({ level: "stationary", text: `second order is not shown: ${text}` });
  if (on.traits.metric) return missing(`on ${on.name} it is not implemented`);
  const depth = budget !== undefined ? "strict" : isThorough ? "thorough" : "brief";
  const evaluations = budget ?? (isThorough ? usual : briefBudget(usual));
  if (evaluations < LEAST) return missing(`certificateBudget is ${budget}`);
  const x = pointOf(E, on)(X);
  const active = activeConstraints(E, blocks, X, (Z) => on.dissolver.tangent(Z, x), {
    rho: L.rho,
    tolerance: constraintTolerance,
    most: MOST_ACTIVE,
  });
  if (!active) return missing(`more than ${MOST_ACTIVE} constraints are active`);
  if (!(active.leastMultiplier > constraintTolerance)) {
    return missing(`an active constraint has the multiplier ${digits(active.leastMultiplier)}, next to 0`);
  }
  const face = faceOf(E, on, active);
  // a small ρ: its terms vanish on the face, but not their roundoff
  L.f(X);
  useSmallPenalty(L, blocks, unit);
  const ruler = measurer(E, L, undefined, on);
  const measures = ruler.measureAt(x);
  const point: Measured = { ...x, R: ruler.R, S: ruler.S, lambda: multiplierEigenvalues(E, on, ruler.S), measures };
  const { curvature, verdict, text } = curvatureAt(E, L, face, point, { evaluations, depth, spent: 0 }, seed);
  const words = active.count > 0 ? `with ${active.count} active constraints, ${text}` : text;
  return verdict === "shown"
    ? { level: "second-order", text: `second-order point: ${words}`, curvature }
    : { level: "stationary", text: words, curvature };
}

/** λ as it is, with the shifts of a ρ no larger than the unit */
function useSmallPenalty(L: Lagrangian, blocks: readonly Block[], unit: number): void {
  const rho = Math.min(L.rho, unit);
  for (const { E, shifts, changes } of blocks) {
    // Θ' + g = λ/ρ' with g = V where λ > 0
    for (const [k, theta] of shifts.entries()) {
      const V = E.read(changes[k]!);
      E.write(
        theta,
        E.read(theta).map((t, i) => (t + V[i]! === 0 ? 0 : (L.rho * (t + V[i]!)) / rho - V[i]!)),
      );
    }
  }
  L.rho = rho;
}

/** The manifold with its tangent vectors restricted to those orthogonal to the active gradients */
function faceOf(E: Engine, on: Constraint, { basis }: Active): Constraint {
  const { parts: _p, quotient: _q, ...traits } = on.traits;
  return {
    ...on,
    dimension: on.dimension - basis.length,
    traits,
    dissolver: {
      ...on.dissolver,
      tangent(Z, x, S) {
        on.dissolver.tangent(Z, x, S);
        for (const Q of basis) E.combine(Z, 1, Z, -E.dot(Q, Z), Q);
      },
    },
  };
}
