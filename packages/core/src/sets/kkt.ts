import type { Engine, Tall } from "@expen/linalg";
import { digits } from "@expen/linalg";
import { curvatureAt } from "../certify/curvature.js";
import { measurer } from "../certify/measure.js";
import type { Certificate, Curvature, Escape, Measured } from "../contracts/certificate.js";
import type { Constraint } from "../contracts/constraint.js";
import { pointOf } from "../manifolds/point.js";
import { type Active, activeConstraints } from "./active.js";
import { type Block, type Residuals, residuals } from "./block.js";
import { type Face, faceAt } from "./face.js";
import type { Lagrangian } from "./lagrangian.js";
import { leastSquaresMultipliers } from "./least-squares.js";

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
  readonly residuals: Residuals;
  /** ‖grad L‖, where the multipliers are not those of the run */
  readonly stationarity?: number;
  readonly escape?: Escape;
}

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
  const { E, on, L, blocks, X } = at;
  const { constraintTolerance: tolerance } = request;
  const began = performance.now();
  const isFeasible = at.r.violation <= tolerance;
  const ofRun = isFeasible && first.level !== "none" ? faceOf(at, tolerance) : undefined;
  const stationarity = ofRun?.of && leastSquaresMultipliers(E, on, L, blocks, pointOf(E, on)(X), ofRun.of);
  const face = stationarity === undefined ? ofRun : renewed(at, ofRun!, tolerance);
  const r = residuals(blocks, L.rho);
  const known = {
    fval: L.last.f,
    multipliers: blocks.map((block) => block.multipliers(L.rho)),
    penalty: L.rho,
    residuals: r,
    ...(stationarity !== undefined && { stationarity }),
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
  if (!isFeasible) {
    return certificateOf({
      level: "none",
      text: `X violates the constraints: ${residual}, above ${digits(tolerance)}`,
    });
  }
  if (first.level === "none") return certificateOf({ level: "none", text: `${first.text}; ${residual}` });
  if (!(r.complementarity <= tolerance)) {
    return certificateOf({ level: "none", text: `X is feasible, its multipliers are not complementary: ${residual}` });
  }
  const gradient = first.text.replace(/^stationary: (Riemannian gradient)/, "$1 of the Lagrangian");
  const better = stationarity === undefined ? "" : `, ${digits(stationarity)} with multipliers by least squares`;
  const stationary = `KKT point: ${gradient}${better}, ${residual}`;
  if (!request.secondOrder) return certificateOf({ level: "stationary", text: stationary });
  const { text, escape: direction, ...second } = secondOrder(at, face!, request);
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

/** The active constraints with multipliers above 0 at X, and their face; V of the blocks is that of X */
export interface ActiveFace {
  readonly active: Active;
  /** absent where too many gradients would have to be made orthonormal */
  readonly of: Face | undefined;
  readonly least: number;
}

/** `least`: multipliers up to this count as 0. */
export function faceOf({ E, on, L, blocks, X, unit }: Omit<At, "r">, tolerance: number): ActiveFace {
  const least = tolerance * Math.min(1, unit);
  const active = activeConstraints(E, blocks, X, { rho: L.rho, tolerance, least });
  const face = faceAt(E, on, pointOf(E, on)(X), active);
  L.f(X);
  return { active, of: face, least };
}

/** The face again where multipliers by least squares are next to 0: their constraints confine no critical direction. */
function renewed(at: At, known: ActiveFace, tolerance: number): ActiveFace {
  const { E, L, blocks, X } = at;
  const { weak } = activeConstraints(E, blocks, X, { rho: L.rho, tolerance, least: known.least });
  L.f(X);
  return weak > known.active.weak ? faceOf(at, tolerance) : known;
}

/** The level that the curvature along the active constraints gives a KKT point, in words */
export function secondOrder(
  { E, on, L, blocks, X, unit }: Omit<At, "r">,
  { active, of: face, least }: ActiveFace,
  request: Pick<Request, "budget" | "isThorough" | "usual" | "seed">,
): SecondOrder {
  const { budget, isThorough, usual, seed } = request;
  const missing = (text: string) => ({ level: "stationary", text: `second order is not shown: ${text}` });
  const depth = budget !== undefined ? "strict" : isThorough ? "thorough" : "brief";
  if (budget !== undefined && budget < 1) return missing(`certificateBudget is ${budget}`);
  if (!face) {
    const many = `${active.count} constraints are active, too many that are no bounds`;
    return missing(E.ranks ? "rows lie on several processes" : many);
  }
  const x = pointOf(E, on)(X);
  const run = depth === "brief" ? { evaluations: usual, certificates: 0 } : undefined;
  const allowed = { evaluations: budget ?? Math.max(usual, LEAST_BUDGET), depth, spent: 0, run } as const;
  // a small ρ: its terms vanish on the face, but not their roundoff
  useSmallPenalty(L, blocks, { unit, least });
  const ruler = measurer(E, L, undefined, on);
  const measures = ruler.measureAt(x);
  const point: Measured = { ...x, R: ruler.R, S: ruler.S, lambda: on.dissolver.eigenvalues(ruler.S), measures };
  const {
    curvature,
    verdict,
    text,
    escape: direction,
  } = curvatureAt(E, L, { ...on, dimension: face.dimension }, point, allowed, seed, face.project);
  if (!face.isExact()) return missing("the projection to the active constraints is not exact");
  const { count, weak } = active;
  const all = `${count} active constraint${count === 1 ? "" : "s"}`;
  const many = weak > 0 ? `${all}, ${weak} of them with multipliers next to 0` : all;
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
