import type { Engine, Small, Tall } from "@expen/linalg";
import type { Measurer, Measures } from "../certify/measure.js";
import type { Spectrum } from "../certify/offered-spectrum.js";
import type { PenaltyEstimates } from "../expen/estimates.js";
import type { Constraint } from "./constraint.js";
import type { Evaluations, Objective, Term } from "./objective.js";
import type { Point } from "./point.js";

export type CertificateLevel = Certificate["level"];

/** What is known of the smallest eigenvalue λmin of the Riemannian Hessian D ↦ P_X(∇²f[D] − D·S). */
export interface Curvature {
  /** the smallest Ritz value: λmin is at most this */
  readonly lowest: number;
  /** λmin is at least this with the given probability; absent where nothing is shown yet */
  readonly bound?: number;
  /** of the random start of Lanczos, whatever f is; 1 where the tangent space was exhausted */
  readonly probability?: number;
  /** the largest |Ritz value| */
  readonly scale: number;
  /** an eigenvalue lies within this distance of `lowest` */
  readonly residual: number;
  readonly steps: number;
  /** Hessian-vector products of f itself, not differences of its gradient */
  readonly exact: boolean;
}

/** The strongest statement that is shown. f(X) − min f is at most `gapBound`. */
export type Verdict = {
  /** what is shown and by what, in words */
  readonly text: string;
} & (
  | { readonly level: "none"; readonly curvature?: undefined }
  | { readonly level: "stationary"; readonly curvature?: Curvature }
  | { readonly level: "second-order"; readonly curvature: Curvature }
  | { readonly level: "global"; readonly gapBound: number; readonly curvature?: Curvature }
);

export type Certificate = Verdict &
  PenaltyEstimates & {
    /** extreme eigenvalues of the multiplier S = sym(Xᵀ∇f) */
    readonly multiplier: { readonly lowest: number; readonly highest: number };
    /** calls of the user's functions for the certificate alone, of all rounds of a run */
    readonly evaluations: Evaluations;
    /** wall time of the certificate alone, of all rounds of a run */
    readonly seconds: number;
  };

export interface CertifyOptions {
  /** where X lives; left out: XᵀX = I */
  on?: Constraint;
  /** stationarity up to this counts as stationary */
  tolerance: number;
  /** the known minimum */
  optimum?: number | undefined;
  /** look at second order (needs Hessian-vector products, exact or by differences) */
  secondOrder?: boolean;
  /** evaluations that may be spent beside measuring, and no more */
  budget?: number | undefined;
  /** evaluations that are spent where no budget is given, 60 if left out; more where they are known to cost little */
  usual?: number;
  /** Lanczos steps within the budget; left out: as many as show a curvature of −0.1·scale, whatever the spectrum */
  lanczosSteps?: number | undefined;
  /** floating-point operations of the run so far: a proof may take as many, or PROOF_FLOPS */
  flops?: number;
  /** β of plain ExPen, ‖∇h‖ and ‖XᵀX − I‖ where the run ended, before the projection */
  beta?: number | undefined;
  penaltyGradient?: number | undefined;
  seed?: number;
  /** to measure with, where the caller has one */
  measurer?: Measurer;
  /** what that measurer found at X, if it was there last */
  measures?: Measures;
  /** of the multiplier S at X, where a factorization gave it; it is checked against S */
  spectrum?: Spectrum | undefined;
  /** a term beside f: then only the first-order condition of the two is looked at */
  nonsmooth?: Term | undefined;
  /** where to count, for who wants to add several certificates up */
  evaluations?: Evaluations;
}

/** A direction of negative curvature at X, to leave a saddle along it. */
export type Escape = (V: Tall) => void;

/** f(X) − min f ≤ gapBound, and why, in words; or why there is no proof, where that is worth a word. */
export type Proof = { readonly gapBound: number; readonly because: string } | { readonly missing: string } | undefined;

/** What a proof may take */
export interface Allowance {
  /** calls of f's functions that are left */
  readonly evaluations: number;
  /** operations of the run so far */
  readonly flops: number;
}

/** Tries to prove that a stationary X with XᵀX = I is a global minimiser of f. */
export type Prover = (E: Engine, f: Objective, point: Measured, allowance: Allowance) => Proof;

/** A point with what was measured there: R = ∇f − BX·S, S = sym(Xᵀ∇f), eigenvalues of S ascending. */
export interface Measured extends Point {
  readonly R: Tall;
  readonly S: Small;
  readonly lambda: Float64Array;
  readonly measures: Measures;
}
