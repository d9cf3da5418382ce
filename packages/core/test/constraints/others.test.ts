/** The contract of constraints for those in other algebras and with another B, on every engine. */

import { blasEngine } from "@expen/engines/blas";
import { wasmEngine } from "@expen/engines/wasm";
import type { Engine, Matrix } from "@expen/linalg";
import { random } from "@expen/linalg";
import { complexEngine, diagonalEngine, productEngine } from "@expen/linalg/algebras";
import { jsEngine } from "@expen/linalg/engine";
import { blasHere } from "@expen/testing/contracts/blas-here";
import { type ConstraintTraits, constraintContract } from "@expen/testing/contracts/constraint";
import { opaque } from "@expen/testing/engines/opaque";
import { split } from "@expen/testing/engines/split";
import { describe, expect, test } from "vitest";
import type { Constraint } from "../../src/contracts/constraint.js";
import { circle } from "../../src/manifolds/complex.js";
import { complexStiefelConstraint } from "../../src/manifolds/complex-stiefel.js";
import { euclideanConstraint } from "../../src/manifolds/euclidean.js";
import { fixedRank } from "../../src/manifolds/fixed-rank.js";
import { flag } from "../../src/manifolds/flag.js";
import { generalizedStiefelConstraint } from "../../src/manifolds/generalized-stiefel.js";
import { grassmannConstraint } from "../../src/manifolds/grassmann.js";
import * as manifolds from "../../src/manifolds/named.js";
import { obliqueConstraint } from "../../src/manifolds/oblique.js";
import { power } from "../../src/manifolds/powers.js";
import { productConstraint } from "../../src/manifolds/product.js";
import { simplex } from "../../src/manifolds/simplex.js";
import { specialOrthogonalConstraint } from "../../src/manifolds/special-orthogonal.js";
import { stiefel, stiefelConstraint } from "../../src/manifolds/stiefel.js";

type Make = (E: Engine, n: number, p: number) => { E: Engine; on: Constraint };

function complex(E: Engine, n: number, p: number) {
  const C = complexEngine(E);
  return { E: C, on: complexStiefelConstraint(C, n, p) };
}

function oblique(E: Engine, n: number, p: number) {
  const D = diagonalEngine(E);
  return { E: D, on: obliqueConstraint(D, n, p) };
}

/** B = Diag(1 … 4) */
function generalized(E: Engine, n: number, p: number) {
  const r = random(3, "B");
  const B = E.tall(
    n,
    1,
    Float64Array.from({ length: n }, () => 1 + 3 * r.uniform()),
  );
  return { E, on: generalizedStiefelConstraint(E, n, p, (Y, X) => E.scaleRows(Y, B, X)) };
}

/** I + AAᵀ for a random A of two columns */
function definite(n: number): Matrix {
  const a = Float64Array.from({ length: 2 * n }, random(4, "dense B").normal);
  const entry = (i: number, j: number): number =>
    (i === j ? 1 : 0) + a[2 * i]! * a[2 * j]! + a[2 * i + 1]! * a[2 * j + 1]!;
  const data = Float64Array.from({ length: n * n }, (_, k) => entry(Math.floor(k / n), k % n));
  return { rows: n, cols: n, data };
}

function product(E: Engine, n: number, p: number) {
  const parts = [
    { E, n, p, on: stiefelConstraint(E, n, p) },
    { ...complex(E, n + 1, 2), n: n + 1, p: 2 },
    { ...oblique(E, 3, p + 1), n: 3, p: p + 1 },
    { E, n: 2, p: 1, on: euclideanConstraint(E, 2, 1) },
  ];
  return productOf(E, parts);
}

/** A part with a metric has directions of its own; the others have not. */
function productWithMetric(E: Engine, n: number, p: number) {
  const parts = [
    { E, n, p, on: stiefelConstraint(E, n, p) },
    { ...generalized(E, n + 1, 2), n: n + 1, p: 2 },
  ];
  return productOf(E, parts);
}

/** A product in a product, whose parts have a B and another algebra */
function nested(E: Engine, n: number, p: number) {
  const inner = productWithMetric(E, n, p);
  const parts = [
    { ...inner, ...inner.on.shape },
    { ...complex(E, 4, 2), n: 4, p: 2 },
    { E, n, p, on: grassmannConstraint(E, n, p) },
  ];
  return productOf(E, parts);
}

function productOf(E: Engine, parts: { E: Engine; n: number; p: number; on: Constraint }[]) {
  const P = productEngine(E, parts);
  return {
    E: P,
    on: productConstraint(
      P,
      parts.map(({ on }) => on),
    ),
  };
}

