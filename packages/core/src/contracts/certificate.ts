import type { Engine, Small, Tall } from "@expen/linalg";
import type { Spectrum } from "../certify/offered-spectrum.js";
import type { PenaltyEstimates } from "../expen/estimates.js";
import type { Constraint } from "./constraint.js";
import type { Measurer, Measures } from "./measures.js";
import type { Evaluations, Objective, Term } from "./objective.js";
import type { Point } from "./point.js";

/** The strongest statement that a certificate shows */
export type CertificateLevel = Certificate["level"];

/** Bounds of the smallest eigenvalue λmin of the Riemannian Hessian D ↦ P_X(∇²f[D] − D·S). */
export interface Curvature {
  /** the smallest Ritz value: λmin is at most this */
  readonly lowest: number;
  /** λmin is at least this with the given probability; absent without a bound */
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

/** The strongest statement with a proof. f(X) − min f is at most `gapBound`. */
export type Verdict = {
  /** the statement and its proof, in words */
  readonly text: string;
} & (
  | { readonly level: "none"; readonly curvature?: undefined }
  | { readonly level: "stationary"; readonly curvature?: Curvature }
  | { readonly level: "second-order"; readonly curvature: Curvature }
  | { readonly level: "global"; readonly gapBound: number; readonly curvature?: Curvature }
);

/** The strongest statement that was shown of X, from f and X alone: its `level`, `text` says how */
export type Certificate = Verdict &
  PenaltyEstimates & {
    /** extreme eigenvalues of the multiplier S = sym(Xᵀ∇f) */
    readonly multiplier: { readonly lowest: number; readonly highest: number };
    /** calls of the user's functions for the certificate alone, of all rounds of a run */
    readonly evaluations: Evaluations;
    /** wall time of the certificate alone, of all rounds of a run */
    readonly seconds: number;
  };

/** Evaluations of a run, and those of its certificates so far */
export interface RunBefore {
  readonly evaluations: number;
  readonly certificates: number;
}

/** How far a certificate goes, and at what cost */
export interface CertifyOptions {
  /** left out: XᵀX = I */
  on?: Constraint;
  /** stationarity up to this counts as stationary */
  tolerance: number;
  /** the known minimum */
  optimum?: number | undefined;
  /** include second order (needs Hessian-vector products, exact or by differences) */
  secondOrder?: boolean;
  /** all curvatures where these cost little, otherwise as many products as bound them by −0.1·scale */
  thorough?: boolean;
  /** evaluations that may be spent beside measuring; a strict limit */
  budget?: number | undefined;
  /** the limit without a budget, 60 if left out; a thorough certificate may exceed it */
  usual?: number;
  /** the run before, of which second order may take a quarter; left out: as much as the limit allows */
  run?: RunBefore | undefined;
  /** flops of the run so far: a proof may take as many, or PROOF_FLOPS */
  flops?: number;
  /** β of plain ExPen where the run ended */
  beta?: number | undefined;
  /** ‖∇h‖ where the run ended, before the projection */
  penaltyGradient?: number | undefined;
  /** of the random vectors; 1 if left out */
  seed?: number;
  /** the measurer of the caller */
  measurer?: Measurer;
  /** its measures at X, if its last point was X */
  measures?: Measures;
  /** of the multiplier S at X, where a factorization gave it; it is checked against S */
  spectrum?: Spectrum | undefined;
  /** a term beside f: then only the first-order condition is certified */
  nonsmooth?: Term | undefined;
  /** the counter of evaluations; one counter adds up several certificates */
  evaluations?: Evaluations;
}

/** A certificate, the measures of its point, and at a saddle a way to leave it */
export interface Outcome {
  readonly measures: Measures;
  readonly certificate: Certificate;
  readonly escape?: Escape;
}

/** A direction of negative curvature at X, to leave a saddle along it. */
export type Escape = (V: Tall) => void;

/** f(X) − min f ≤ gapBound with its reason in words; or a reason why there is no proof, if it helps the user. */
export type Proof = { readonly gapBound: number; readonly because: string } | { readonly missing: string } | undefined;

/** The cost that a proof may have */
export interface Allowance {
  /** calls of f's functions */
  readonly evaluations: number;
  /** operations of the run so far */
  readonly flops: number;
}

/** Tries to prove that a stationary X with XᵀX = I is a global minimiser of f. */
export type Prover = (E: Engine, f: Objective, point: Measured, allowance: Allowance) => Proof;

/** A point with its measures: R = ∇f − BX·S, S = sym(Xᵀ∇f), the eigenvalues of S ascending */
export interface Measured extends Point {
  readonly R: Tall;
  readonly S: Small;
  readonly lambda: Float64Array;
  readonly measures: Measures;
}
