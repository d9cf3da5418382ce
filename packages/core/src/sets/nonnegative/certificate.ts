import { digits } from "@expen/linalg";
import type { Certificate } from "../../contracts/certificate.js";
import type { Objective } from "../../contracts/objective.js";
import { noEvaluations } from "../../objective/evaluator.js";
import { faceOf, secondOrder } from "../kkt.js";
import { lagrangian } from "../lagrangian.js";
import type { Setup } from "../setup.js";
import type { Exchange, Vertex } from "./exchange.js";
import type { Size } from "./labels.js";
import { isLinear } from "./linear.js";
import { globalProof, type Proof } from "./proof.js";
import { supportOf } from "./support.js";

interface End {
  readonly setup: Setup;
  /** f as its author declares it */
  readonly f: Objective;
  readonly size: Size;
  readonly at: Vertex;
  readonly labels: Int32Array;
  readonly tried: Pick<Exchange, "tried" | "all"> | undefined;
}

interface Answer {
  readonly certificate: Certificate;
  readonly stationarity: number;
  readonly feasibility: number;
  readonly multipliers: Float64Array[];
}

/** Violation of ∇f ≥ 0 on zero rows, in the tolerance of the run; a strict local minimum needs more than that */
const NEXT_TO_ZERO = 1;

/**
 * The certificate of an X with one positive entry in a row at most (docs/certificates.md). Near X the feasible set is the product of
 * spheres on its support if no row is zero, and a zero row may take a positive entry in any one column: so first and second order are
 * those on the support, with ∇f ≥ 0 on zero rows. For convex f the global proof comes first.
 */
export function certificateOf({ setup, f, size, at, labels, tried }: End): Answer {
  const { E, tolerance, o, work, unit } = setup;
  const { n, p } = size;
  const began = performance.now();
  const { X, G } = at;
  const feasibility = distanceFromOrthonormal(X, size);
  const { residual: gradient, least, zeros } = conditions(X, G, labels, size);
  const proof = globalProof(X, G, size, feasibility);
  const answer = (certificate: object): Answer => ({
    stationarity: gradient,
    feasibility,
    // of the lower bound, with the sign that multipliers of bounds have
    multipliers: [proof.Lambda.map((x, k) => (X[k]! > 0 || x === 0 ? 0 : -x))],
    certificate: {
      multiplier: { lowest: Number.NaN, highest: Number.NaN },
      evaluations: noEvaluations(),
      seconds: (performance.now() - began) / 1000,
      ...certificate,
    } as Certificate,
  });
  const first = `Riemannian gradient on the support ${digits(gradient)}, X ≥ 0 and ‖XᵀX − I‖ = ${digits(feasibility)}`;
  if (!Number.isFinite(at.f + gradient)) {
    return answer({ level: "none", text: `f or its gradient is not finite at X (f = ${at.f})` });
  }
  if (!(gradient <= tolerance)) {
    return answer({ level: "none", text: `X is feasible but not stationary: ${first} > ${digits(tolerance)}` });
  }
  if (isProof(proof, f, setup)) {
    const because = `f is convex and the dual matrix S = √d√dᵀ fits, so f − f* ≤ ${digits(proof.gapBound)}`;
    const text = `global minimum: ${because}; ${first}`;
    return answer({ level: "global", gapBound: proof.gapBound, text });
  }
  if (zeros > 0 && !(least >= -NEXT_TO_ZERO * tolerance)) {
    const because = `f falls where a zero row becomes positive, by the derivative ${digits(least)}`;
    const text = `X is no local minimum: ${because}; ${first}`;
    return answer({ level: "none", text });
  }
  const duals = zeros > 0 ? `, ∇f ≥ ${digits(least)} on ${zeros} zero rows` : "";
  const moves = tried && tried.tried > 0 ? `; none of ${tried.tried} moves of single rows lowers f` : "";
  const stationary = `stationary: ${first}${duals}${moves}`;
  const isStrict = zeros === 0 || least > tolerance;
  if (o.certificate === "stationary" || !isStrict) {
    const open = isStrict ? "" : "; a zero row has a derivative next to 0, so second order is open";
    return answer({ level: "stationary", text: stationary + open });
  }
  const before = work.evaluations.f;
  const support = supportOf(setup, labels, size);
  const L = lagrangian(E, support.f, []);
  const Z = E.tall(n, p, X);
  L.f(Z);
  const onSupport = { E, on: support.on, L, blocks: [], X: Z, unit };
  const { escape: _, ...second } = secondOrder(onSupport, faceOf(onSupport, tolerance), {
    isThorough: o.certificate === "second-order",
    budget: o.certificateBudget,
    usual: before,
    seed: o.seed ?? 1,
  });
  const { f: total } = work.evaluations;
  const evaluations = { f: total - before, grad: total - before, hvp: 0 };
  const isShown = second.level === "second-order";
  return answer({
    ...second,
    evaluations,
    text: isShown ? `${second.text}; ${stationary}` : `${stationary}; ${second.text}`,
  });
}

/** Whether f is convex and the dual matrices of the proof fit to the tolerance */
export function isProof({ residual, gapBound }: Proof, f: Objective, { E, tolerance }: Setup): boolean {
  if (!(f.convex === true || isLinear(E, f))) return false;
  return residual <= tolerance && gapBound <= 2 * Math.sqrt(f.p) * tolerance;
}

/** ‖∇f − X·diag(d)‖ on the support, and the least derivative and number of zero rows */
function conditions(
  X: Float64Array,
  G: Float64Array,
  labels: Int32Array,
  { p }: Size,
): { residual: number; least: number; zeros: number } {
  const d = new Float64Array(p);
  for (const [k, x] of X.entries()) d[k % p]! += x * G[k]!;
  let [squares, least, zeros] = [0, Number.POSITIVE_INFINITY, 0];
  for (const [i, j] of labels.entries()) {
    if (j >= 0) {
      const k = i * p + j;
      squares += (G[k]! - X[k]! * d[j]!) ** 2;
      continue;
    }
    zeros++;
    for (let k = i * p; k < i * p + p; k++) least = Math.min(least, G[k]!);
  }
  return { residual: Math.sqrt(squares), least, zeros };
}

/** ‖XᵀX − I‖_F of an X whose columns have disjoint supports: lengths alone */
function distanceFromOrthonormal(X: Float64Array, { p }: Size): number {
  const squares = new Float64Array(p);
  for (const [k, x] of X.entries()) squares[k % p]! += x * x;
  return Math.hypot(...squares.map((s) => s - 1));
}
