/** A quadratic form with a preconditioner that was given: in spaces that grow by preconditioned gradients. */
import type { Constraint } from "../../constraints/constraint.js";
import type { Part } from "../../memory/need.js";
import type { Engine, Evaluations, Objective, Precondition, QuadraticForm, Solver, Tall } from "../../types.js";
import { davidsonExpen, davidsonParts } from "./davidson-expen.js";
import { subspaceExpen } from "./subspace-expen.js";

/** Such spaces need room: n is at least so many times p. */
const ROOM = 4;

type Form = Objective & { quadratic: QuadraticForm };

export interface PreconditionedOptions {
  on?: Constraint;
  precondition: Precondition;
  tolerance?: number;
  evaluations?: Evaluations;
}

export const growsSpaces = (f: Objective, on?: Constraint): f is Form =>
  f.quadratic !== undefined && (!on || on.traits.orthonormal) && f.n >= ROOM * f.p;

/** Only eigenvectors are sought where there is neither a linear term nor a second matrix. */
const isEigenproblem = ({ L, C }: QuadraticForm): boolean => !L && !C;

export function preconditionedForm(E: Engine, f: Form, X0: Tall, o: PreconditionedOptions): Solver {
  const precondition: Precondition = (Z, X, G) => {
    o.precondition(Z, X, G);
    if (!Number.isFinite(E.dot(Z, Z))) throw new Error("precondition gives numbers that are not finite.");
  };
  const method = isEigenproblem(f.quadratic) ? davidsonExpen : subspaceExpen;
  return method(E, f, X0, { ...o, precondition });
}

/** What Davidson's spaces hold; those of three blocks hold no more than the default does. */
export const preconditionedParts = ({ n, p, quadratic }: Form): Part[] =>
  isEigenproblem(quadratic) ? davidsonParts(n, p) : [];
