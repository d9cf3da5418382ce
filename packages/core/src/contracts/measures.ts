import type { Small, Tall } from "@expen/linalg";
import type { Point } from "./point.js";

/** f, feasibility and stationarity at X, the same for every solver */
export interface Measures {
  fval: number;
  /** ‖XᵀX − I‖_F */
  feasibility: number;
  /** ‖∇f − X·S‖_F */
  stationarity: number;
  /** ‖∇f‖_F */
  gradient: number;
}

export interface Measurer {
  readonly R: Tall;
  readonly S: Small;
  /** ‖XᵀX − I‖_F */
  feasibilityOf(X: Tall): number;
  measureAt(x: Point): Measures;
  measure(X: Tall): Measures;
}
