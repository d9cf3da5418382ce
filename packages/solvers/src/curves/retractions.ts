/** All retractions by name: those of the core, and two along curves of the manifold. */

import { dissolver, normalStep, plainPoint } from "@expen/core";
import { retractions as general, type Retract } from "@expen/core/methods";
import type { Engine } from "@expen/linalg";
import { EPS } from "@expen/linalg/arrays";
import { exponential } from "../exponential.js";
import { cayley } from "./cayley.js";
import type { RetractionName } from "./retraction-names.js";

type Bind = (E: Engine, n: number, p: number) => Retract;

/** Every retraction by its name, to be bound to an engine and the size of X */
export const retractions: Readonly<Record<RetractionName, Bind>> = {
  ...general,

  cayley: (E, n, p) => corrected(E, n, p, cayley(E, n, p)),

  exponential: (E, n, p) => corrected(E, n, p, exponential(E, n, p)),
};

/** The curve, followed by one or two normal steps where rounding errors have made ‖K‖ larger than 4ε√p. */
function corrected(E: Engine, n: number, p: number, curve: Retract): Retract {
  const approach = normalStep(E, p, dissolver(E, p));
  const Z = E.tall(n, p);
  const above = 4 * EPS * Math.sqrt(p);
  return (Y, X, t, D) => {
    curve(Z, X, t, D);
    if (approach(Y, plainPoint(Z), above) > 1e-7) {
      E.copy(Z, Y);
      approach(Y, plainPoint(Z), above);
    }
  };
}
