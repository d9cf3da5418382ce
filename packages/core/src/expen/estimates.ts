/**
 * What the theorems of [Xiao, Liu 2024] say of a point in numbers; K = XᵀX − I, g = f∘A, S = sym(Xᵀ∇f), and over Ω = {‖X‖₂ ≤ 13/12}
 *
 *     M₀ = sup f − inf f,   M₁ = sup ‖∇f(A(X))‖,   M₂ = the Lipschitz constant of ∇g,   β̄ = max{12·M₁, 6·M₂}.
 *
 * Constants that are misprinted there are right here; docs/paper.md lists them.
 */

/**
 * Lemma 3.4, Lemma 3.5 and Theorem 3.6 with their exact value: at a feasible stationary point ∇²h has the eigenvalues of the Riemannian
 * Hessian of f along the manifold and 2β − 3/2·(λ_i + λ_j), i ≤ j, across it, λ the eigenvalues of S. (The paper: at least 2β − M₂.)
 */
export const normalCurvature = (beta: number, lambdaI: number, lambdaJ: number = lambdaI): number =>
  2 * beta - 1.5 * (lambdaI + lambdaJ);

/** β must exceed this, or the stationary point with the largest eigenvalue `highest` of S is no minimiser of h: `normalCurvature` = 0. */
export const leastBeta = (highest: number): number => 1.5 * highest;

/** Theorem 3.1: for β ≥ β̄ a stationary point of h in Ω is feasible, or its smallest singular value is at most this. */
export const spuriousBelow = (M1: number, beta: number): number => Math.sqrt((2 * M1) / beta);

/** Theorem 3.2: for β ≥ β̄ an infeasible stationary point of h in Ω has λmin(∇²h) at or below this. */
export const saddleCurvature = (beta: number): number => -beta / 24;

/**
 * The singular values s of X from the eigenvalues s² − 1 of K. At a stationary point of h each is 1 or 3/2·uᵀGv/β with its singular
 * vectors u, v, as 𝒥(uvᵀ) = 3/2·(1 − s²)uvᵀ: those that are not 1 show that β is too small, and Prop. 2.11 is
 * ‖X‖₂ ≤ max{1, 3/2·M̂₁/β}, M̂₁ = sup ‖∇f(A(X))‖ over all X.
 */
export const singularValues = (ofK: Iterable<number>): number[] =>
  Array.from(ofK, (value) => Math.sqrt(Math.max(0, 1 + value)));

/** Lemma 3.10: ‖∇h(X)‖² ≥ ‖∇g(X)‖² + (2/3·β² − 4βM₁)‖K‖² where ‖K‖ ≤ 1/6 */
export const leastSquaredGradient = (beta: number, M1: number, gradientOfG: number, K: number): number =>
  gradientOfG ** 2 + ((2 / 3) * beta ** 2 - 4 * beta * M1) * K ** 2;

/**
 * Lemma 3.11: ‖∇h(X)‖ ≥ ½‖grad f(𝒫(X))‖ + β/4·‖K‖ where ‖K‖ ≤ 1/6 and β ≥ β̄. Hence ‖∇h‖ bounds the stationarity of the projection and
 * the infeasibility before it, and ‖∇h‖ ≤ ε/2 implies ‖grad f‖ ≤ ε.
 */
export const afterProjection = (gradientOfH: number, beta: number): { stationarity: number; feasibility: number } => ({
  stationarity: 2 * gradientOfH,
  feasibility: (4 * gradientOfH) / beta,
});

/** Prop. 3.12: λmin(Hess f(𝒫(X))) is at least this where ‖K‖ ≤ 1/6 and β ≥ β̄; `change` = ‖∇²g(X) − ∇²g(𝒫(X))‖ */
export const leastCurvature = (ofH: number, change: number, gradientOfH: number): number =>
  ofH - change - 4.5 * gradientOfH;

/**
 * Lemma 4.1: with this β a method from ‖K(X₀)‖ ≤ 1/24 that never exceeds h(X₀), in steps of at most 1/24, stays where ‖K‖ ≤ 1/12. The
 * paper prints 384·M₀; (1/12² − 1/24²)/4 = 1/768.
 */
export const tubeBeta = (M0: number): number => 768 * M0;

/** Estimates of a run on h with a fixed β */
export interface PenaltyEstimates {
  /** whether β was large enough: the smallest normal eigenvalue 2β − 3·λmax(S) of ∇²h (Theorem 3.6), and the β that makes it 0 */
  readonly penalty?: {
    readonly beta: number;
    readonly needed: number;
    readonly normalCurvature: number;
    readonly enough: boolean;
  };
  /** Lemma 3.11: what ‖∇h‖ at the unprojected point guarantees for its projection, where β is at least the theory's β̄ */
  readonly bound?: { readonly stationarity: number; readonly feasibility: number };
}

/** The estimates of a run that ended with ‖∇h‖ = `gradientOfH`; `highest` = λmax(S) at its projection */
export function penaltyEstimates(
  highest: number,
  beta: number | undefined,
  gradientOfH: number | undefined,
): PenaltyEstimates {
  if (beta === undefined || Number.isNaN(highest)) return {};
  const curvature = normalCurvature(beta, highest);
  return {
    penalty: { beta, needed: leastBeta(highest), normalCurvature: curvature, enough: curvature > 0 },
    ...(gradientOfH !== undefined && { bound: afterProjection(gradientOfH, beta) }),
  };
}
