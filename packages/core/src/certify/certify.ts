import type { Engine, Tall } from "@expen/linalg";
import { digits } from "@expen/linalg";
import type {
  Certificate,
  CertifyOptions,
  Escape,
  Measured,
  Outcome,
  Proof,
  Prover,
  Verdict,
} from "../contracts/certificate.js";
import type { Measures } from "../contracts/measures.js";
import type { Objective } from "../contracts/objective.js";
import { penaltyEstimates } from "../expen/estimates.js";
import { pointOf } from "../manifolds/point.js";
import { stiefelConstraint } from "../manifolds/stiefel.js";
import { roundingOf } from "../manifolds/violation.js";
import { counted, noEvaluations } from "../objective/evaluator.js";
import { closedFormProof } from "./closed-form.js";
import { convexProof } from "./convex.js";
import { curvatureAt } from "./curvature.js";
import { linearProof } from "./linear.js";
import { measurer } from "./measure.js";
import { upperEigenvalues } from "./offered-spectrum.js";

/** Evaluations of a certificate without a run before it and without a budget */
const USUAL = 60;

/**
 * The certificate of X, from f and X alone (docs/certificates.md has the theorems). With S = sym(Xᵀ∇f), R = ∇f − XS:
 *
 * - stationary: ‖XᵀX − I‖ and ‖R‖ are small;
 * - second-order: λmin ≥ −0.1·scale with a probability, and no negative Ritz value;
 * - global: f(X) − f* ≤ gapBound is proved, for convex f with S ⪯ 0, for linear f, by one of the `provers`, or by a closed form.
 */
export function certify(
  E: Engine,
  user: Objective,
  X: Tall,
  options: CertifyOptions,
  provers: readonly Prover[] = [],
): Outcome {
  const {
    on = stiefelConstraint(E, user.n, user.p),
    tolerance,
    optimum,
    secondOrder = true,
    thorough = false,
    budget,
    usual = USUAL,
    run,
    flops = 0,
    beta,
    penaltyGradient,
    seed = 1,
    nonsmooth,
    evaluations = noEvaluations(),
    measurer: own,
    measures: knownMeasures,
    spectrum,
  } = options;
  const began = performance.now();
  const f = counted(user, evaluations);
  const { p } = f;
  const ruler = own ?? measurer(E, f, nonsmooth, on);
  const x = pointOf(E, on)(X);
  const measures = knownMeasures ?? ruler.measureAt(x);
  const { fval, feasibility, stationarity } = measures;
  let multiplier = { lowest: Number.NaN, highest: Number.NaN };
  const certificateOf = (
    verdict: Verdict,
    direction?: Escape,
  ): { measures: Measures; certificate: Certificate; escape?: Escape } => ({
    measures,
    certificate: {
      ...verdict,
      multiplier,
      ...(beta !== undefined && penaltyEstimates(multiplier.highest, beta, penaltyGradient)),
      evaluations: { ...evaluations },
      seconds: (performance.now() - began) / 1000,
    },
    ...(direction && { escape: direction }),
  });

  if (!Number.isFinite(fval + stationarity)) {
    return certificateOf({ level: "none", text: `f or its gradient is not finite at X (f = ${fval})` });
  }
  const residual = `${on.traits.orthonormal ? "‖XᵀX − I‖" : "‖K(X)‖"} = ${digits(feasibility)}`;
  const lambda = (spectrum && upperEigenvalues(E, ruler.S, spectrum)) ?? on.dissolver.eigenvalues(ruler.S);
  multiplier = { lowest: lambda[0]!, highest: lambda[lambda.length - 1]! };
  if (!(feasibility <= Math.max(1e-10 * Math.sqrt(p), on.traits.metric ? roundingOf(E, on, x) : 0))) {
    return certificateOf({ level: "none", text: `X is not feasible: ${residual}` });
  }
  if (!(stationarity <= tolerance)) {
    const gradient = `Riemannian gradient ${digits(stationarity)} > ${digits(tolerance)}`;
    return certificateOf({ level: "none", text: `X is feasible but not stationary: ${gradient}` });
  }
  const measure = nonsmooth ? "proximal step in the tangent space" : "Riemannian gradient";
  const stationary = `stationary: ${measure} ${digits(stationarity)}, ${residual}`;
  if (nonsmooth) return certificateOf({ level: "stationary", text: stationary });

  const point: Measured = { ...x, R: ruler.R, S: ruler.S, lambda, measures };
  // the proofs hold for real orthonormal columns
  const convex = f.convex && on.traits.orthonormal ? convexProof(f, point) : undefined;
  if (isProof(convex)) return globalMinimum(convex);
  const linear = f.quadratic && linearProof(E, f, on, point);
  if (isProof(linear)) return globalMinimum(linear);
  if (!secondOrder) return certificateOf({ level: "stationary", text: stationary });
  const singular = on.traits.singularity?.(X);
  if (singular) return certificateOf({ level: "stationary", text: `${stationary}; ${singular}` });

  const before = evaluations.f + evaluations.hvp;
  const used = (): number => evaluations.f + evaluations.hvp - before;
  const left = (): number => (budget ?? usual) - used();
  let missing = "";
  for (const prove of on.traits.orthonormal ? provers : []) {
    const proof = prove(E, f, point, { evaluations: left(), flops });
    if (isProof(proof)) return globalMinimum(proof);
    if (proof && "missing" in proof) missing += `; ${proof.missing}`;
  }

  const N = on.dimension;
  if (budget !== undefined && left() < 1 && N > 0) {
    const text = `${stationary}; certificateBudget ${budget} leaves nothing for second order${missing}`;
    return certificateOf({ level: "stationary", text });
  }
  const depth = budget !== undefined ? "strict" : thorough ? "thorough" : "brief";
  const allowed = { depth, evaluations: left(), spent: used(), run } as const;
  const second = curvatureAt(E, f, on, point, allowed, seed);
  const { curvature, verdict } = second;
  if (verdict === "saddle") {
    return certificateOf({ level: "stationary", text: `${stationary}; ${second.text}`, curvature }, second.escape);
  }
  const closed = optimum === undefined ? undefined : closedFormProof(f, point, optimum, curvature);
  if (isProof(closed)) return globalMinimum(closed, curvature);
  const also = `${missing}${closed ? `; ${closed.missing}` : ""}`;
  return verdict === "shown"
    ? certificateOf({
        level: "second-order",
        text: `second-order point: ${second.text}; ${stationary}${also}`,
        curvature,
      })
    : certificateOf({ level: "stationary", text: `${stationary}; ${second.text}${also}`, curvature });

  function globalMinimum({ gapBound, because }: GapBound, curvature?: Certificate["curvature"]) {
    const text = `global minimum: ${because}, so f − f* ≤ ${digits(gapBound)}; ${stationary}`;
    return certificateOf({ level: "global", text, gapBound, ...(curvature && { curvature }) });
  }
}

type GapBound = Extract<Proof, { gapBound: number }>;
const isProof = (proof: Proof): proof is GapBound =>
  proof !== undefined && "gapBound" in proof && Number.isFinite(proof.gapBound);
