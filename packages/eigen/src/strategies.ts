/** Strategies for quadratic forms f(X) = ½⟨X, BXC⟩ + ⟨L, X⟩: the eigenvectors of B, or subspaces in which f is small. */

import type { Known, Precondition, QuadraticForm, Strategy } from "@expen/core";
import { unlessLinear } from "@expen/core";
import { krylovExpen } from "./krylov/krylov.js";
import { krylovParts, wayOf } from "./krylov/plan.js";
import { davidsonExpen, davidsonParts } from "./subspace/davidson.js";
import { subspaceExpen } from "./subspace/subspace.js";
import { denseSolveIsCheaper, wholeSpaceExpen } from "./whole-space.js";

/** Least n/p for subspaces: three blocks of p columns must be a proper subspace. */
const ROOM = 4;
/** Flops of a product with B over np from which subspaces are faster (measured: twice as fast at 10np² flops, a third as fast at ⅓np²) */
const WORTH_SUBSPACES = 4;

/**
 *     preconditioner, eigenproblem              Davidson's method        subspace/davidson.ts
 *     preconditioner, any other form            subspaces                subspace/subspace.ts
 *     XᵀBX = I, both matrices small             dense eigenproblem       whole-space.ts
 *     eigenproblem, n ≥ 256                     Krylov spaces            krylov/krylov.ts
 *     expensive operator                        subspaces                subspace/subspace.ts
 */
export const eigenStrategies: readonly Strategy[] = [
  {
    name: "davidson",
    fits: (k) =>
      hasRoom(k) && withPreconditioner(k) && isEigenproblem(k.f.quadratic!)
        ? "an eigenproblem with a preconditioner: Davidson's spaces"
        : undefined,
    holds: ({ f }) => davidsonParts(f.n, f.p),
    begin: (k) => davidsonExpen(k.E, formOf(k), k.X0, { ...k.o, precondition: checkedPreconditioner(k) }),
  },
  {
    name: "subspace",
    fits: (k) =>
      hasRoom(k) && withPreconditioner(k)
        ? "a quadratic form with a preconditioner: subspaces of three blocks"
        : undefined,
    begin: (k) => subspaceExpen(k.E, formOf(k), k.X0, { ...k.o, precondition: checkedPreconditioner(k) }),
  },
  {
    name: "whole-space",
    fits: (k) =>
      isFree(k) && k.on.traits.metric?.operator && denseSolveIsCheaper(k.E, k.f)
        ? "small matrices A and B: eigenvectors of all of ℝⁿ cost less than steps"
        : undefined,
    begin: (k) => wholeSpaceExpen(k.E, formOf(k), k.X0, { ...k.o, on: k.on }),
  },
  {
    name: "krylov",
    fits: (k) =>
      isFree(k) && onStiefel(k) && wayOfForm(k) !== "general" ? "an eigenproblem: Krylov spaces" : undefined,
    holds: (k) => (wayOfForm(k) === "krylov" ? krylovParts(k.E, k.f.n, k.f.p, k.f.quadratic!) : []),
    begin: (k) => krylovExpen(k.E, formOf(k), k.X0, k.o),
  },
  {
    name: "subspace",
    fits: (k) => {
      if (!isFree(k) || !hasRoom(k)) return undefined;
      const { n, p, quadratic } = k.f;
      const { flops = 2 * n * n } = quadratic!;
      return flops >= WORTH_SUBSPACES * n * p ? "a quadratic form with an expensive operator: subspaces" : undefined;
    },
    begin: (k) => unlessLinear(k, () => subspaceExpen(k.E, formOf(k), k.X0, k.o)),
  },
];

/** Whether the user set neither β nor a preconditioner, which the methods below would ignore */
const isFree = ({ o }: Known): boolean => (o.beta ?? "auto") === "auto" && !o.precondition;
const withPreconditioner = ({ o }: Known): boolean => (o.beta ?? "auto") === "auto" && o.precondition !== undefined;

const onStiefel = ({ f, on }: Known): boolean => f.quadratic !== undefined && on.traits.orthonormal;
const hasRoom = (k: Known): boolean => onStiefel(k) && k.f.n >= ROOM * k.f.p;
const formOf = ({ f }: Known): typeof f & { quadratic: QuadraticForm } => ({ ...f, quadratic: f.quadratic! });
const wayOfForm = ({ E, f }: Known) => wayOf(E, f.n, f.p, f.quadratic!);

/** Whether f = ½ tr XᵀBX + constant, so that eigenvectors of B minimise it */
const isEigenproblem = ({ L, C }: QuadraticForm): boolean => !L && !C;

/** The user's preconditioner; throws if its result is not finite */
const checkedPreconditioner =
  ({ E, o }: Known): Precondition =>
  (Z, X, G) => {
    o.precondition!(Z, X, G);
    if (!Number.isFinite(E.dot(Z, Z))) throw new Error("precondition gives numbers that are not finite.");
  };
