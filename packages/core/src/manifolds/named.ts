/** The manifolds by name. Formulas are in the files of their constraints. */

import type { Engine, Tall } from "@expen/linalg";
import { requireNoMore } from "@expen/linalg";
import { diagonalEngine, nominalShape, productEngine } from "@expen/linalg/algebras";
import type { Constraint } from "../contracts/constraint.js";
import type { ComplexMatrix, Domain, Manifold, View } from "../contracts/manifold.js";
import { nonnegative } from "../sets/subject.js";
import {
  complexEuclidean,
  complexGrassmann,
  complexOblique,
  complexSphere,
  complexStiefelManifold,
  type FieldOptions,
  isComplexField,
} from "./complex.js";
import { euclideanConstraint } from "./euclidean.js";
import { generalizedStiefelConstraint } from "./generalized-stiefel.js";
import { grassmannConstraint } from "./grassmann.js";
import { factorOf, type MetricMatrix, metricOf } from "./metric-matrix.js";
import { obliqueConstraint } from "./oblique.js";
import { factorAction, pairsOf } from "./positive-definite.js";
import { productConstraint } from "./product.js";
import { productChart } from "./product-chart.js";
import { real } from "./real.js";
import { requireManifold } from "./required-manifold.js";
import { requireColumns, requireSizes } from "./requirements.js";
import { specialOrthogonalConstraint } from "./special-orthogonal.js";
import { stiefel, stiefelConstraint } from "./stiefel.js";
import { viewOnce } from "./view-once.js";

/** f sees { re, im } */
type Complex = FieldOptions<"complex">;
type Real = FieldOptions<"real">;

/** Subspaces of p dimensions, for f that does not change under X → XQ: orthonormal columns stand for their span */
export function grassmann(n: number, p: number, options: Complex, ...more: never[]): Manifold<ComplexMatrix<Tall>>;
export function grassmann(n: number, p: number, options?: Real, ...more: never[]): Manifold;
export function grassmann(
  n: number,
  p: number,
  options?: FieldOptions,
  ...more: never[]
): Manifold | Manifold<ComplexMatrix<Tall>> {
  const complex = isComplexField("grassmann(n, p)", options, more);
  requireColumns("grassmann", n, p);
  if (complex) return complexGrassmann(n, p);
  return real(`grassmann(${n}, ${p})`, { n, p }, grassmannConstraint);
}

/** Rotations, XᵀX = I and det X = 1 */
export function specialOrthogonal(n: number, ...more: never[]): Manifold {
  requireNoMore("specialOrthogonal(n)", more);
  requireSizes("specialOrthogonal", { n });
  return real(`special-orthogonal(${n})`, { n, p: n }, specialOrthogonalConstraint);
}

/** Columns of length 1 */
export function oblique(n: number, p: number, options: Complex, ...more: never[]): Manifold<ComplexMatrix<Tall>>;
export function oblique(n: number, p: number, options?: Real, ...more: never[]): Manifold;
export function oblique(
  n: number,
  p: number,
  options?: FieldOptions,
  ...more: never[]
): Manifold | Manifold<ComplexMatrix<Tall>> {
  const complex = isComplexField("oblique(n, p)", options, more);
  requireSizes("oblique", { n, p });
  if (complex) return complexOblique(n, p);
  return real(`oblique(${n}, ${p})`, { n, p }, obliqueConstraint, diagonalEngine);
}

/** Vectors of length 1, n×1 */
export function sphere(n: number, options: Complex, ...more: never[]): Manifold<ComplexMatrix<Tall>>;
export function sphere(n: number, options?: Real, ...more: never[]): Manifold;
export function sphere(n: number, options?: FieldOptions, ...more: never[]): Manifold | Manifold<ComplexMatrix<Tall>> {
  const complex = isComplexField("sphere(n)", options, more);
  requireSizes("sphere", { n });
  if (complex) return complexSphere(n);
  const constraint = (E: Engine): Constraint => ({ ...stiefelConstraint(E, n, 1), name: "sphere" });
  return real(`sphere(${n})`, { n, p: 1 }, constraint);
}

/**
 * Permutation matrices, the nonnegative orthogonal ones, for `minimize`, which relaxes f to doubly stochastic matrices:
 *
 *     minimize(f, { on: permutations(12) })
 */
