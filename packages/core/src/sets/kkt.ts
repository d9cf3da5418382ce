import type { Engine, Tall } from "@expen/linalg";
import { digits } from "@expen/linalg";
import { curvatureAt } from "../certify/curvature.js";
import { measurer } from "../certify/measure.js";
import type { Certificate, Curvature, Escape, Measured } from "../contracts/certificate.js";
import type { Constraint } from "../contracts/constraint.js";
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
  readonly escape?: Escape;
}

/** Active constraints whose gradients are made orthonormal; more of them cost more than a run. */
const MOST_ACTIVE = 400;
/** Evaluations that second order may take however short the run */
const LEAST_BUDGET = 16;
/** Θ of a g next to 0 that is to add nothing to L near X */
const WEAK = -1;

/**
 * The certificate of Karush, Kuhn and Tucker: λ ≥ 0 by its form, ‖P_X(∇f + J_gᵀλ + J_hᵀμ)‖ ≤ tol from `first`, g ≤ tol, |h| ≤ tol and
 * |min(−g, λ)| ≤ tol. Second order: the Hessian of the Lagrangian has no negative curvature on the tangent vectors orthogonal to the
 * gradients of the active constraints with multipliers above 0, among which all critical directions are [Nocedal and Wright, Thm. 12.6].
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
  const { text, escape: direction, ...second } = secondOrder(at, request);
  const isShown = second.level === "second-order";
  const kkt = certificateOf({ ...second, text: isShown ? `${text}; ${stationary}` : `${stationary}; ${text}` });
  return direction ? { ...kkt, escape: direction } : kkt;
}

interface SecondOrder {
  readonly level: string;
  readonly text: string;
  readonly curvature?: Curvature;
  /** a direction along the active constraints in which L falls */
  readonly escape?: Escape;
}

/** The level that the curvature along the active constraints gives a KKT point, in words */
export function secondOrder(
  { E, on, L, blocks, X, unit }: Omit<At, "r">,
  request: Pick<Request, "constraintTolerance" | "budget" | "isThorough" | "usual" | "seed">,
): SecondOrder {
  const { constraintTolerance, budget, isThorough, usual, seed } = request;
  const missing = (text: string) => ({ level: "stationary", text: `second order is not shown: ${text}` });
  if (on.traits.metric) return missing(`on ${on.name} it is not implemented`);
  const depth = budget !== undefined ? "strict" : isThorough ? "thorough" : "brief";
  if (budget !== undefined && budget < 1) return missing(`certificateBudget is ${budget}`);
  const x = pointOf(E, on)(X);
  const run = depth === "brief" ? { evaluations: usual, certificates: 0 } : undefined;
  const allowed = { evaluations: budget ?? Math.max(usual, LEAST_BUDGET), depth, spent: 0, run } as const;
  const least = constraintTolerance * Math.min(1, unit);
  const active = activeConstraints(E, blocks, X, (Z) => on.dissolver.tangent(Z, x), {
    rho: L.rho,
    tolerance: constraintTolerance,
    least,
    most: MOST_ACTIVE,
  });
  if (!active) return missing(`more than ${MOST_ACTIVE} constraints are active`);
  const face = faceOf(E, on, active);
  // a small ρ: its terms vanish on the face, but not their roundoff
  L.f(X);
  useSmallPenalty(L, blocks, { unit, least });
  const ruler = measurer(E, L, undefined, on);
  const measures = ruler.measureAt(x);
  const point: Measured = { ...x, R: ruler.R, S: ruler.S, lambda: on.dissolver.eigenvalues(ruler.S), measures };
  const { curvature, verdict, text, escape: direction } = curvatureAt(E, L, face, point, allowed, seed);
  const { count, weak } = active;
  const many =
    weak > 0
      ? `${count} active constraints, ${weak} of them with multipliers next to 0`
      : `${count} active constraints`;
  const words = count > 0 ? `with ${many}, ${text}` : text;
  if (verdict === "shown") return { level: "second-order", text: `second-order point: ${words}`, curvature };
  // of a weak constraint the direction may lead outside
  const isOpen = verdict === "saddle" && weak > 0;
  const open = isOpen ? missing(words.replace("not a minimum: ", "")) : { level: "stationary", text: words };
  return { ...open, curvature, ...(direction && { escape: direction }) };
}

/** λ as it is, with the shifts of a ρ no larger than the unit; constraints with a multiplier next to 0 count no more. */
function useSmallPenalty(
  L: Lagrangian,
  blocks: readonly Block[],
  { unit, least }: { unit: number; least: number },
): void {
  const rho = Math.min(L.rho, unit);
  for (const { E, kind, shifts, changes } of blocks) {
    // Θ' + g = λ/ρ' with g = V where λ > 0
    for (const [k, theta] of shifts.entries()) {
      const V = E.read(changes[k]!);
      const shiftOf = (t: number, v: number): number => {
        const lambda = L.rho * (t + v);
        if (kind === "equal" || lambda > least) return lambda / rho - v;
        return v > -t ? WEAK : 0;
      };
      E.write(
        theta,
        E.read(theta).map((t, i) => shiftOf(t, V[i]!)),
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
