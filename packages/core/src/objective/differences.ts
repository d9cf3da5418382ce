import type { Space, Tall } from "@expen/linalg";
import type { Objective } from "../contracts/objective.js";
import { type Hessian, hessianAt } from "./hessian-at.js";

/** ∛ε_machine: balances truncation t² and rounding ε/t of a central difference */
const BALANCED = Math.cbrt(2 ** -52);

/** (f(X + tD) − f(X − tD))/2t ≈ ⟨∇f(X), D⟩; Y is scratch */
export function centralDifference(E: Space, f: Objective, X: Tall, D: Tall, Y: Tall, t: number = BALANCED): number {
  E.combine(Y, 1, X, t, D);
  const plus = f.f(Y);
  E.combine(Y, 1, X, -t, D);
  return (plus - f.f(Y)) / (2 * t);
}

/** H ← (∇f(X + tD) − ∇f(X − tD))/2t ≈ ∇²f(X)[D]; Y and G are scratch */
export function centralHessian(
  E: Space,
  f: Objective,
  { H, X, D, Y, G }: { H: Tall; X: Tall; D: Tall; Y: Tall; G: Tall },
  t: number = BALANCED,
): void {
  E.combine(Y, 1, X, -t, D);
  f.fg(G, Y);
  E.combine(Y, 1, X, t, D);
  f.fg(H, Y);
  E.combine(H, -0.5 / t, G, 0.5 / t, H);
}

/**
 * The Hessian of f, f's own or by central differences of the gradient
 *
 *     ∇²f(X)[D] ≈ (∇f(X + εD) − ∇f(X − εD))/2ε,   ε‖D‖ = ∛ε_machine·(1 + ‖X‖),
 *
 * whose error is of order ε_machine^(2/3). The scratch is made once.
 */
export function hessianOf(E: Space, f: Objective): { exact: boolean; at(X: Tall): Hessian } {
  if (f.hvp || f.linearize) return { exact: true, at: (X) => hessianAt(f, X)! };
  const [Y, G] = [E.tall(f.n, f.p), E.tall(f.n, f.p)];
  return {
    exact: false,
    at(X) {
      const reach = 6e-6 * (1 + Math.sqrt(E.dot(X, X)));
      return (H, D) => {
        const norm = Math.sqrt(E.dot(D, D));
        if (norm === 0) return E.fill(H, 0);
        centralHessian(E, f, { H, X, D, Y, G }, reach / norm);
      };
    },
  };
}
