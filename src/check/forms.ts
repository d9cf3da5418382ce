import { digits } from "../numbers.js";
import type { Engine, Objective, QuadraticForm, Tall } from "../types.js";

/** A declared `quadratic` that does not belong to f, found before the run. */
export class FormError extends Error {
  override name = "FormError";
}

/** Relative differences from which it is not rounding. */
const DIFFERENCE = 1e-6;

/** Value and gradient at X of the form that f declares, against its own: one evaluation more. `without`: how to run without this. */
export function requireForms(E: Engine, f: Objective, X: Tall, without = "check: false"): void {
  const { n, p, quadratic } = f;
  if (!quadratic) return;
  const [G, F] = [E.tall(n, p), E.tall(n, p)];
  const value = f.fg(G, X);
  const gnorm = norm(E, G);
  // what is not finite at the start is said by the run itself
  if (!Number.isFinite(value + gnorm)) return;
  compare("quadratic", ofQuadratic(E, quadratic, F, X));

  function compare(form: string, formValue: number): void {
    const fnorm = norm(E, F);
    if (!(Math.abs(formValue - value) <= DIFFERENCE * (Math.abs(value) + gnorm * norm(E, X)))) {
      throw wrong(`its value at the start is ${digits(formValue, 6)}, that of f is ${digits(value, 6)}`);
    }
    E.combine(F, -1, G, 1, F);
    const difference = norm(E, F);
    if (!(difference <= DIFFERENCE * (gnorm + fnorm))) {
      throw wrong(`their gradients at the start differ by ${digits(difference, 6)} at a norm of ${digits(gnorm, 6)}`);
    }

    function wrong(how: string): FormError {
      const text = `the declared ${form} does not belong to f: ${how}; correct it or leave it out`;
      return new FormError(`${text} (${without} runs without this check).`);
    }
  }
}

const norm = (E: Engine, A: Tall): number => Math.sqrt(E.dot(A, A));

/** G ← B·X·C + L, returns ½⟨X, BXC⟩ + ⟨L, X⟩ + constant */
function ofQuadratic(E: Engine, form: QuadraticForm, G: Tall, X: Tall): number {
  const { C, L, constant = 0 } = form;
  form.apply(G, X);
  if (C) {
    const BX = E.tall(G.rows, G.cols);
    E.copy(BX, G);
    E.mul(G, BX, C);
  }
  let value = constant + 0.5 * E.dot(X, G);
  if (L) {
    value += E.dot(L, X);
    E.combine(G, 1, L, 1, G);
  }
  return value;
}
