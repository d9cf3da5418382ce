/** The objective of a quadratic form. */
import type { Engine, Tall } from "@expen/linalg";
import type { Objective, QuadraticForm } from "../contracts/objective.js";

/**
 * f(X) = ½⟨X, BXC⟩ + ⟨L, X⟩ + constant,  ∇f(X) = BXC + L,  ∇²f(X)[D] = BDC
 */
export function quadraticObjective(E: Engine, n: number, p: number, quadratic: QuadraticForm): Objective {
  const { apply, C, L, constant = 0 } = quadratic;
  const BX = E.tall(n, C ? p : 0);
  /** scratch for the gradient of a call of f */
  let V: Tall | undefined;

  /** Y ← B·X·C */
  function second(Y: Tall, X: Tall): void {
    if (C) {
      apply(BX, X);
      E.mul(Y, BX, C);
    } else apply(Y, X);
  }

  function fg(G: Tall, X: Tall): number {
    second(G, X);
    const value = constant + 0.5 * E.dot(X, G);
    if (!L) return value;
    E.combine(G, 1, L, 1, G);
    return value + E.dot(L, X);
  }

  return {
    n,
    p,
    quadratic,
    f: (X) => fg((V ??= E.tall(n, p)), X),
    fg,
    hvp: (H, _X, D) => second(H, D),
  };
}
