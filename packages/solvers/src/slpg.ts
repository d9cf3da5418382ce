import type { Constraint, Evaluations, Objective, Solver } from "@expen/core";
import { paperBeta } from "@expen/core/expen";
import { trialRay } from "@expen/core/methods";
import type { Engine, Tall } from "@expen/linalg";
import { augmented, tangentField } from "./augmented.js";
import { barzilaiBorwein } from "./barzilai-borwein/barzilai-borwein.js";
import { restoring } from "./restoring.js";
import { tolerant } from "./search/tolerant.js";

export interface SlpgOptions {
  /** where X lives; left out: XᵀX = I */
  on?: Constraint;
  evaluations?: Evaluations;
}

/**
 * SLPG, the sequential linearised proximal gradient method [Liu, Xiao, Yuan, J. Sci. Comput. 99, 2024; arXiv:2103.03514], for smooth f:
 * a tangential step, then a normal one,
 *
 *     X₊ = N(X − η·(∇f − X·S)),   N(Z) = Z(3/2·I − ½ZᵀZ) where ‖ZᵀZ − I‖ < ½, else 2Z(I + ZᵀZ)⁻¹,
 *
 * without a penalty parameter: K converges to 0 quadratically. Departures: the paper has the first formula of N alone and applies it once;
 * here N is repeated while ‖ZᵀZ − I‖ > 0.1, as X may lose rank otherwise. η follows the Barzilai–Borwein rule "cyclic" and passes
 * search/tolerant.ts.
 */
export function slpg(E: Engine, f: Objective, X0: Tall, { on, evaluations }: SlpgOptions = {}): Solver {
  const scale = 10 * paperBeta(E, f, X0);
  const h = augmented(E, f, scale, tangentField, on);
  const ray = trialRay(E, h, restoring(E, f.n, f.p, { above: 0, below: 0.1, on }), X0, evaluations);
  const { S, on: constraint } = h.parts;
  return barzilaiBorwein(E, {
    rule: "cyclic",
    search: tolerant(),
    first: (dnorm) => 0.01 / (dnorm + scale),
    warmup: 3,
    max: 1e10,
    limit: (dnorm) => constraint.longestStep / dnorm,
    // the field does not contain K; the projection at the end removes K and changes the gradient by about ‖S‖₂·‖K‖
    stateNorm: (dd) => Math.hypot(Math.sqrt(dd), Math.sqrt(E.dot(S, S) / f.p) * h.feasibility),
  })(ray);
}
