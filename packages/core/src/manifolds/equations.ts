import type { Tall } from "@expen/linalg";
import type { Constraint } from "../contracts/constraint.js";

type OfTraits = Pick<Constraint, "traits">;

/** Whether X, or a part of it, lives on equations of the user's own */
export const hasEquations = ({ traits: { equations, parts } }: OfTraits): boolean =>
  equations !== undefined || (parts?.list.some(({ on }) => hasEquations(on)) ?? false);

/** A sentence where the rank of the Jacobian of equations at X is not its usual one: second order means nothing there. */
export function singularity({ traits: { equations, parts } }: OfTraits, X: Tall): string | undefined {
  if (parts) {
    const matrices = parts.of(X);
    return parts.list.map(({ on }, i) => singularity(on, matrices[i]!)).find((text) => text !== undefined);
  }
  const rank = equations?.rankAt(X);
  if (rank === equations?.rank) return undefined;
  const ranks = `the Jacobian of c has rank ${rank} here and ${equations!.rank} at other points`;
  return `${ranks}: a singular point, where the gradient is that of the equations that are left`;
}
