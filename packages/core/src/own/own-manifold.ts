/** `ownManifold`: the feasible set c(X) = 0 of a user's equations. */

import type { Engine, Matrix, Tall } from "@expen/linalg";
import { anything, chosenOptions, described, digits, integer, random, type SchemaOf } from "@expen/linalg";
import { norm } from "@expen/linalg/dense";
import type { Domain, Manifold, View } from "../contracts/manifold.js";
import { euclidean } from "../manifolds/named.js";
import { requireSizes } from "../manifolds/requirements.js";
import { itself } from "../manifolds/view.js";
import { readPoint } from "../run/given-start.js";
import { equationsEngine } from "./algebra.js";
import { requireAdjoint } from "./check.js";
import { equationsConstraint } from "./constraint.js";
import { completeEquations, type Equations, type GivenEquations } from "./equations.js";
import { type Linearizations, linearizations } from "./linearization.js";
import { equilibrated } from "./scaling.js";
import { sizeNear } from "./size.js";
import { wayBack } from "./way-back.js";

export interface OwnManifoldOptions extends GivenEquations {
  readonly rows: number;
  readonly cols: number;
  /** a point near the set, near which runs without a start begin; left out: random points are tried */
  readonly start?: Matrix | undefined;
}

const SCHEMA: SchemaOf<OwnManifoldOptions> = {
  rows: integer,
  cols: integer,
  c: anything,
  jacobian: anything,
  start: anything,
};
/** Random points from which the set is looked for */
const STARTS = 5;
/** ‖J‖₂ at a feasible point, relative to the lengths of its rows at the start, below which c is taken to have a multiple zero there */
const VANISHING = 1e-5;

/**
 * The set {X : c(X) = 0} of n×p matrices for m equations of your own, given by a formula or by functions:
 *
 *     const ellipsoid = ownManifold({ rows: 3, cols: 1, c: formula((x) => sub(inner(x, mul(A, x)), 1)) });
 *
 * c may be a function too, which returns the values, beside `jacobian`, which returns its rows.
 *
 * Equations may follow from others. A point where the rank of their Jacobian falls is singular, and the
 * certificate names it so.
 */
export function ownManifold(options: OwnManifoldOptions): Manifold {
  if (typeof options !== "object" || options === null) {
    throw new TypeError(`ownManifold: it has ${described(options)}; give { rows, cols, c }.`);
  }
  const { rows, cols, start, ...equations } = chosenOptions("ownManifold", options, SCHEMA) as OwnManifoldOptions;
  requireSizes("ownManifold", { rows, cols });
  return {
    text: `own-manifold(${rows}, ${cols})`,
    n: rows,
    p: cols,
    shapes: [{ name: "", n: rows, p: cols, complex: false }],
    bind(base): Domain {
      if (base.ranks) {
        throw new RangeError(
          "ownManifold: c takes all of X, whose rows are spread over processes here; use another engine.",
        );
      }
      const X = startPoint(base, rows, cols, start);
      const c = completeEquations(base, equations, X);
      const size = start === undefined ? sizeNear(base, c, X) : 1;
      base.combine(X, size, X, 0, X);
      requireAdjoint(base, c, X);
      const scaled = equilibrated(base, c, X, Math.min(1, size));
      // one for all: it holds up to three Jacobians
      const jacobians = linearizations(base, scaled, rows, cols);
      requireFeasible(base, scaled, jacobians, X, start === undefined ? size : undefined);
      return {
        base,
        E: equationsEngine(base, c.size),
        on: equationsConstraint(base, scaled, jacobians, X, start !== undefined),
        view: itself,
      };
    },
  };
}

function startPoint(E: Engine, rows: number, cols: number, start: Matrix | undefined): Tall {
  if (start === undefined) return E.tall(rows, cols, normals(rows * cols, 1));
  return readPoint(euclidean(rows, cols).bind(E) as unknown as Domain<View>, start, "ownManifold: start");
}

function normals(count: number, seed: number): Float64Array {
  const { normal } = random(seed, "own manifold");
  return Float64Array.from({ length: count }, normal);
}

/** X ← a feasible point: from X itself, or from random points of a size where the user gave none. A sentence where there is none */
function requireFeasible(E: Engine, c: Equations, jacobians: Linearizations, X: Tall, size: number | undefined): void {
  const { rows: n, cols: p } = X;
  const back = wayBack(E, c, jacobians, n, p);
  let isFeasible = back.solve(X);
  for (let seed = 2; size !== undefined && !isFeasible && seed <= STARTS; seed++) {
    E.write(X, normals(n * p, seed));
    E.combine(X, size, X, 0, X);
    isFeasible = back.solve(X);
  }
  if (!isFeasible) {
    const isRandom = size !== undefined;
    const from = isRandom ? `from ${STARTS} random points` : "from the start";
    const hint = isRandom ? "give a start near the set" : "give another start";
    const end = `steps end where ‖c‖ is ${digits(back.violation)} and falls no further`;
    throw new RangeError(`ownManifold: no X with c(X) = 0 was found ${from}: ${end}; ${hint}.`);
  }
  const J = jacobians.at(X);
  if (J && J.norm * Math.min(1, size ?? 1) > VANISHING) return;
  const where = `vanishes at a point with c(X) = 0, ‖X‖ = ${digits(norm(E, X))}`;
  throw new RangeError(
    `ownManifold: the Jacobian of c ${where}; write the equations without squares, c in the place of c².`,
  );
}
