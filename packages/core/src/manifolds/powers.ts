/** k points of one manifold as one stacked matrix. */
import type { Engine, Tall } from "@expen/linalg";
import { requireNoMore } from "@expen/linalg";
import { blockEngine, complexBlockEngine } from "@expen/linalg/algebras";
import type { ComplexMatrix, Domain, Manifold } from "../contracts/manifold.js";
import { euclidean } from "./named.js";
import { type ComplexPowerOf, complexPowerConstraint, type PowerOf, powerConstraint } from "./power.js";
import { requireManifold } from "./required-manifold.js";
import { requireSizes } from "./requirements.js";
import { viewOnce } from "./view-once.js";

type ComplexManifold = Manifold<ComplexMatrix<Tall>>;

const REAL: readonly string[] = ["stiefel", "sphere", "grassmann", "special-orthogonal"] satisfies PowerOf[];
const COMPLEX: readonly string[] = [
  "complex-stiefel",
  "complex-sphere",
  "complex-grassmann",
] satisfies ComplexPowerOf[];

/** Of manifolds without powers: another one with the same points */
const INSTEAD: Readonly<Record<string, (n: number, p: number, k: number) => string>> = {
  oblique: (n, p, k) =>
    `oblique(${n}, ${p * k}) has its columns side by side, power(sphere(${n}), ${p * k}) one below the other`,
  "complex-oblique": (n, p, k) => `oblique(${n}, ${p * k}, { field: "complex" }) has its columns side by side`,
  circle: (_n, p, k) => `circle(${p * k}) has as many phases`,
  simplex: (n, p, k) => `simplex(${n}, ${p * k}) has its columns side by side`,
  "generalized-stiefel": (n, p, k) => `with B = RᵀR it is power(stiefel(${n}, ${p}), ${k}) in the matrices RX_i`,
};

/** Of the text of a manifold, stiefel(3, 2), the name */
const nameOf = ({ text }: { readonly text: string }): string => text.replace(/\(.*/s, "");

/**
 * k points of one manifold: f sees them one below the other, as one matrix of k·n rows, and `unstack(X, k)` are its parts.
 *
 *     const { X } = await minimize({ f, grad }, { on: power(specialOrthogonal(3), 10_000) });
 *     const rotations = unstack(X, 10_000);
 *
 * Of complex manifolds f sees { re, im } of such matrices. Time and memory are linear in k. Where f is a sum over the points, the default
 * is a quasi-Newton method for each of them.
 */
export function power(manifold: Manifold, k: number, ...more: never[]): Manifold;
export function power(manifold: ComplexManifold, k: number, ...more: never[]): ComplexManifold;
export function power(manifold: Manifold | ComplexManifold, k: number, ...more: never[]): Manifold | ComplexManifold {
  requireNoMore("power(manifold, k)", more);
  requireManifold("power: the manifold", manifold);
  requireSizes("power", { k });
  const { n, p } = manifold;
  const name = nameOf(manifold);
  if (name === "euclidean") return euclidean(k * n, p);
  if (name === "complex-euclidean") return euclidean(k * n, p, { field: "complex" });
  const factory = { text: `power(${manifold.text}, ${k})`, n, p: k * p };
  const shape = { name: "", n: k * n, p };
  if (REAL.includes(name)) {
    const bind = (base: Engine): Domain => {
      const { on } = manifold.bind(base);
      const E = blockEngine(base, { k, n, p });
      return { base, E, on: powerConstraint(E, on.name as PowerOf, on.dimension), view: (X) => E.stacked(X) };
    };
    return { ...factory, shapes: [{ ...shape, complex: false }], bind };
  }
  if (COMPLEX.includes(name)) {
    const bind = (base: Engine): Domain<ComplexMatrix<Tall>> => {
      const { on } = manifold.bind(base);
      const E = complexBlockEngine(base, { k, n, p });
      const power = complexPowerConstraint(E, on.name as ComplexPowerOf, on.dimension);
      return { base, E, on: power, view: viewOnce(E.stacked) };
    };
    return { ...factory, shapes: [{ ...shape, complex: true }], bind };
  }
  const known = [...REAL, "euclidean"].join(", ");
  const instead = INSTEAD[name]?.(n, p, k) ?? `${known} and their complex relatives have. Use a product`;
  throw new RangeError(`power: ${manifold.text} has no powers here; ${instead}.`);
}
