import type { Engine, Tall } from "@expen/linalg";
import { digits } from "@expen/linalg";
import type { Objective } from "../contracts/objective.js";
import { evaluatorOf } from "../objective/evaluator.js";
import { quadraticObjective } from "../objective/quadratic.js";

/** A declared `quadratic` does not belong to f. */
export class FormError extends Error {
  override name = "FormError";
}

/** Relative difference of value or gradient above which the form is not that of f */
const DIFFERENCE = 1e-6;

/** Compares value and gradient of the declared form at X with those of f. `without`: the option that leaves the check out. */
export function requireForms(E: Engine, f: Objective, X: Tall, without = "check: false"): void {
  const { n, p, quadratic } = f;
  if (!quadratic) return;
  const { f: value, G } = evaluatorOf(E, f).start(X);
  const F = E.tall(n, p);
  const gnorm = norm(E, G);
  // the run itself reports values that are not finite
  if (!Number.isFinite(value + gnorm)) return;
  const formValue = quadraticObjective(E, n, p, quadratic).fg(F, X);
  const fnorm = norm(E, F);
  const wrong = (how: string): FormError => {
    const text = `the declared quadratic does not belong to f: ${how}; correct it or leave it out`;
    return new FormError(`${text} (${without} runs without this check).`);
  };
  if (!(Math.abs(formValue - value) <= DIFFERENCE * (Math.abs(value) + gnorm * norm(E, X)))) {
    throw wrong(`its value at the start is ${digits(formValue, 6)}, that of f is ${digits(value, 6)}`);
  }
  E.combine(F, -1, G, 1, F);
  const difference = norm(E, F);
  if (!(difference <= DIFFERENCE * (gnorm + fnorm))) {
    throw wrong(`their gradients at the start differ by ${digits(difference, 6)} at a norm of ${digits(gnorm, 6)}`);
  }
}

const norm = (E: Engine, A: Tall): number => Math.sqrt(E.dot(A, A));
