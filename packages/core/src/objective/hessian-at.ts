/** The Hessian of f at one X */

import type { Space, Tall } from "@expen/linalg";
import type { Objective } from "../contracts/objective.js";

/** (H, D) ↦ H ← ∇²f(X)[D] at a fixed X */
export type Hessian = (H: Tall, D: Tall) => void;

/** The Hessian at one X as a function of D: `linearize` where the objective has it, `hvp` otherwise. */
export function hessianAt(f: Objective, X: Tall): Hessian | undefined {
  if (f.linearize) return f.linearize(X);
  const { hvp } = f;
  return hvp && ((H, D) => hvp(H, X, D));
}

/**
 * The Hessian at X by forward differences from the known G = ∇f(X): one gradient for each product,
 *
 *     ∇²f(X)[D] ≈ (∇f(X + tD) − G)/t,   t‖D‖ = √ε_machine·(1 + ‖X‖),
 *
 * whose error is of order √ε_machine.
 */
export function forwardHessian(E: Space, f: Objective, X: Tall, G: Tall): Hessian {
  const Z = E.tall(f.n, f.p);
  const reach = 1.5e-8 * (1 + Math.sqrt(E.dot(X, X)));
  return (H, D) => {
    const norm = Math.sqrt(E.dot(D, D));
    if (norm === 0) return E.fill(H, 0);
    const t = reach / norm;
    E.combine(Z, 1, X, t, D);
    f.fg(H, Z);
    E.combine(H, -1 / t, G, 1 / t, H);
  };
}
