/** Eigenvalues of the multiplier S of a constraint */

import type { Engine, Small } from "@expen/linalg";
import { eigenvalues, spectralSpread } from "@expen/linalg/dense";
import type { Constraint } from "../contracts/constraint.js";

/** In ascending order; of a product those of all parts, of c(X) = 0 the multipliers themselves */
export function multiplierEigenvalues(E: Engine, on: Constraint, S: Small): Float64Array {
  const { coordinates, parts, equations } = on.traits;
  if (equations) return E.read(S).slice().sort();
  if (coordinates === "free") return new Float64Array(on.shape.p);
  if (!parts) return eigenvalues(E, S);
  const matrices = parts.of(S);
  const all = parts.list.map((part, i) => multiplierEigenvalues(part.E, part.on, matrices[i]!));
  return Float64Array.from(all.flatMap((own) => [...own])).sort();
}

/** S ↦ λmax(S) − λmin(S), of a product the largest of its parts, with scratch for many calls */
export function multiplierSpread(E: Engine, on: Constraint): (S: Small) => number {
  const { coordinates, parts } = on.traits;
  if (coordinates === "free") return () => 0;
  if (!parts) return spectralSpread(on.shape.p, E);
  const spreads = parts.list.map((part) => multiplierSpread(part.E, part.on));
  return (S) => {
    const matrices = parts.of(S);
    return spreads.reduce((largest, spread, i) => Math.max(largest, spread(matrices[i]!)), 0);
  };
}