export function permutations(n: number, ...more: never[]): Manifold {
  requireNoMore("permutations(n)", more);
  requireSizes("permutations", { n });
  return { ...stiefel(n, n), text: `permutations(${n})`, subjectTo: [nonnegative()] };
}

/** No constraint */
export function euclidean(n: number, p: number, options: Complex, ...more: never[]): Manifold<ComplexMatrix<Tall>>;
export function euclidean(n: number, p?: number, options?: Real, ...more: never[]): Manifold;
export function euclidean(
  n: number,
  p = 1,
  options?: FieldOptions,
  ...more: never[]
): Manifold | Manifold<ComplexMatrix<Tall>> {
  const complex = isComplexField("euclidean(n, p)", options, more);
  requireSizes("euclidean", { n, p });
  if (complex) return complexEuclidean(n, p);
  return real(`euclidean(${n}, ${p})`, { n, p }, euclideanConstraint);
}

/** Columns that are orthonormal in the inner product of B, XᵀBX = I */
export function generalizedStiefel(metric: MetricMatrix, p: number, ...more: never[]): Manifold {
  requireNoMore("generalizedStiefel(B, p)", more);
  const B = metricOf(metric);
  const n = "main" in B ? B.main.rows : B.rows;
  requireColumns("generalizedStiefel", n, p);
  const constraint = (E: Engine): Constraint => {
    if ("apply" in B) {
      const apply = (Y: Tall, X: Tall): void => B.apply(Y, X);
      return generalizedStiefelConstraint(E, n, p, apply, factorAction(E, B, n, p));
    }
    const factor = factorOf(E, B);
    const metric = E.operator(B);
    const apply = (Y: Tall, X: Tall): void => metric.apply(Y, X);
    const known = { operator: metric, ...(factor ? { factor } : pairsOf(E, { rows: n, apply }, n, p)) };
    return generalizedStiefelConstraint(E, n, p, apply, known);
  };
  return real(`generalized-stiefel(${n}, ${p})`, { n, p }, constraint);
}

/** Orthonormal columns of complex numbers, XᴴX = I; unitary matrices for n = p */
export function complexStiefel(n: number, p: number, ...more: never[]): Manifold<ComplexMatrix<Tall>> {
  requireNoMore("complexStiefel(n, p)", more);
  requireColumns("complexStiefel", n, p);
  return complexStiefelManifold(n, p);
}

/** The views of the parts by name */
export type ProductView<M extends Record<string, Manifold<View>>> = {
  readonly [K in keyof M & string]: ReturnType<ReturnType<M[K]["bind"]>["view"]>;
};

/** Several matrices at once, each where it lives: f gets and fills an object of them by name */
export function product<M extends Record<string, Manifold<View>>>(
  parts: M,
  ...more: never[]
): Manifold<ProductView<M>> {
  type P = ProductView<M>;
  requireNoMore("product({ U: …, V: … })", more);
  const names = Object.keys(parts ?? {});
  if (names.length === 0) throw new RangeError("product: it has no parts; give it some by name, { U: …, V: … }.");
  const manifolds = names.map((name) => parts[name]!);
  for (const [i, part] of manifolds.entries()) requireManifold(`product: ${names[i]}`, part);
  const bind = (base: Engine): Domain<P> => {
    const bound = manifolds.map((manifold) => manifold.bind(base));
    const E = productEngine(
      base,
      bound.map(({ E }, i) => ({ name: names[i]!, E, n: manifolds[i]!.n, p: manifolds[i]!.p })),
    );
    const view = (X: Tall): P => {
      const parts = E.parts(X);
      return Object.fromEntries(names.map((name, i) => [name, bound[i]!.view(parts[i]!)])) as P;
    };
    const on = productConstraint(
      E,
      bound.map(({ on }) => on),
    );
    const chart = productChart(E, names, bound);
    // images are computed at every look
    return chart ? { base, E, on, view, chart } : { base, E, on, view: viewOnce(view) };
  };
  const text = `product(${names.map((name, i) => `${name}: ${manifolds[i]!.text}`).join(", ")})`;
  const shapes = names.flatMap((name, i) =>
    manifolds[i]!.shapes.map((shape) => ({ ...shape, name: shape.name ? `${name}.${shape.name}` : name })),
  );
  return { text, ...nominalShape(manifolds), shapes, bind };
}