const [few, some] = [[[9, 4]], [[1, 1], [6, 6], [9, 4]]] as const; // biome-ignore format: shapes in a row
const constraints: [string, Make, ConstraintTraits?][] = [
  ["complex-stiefel", complex],
  ["oblique", oblique],
  ["generalized-stiefel", generalized, { metric: true }],
  ["euclidean", (E, n, p) => ({ E, on: euclideanConstraint(E, n, p) }), { flat: true, shapes: [[5, 1], [9, 4]] }], // biome-ignore format: one a line
  ["grassmann", (E, n, p) => ({ E, on: grassmannConstraint(E, n, p) })],
  ["special-orthogonal", (E, n) => ({ E, on: specialOrthogonalConstraint(E, n) }), { shapes: [[3, 3], [6, 6]] }], // biome-ignore format: one a line
  ["product", product, { partlyFlat: true }],
  ["product with a metric", productWithMetric, { metric: true }],
  ["product of products", nested, { metric: true }],
  ["flag", (E, n, p) => flag(n, p > 2 ? [1, p - 1] : [p]).bind(E)],
  ["sphere", (E, n) => manifolds.sphere(n).bind(E)],
  ["complex grassmann", (E, n, p) => manifolds.grassmann(n, p, { field: "complex" }).bind(E)],
  ["complex oblique", (E, n, p) => manifolds.oblique(n, p, { field: "complex" }).bind(E)],
  ["circles", (E, _n, p) => circle(p).bind(E), { shapes: [[1, 1], [1, 5]] }], // biome-ignore format: one a line
  ["complex sphere", (E, n) => manifolds.sphere(n, { field: "complex" }).bind(E)],
  ["complex euclidean", (E, n, p) => manifolds.euclidean(n, p, { field: "complex" }).bind(E), { flat: true }],
  ["fixed-rank", (E, n, p) => fixedRank(n, n + 1, p).bind(E), { partlyFlat: true }],
  ["simplex", (E, n, p) => simplex(n, p).bind(E)],
  ["power of stiefel", (E, n, p) => power(stiefel(n, p), 3).bind(E)],
  ["power of sphere", (E, n) => power(manifolds.sphere(n), 5).bind(E), { shapes: [[1, 1], [6, 1]] }], // biome-ignore format: one a line
  ["power of grassmann", (E, n, p) => power(manifolds.grassmann(n, p), 2).bind(E)],
  ["power of rotations", (E, n) => power(manifolds.specialOrthogonal(n), 4).bind(E), { shapes: [[3, 3], [6, 6]] }], // biome-ignore format: one a line
  ["power of complex stiefel", (E, n, p) => power(manifolds.complexStiefel(n, p), 3).bind(E)],
  ["power of complex sphere", (E, n) => power(manifolds.sphere(n, { field: "complex" }), 4).bind(E), { shapes: [[1, 1], [6, 1]] }], // biome-ignore format: one a line
  ["power of complex grassmann", (E, n, p) => power(manifolds.grassmann(n, p, { field: "complex" }), 2).bind(E)],
  [
    "generalized-stiefel of a dense B",
    (E, n, p) => manifolds.generalizedStiefel(definite(n), p).bind(E),
    { metric: true },
  ],
];

const { absent, title } = await blasHere({});

for (const [name, make, traits] of constraints) {
  const shapes = traits?.shapes ?? few;
  constraintContract(`${name} on js`, jsEngine, make, { shapes: some, ...traits });
  constraintContract(`${name} on wasm`, () => wasmEngine(), make, { ...traits, shapes });
  constraintContract(`${name} where numbers are hidden`, () => opaque(jsEngine()), make, { ...traits, shapes });
  constraintContract(`${name} where rows lie apart`, () => split(jsEngine()), make, { ...traits, shapes });
  describe.skipIf(absent)(title, () =>
    constraintContract(`${name} on blas`, () => blasEngine(), make, { ...traits, shapes }),
  );
}

test("a product of 200,000 columns has as many eigenvalues, ascending", () => {
  const { E, on } = manifolds.product({ X: manifolds.oblique(2, 200_000), s: manifolds.sphere(3) }).bind(jsEngine());
  const S = E.small(on.shape.p, on.shape.p);
  E.addDiagonal(S, 2);
  const w = on.dissolver.eigenvalues(S);
  expect([w.length, w[0], w.at(-1)]).toEqual([200_001, 2, 2]);
});
