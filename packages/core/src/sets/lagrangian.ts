import type { Engine, Tall } from "@expen/linalg";
import { isSame } from "@expen/linalg/engine";
import type { Objective } from "../contracts/objective.js";
import type { Block } from "./block.js";

/** f + Σ ρ·φ(X, Θ) over the blocks, with a ρ and shifts that change between runs of a method */
export interface Lagrangian extends Objective {
  rho: number;
  /** f and ∇f of the last X, for which V of the blocks holds; the matrix is overwritten by the next evaluation. */
  readonly last: { readonly f: number; readonly G: Tall };
}

/** f is evaluated once where several evaluations at one point follow each other, with other multipliers. Holds 3 n×p matrices. */
export function lagrangian(E: Engine, f: Objective, blocks: readonly Block[]): Lagrangian {
  const { n, p } = f;
  const [X0, G0] = [E.tall(n, p), E.tall(n, p)];
  let scratch: Tall | undefined;
  const last = { f: Number.NaN, G: G0 };
  const L: Lagrangian = {
    n,
    p,
    rho: 1,
    last,
    f: (X) => fg((scratch ??= E.tall(n, p)), X),
    fg,
  };
  return L;

  function fg(G: Tall, X: Tall): number {
    if (!(Number.isFinite(last.f) && isSame(E, X, X0))) {
      last.f = f.fg(G0, X);
      E.copy(X0, X);
    }
    E.copy(G, G0);
    let value = last.f;
    for (const block of blocks) value += block.add(G, X, L.rho);
    return value;
  }
}
