/** k points of one manifold as one stacked matrix. */
import type { Engine } from "@expen/linalg";
import { requireNoMore } from "@expen/linalg";
import { blockEngine } from "@expen/linalg/algebras";
import type { Domain, Manifold } from "../contracts/manifold.js";
import { euclidean } from "./named.js";
import { type PowerOf, powerConstraint } from "./power.js";
import { requireManifold, requireSizes } from "./requirements.js";

const KNOWN: readonly string[] = ["stiefel", "sphere", "grassmann", "special-orthogonal"] satisfies PowerOf[];

/** Of the text of a manifold, stiefel(3, 2), the name */
const nameOf = ({ text }: Manifold): string => text.replace(/\(.*/s, "");

/**
 * k points of one manifold: f sees them one below the other, as one matrix of k·n rows, and `unstack(X, k)` are its parts.
 *
 *     const { X } = await minimize({ f, grad }, { on: power(specialOrthogonal(3), 10_000) });
 *     const rotations = unstack(X, 10_000);
 *
 * Time and memory are linear in k. Where f is a sum over the points, the default is a quasi-Newton method for each of them.
 */
export function power(manifold: Manifold, k: number, ...more: never[]): Manifold {
  requireNoMore("power(manifold, k)", more);
  requireManifold("power: the manifold", manifold);
  requireSizes("power", { k });
  const { n, p } = manifold;
  if (nameOf(manifold) === "euclidean") return euclidean(k * n, p);
  if (!KNOWN.includes(nameOf(manifold)))
    throw new RangeError(
      `power: ${manifold.text} has no powers here; ${KNOWN.join(", ")} and euclidean have. Use a product.`,
    );
  const bind = (base: Engine): Domain => {
    const one = manifold.bind(base).on;
    const E = blockEngine(base, { k, n, p });
    return { base, E, on: powerConstraint(E, one.name as PowerOf, one.dimension), view: (X) => E.stacked(X) };
  };
  return {
    text: `power(${manifold.text}, ${k})`,
    n,
    p: k * p,
    shapes: [{ name: "", n: k * n, p, complex: false }],
    bind,
  };
}
