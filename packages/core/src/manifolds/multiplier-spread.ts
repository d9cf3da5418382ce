import type { Engine, Small } from "@expen/linalg";
import { spectralSpread } from "@expen/linalg/dense";
import type { Constraint } from "../contracts/constraint.js";

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
