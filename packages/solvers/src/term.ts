import type { Nonsmooth, Term } from "@expen/core";
import { amount, requireKind } from "@expen/linalg";
import { proximal, sparsityPattern } from "./proximal.js";
import { nonsmoothStationarity } from "./tangent-prox.js";

/** A sparsity-promoting norm with a known proximal map: `kind` and `weight` for its solver, the functions of a `Term` for the run */
export interface Norm extends Term, Nonsmooth {}

/** weight·Σ|X_ij| */
export const l1 = (weight: number): Norm => norm("l1", weight);
/** weight·Σ_i‖row i of X‖₂ */
export const l21 = (weight: number): Norm => norm("l21", weight);

const makers = { l1, l21 };

/** The norm for { kind, weight }; a norm is returned as it is */
export function normOf(nonsmooth: Nonsmooth | Term): Norm {
  if ("kind" in nonsmooth && "bind" in nonsmooth) return nonsmooth as Norm;
  const { kind, weight } = nonsmooth as Nonsmooth;
  if (!Object.hasOwn(makers, kind)) throw new RangeError(`nonsmooth: kind is '${kind}'; it must be l1 or l21.`);
  return makers[kind](weight);
}

function norm(kind: Nonsmooth["kind"], weight: number): Norm {
  requireKind(`${kind}: weight`, amount, weight);
  const own = { kind, weight };
  return {
    ...own,
    text: `${weight}·${kind}`,
    bind(E, n) {
      const { value } = proximal(E, n, own);
      return { value, stationarity: (f, X) => nonsmoothStationarity(E, f, X, own) };
    },
    sparsity: (X) => sparsityPattern(X),
  };
}
