/** The objective that a quadratic form is, for every problem of that kind. */
import { fgOf } from "../objective.js";
import { Cell } from "../scalar.js";
import type { Engine, Matrix, Objective, QuadraticForm } from "../types.js";

/**
 * f(X) = ½⟨X, BXC⟩ + ⟨L, X⟩ + constant,  ∇f(X) = BXC + L,  ∇²f(X)[D] = BDC
 */
export function quadraticObjective(E: Engine, n: number, p: number, quadratic: QuadraticForm): Objective {
  const { apply, C, L, constant = 0 } = quadratic;
  const V = E.matrix(n, p);
  const BX = E.matrix(n, C ? p : 0);

  /** Y ← B·X·C */
  function second(Y: Matrix, X: Matrix): void {
    if (C) {
      apply(BX, X);
      E.mul(Y, BX, C);
    } else apply(Y, X);
  }

  const value = new Cell();
  const fg = fgOf((G, X) => {
    second(G, X);
    value.value = 0.5 * E.inner(X, G).value;
    if (L) {
      E.axpby(G, 1, L, 1);
      value.value += E.inner(L, X).value;
    }
    value.value += constant;
    return value;
  });

  return {
    n,
    p,
    quadratic,
    f: (X) => fg(V, X),
    fg,
    hvp: (H, _X, D) => second(H, D),
  };
}
