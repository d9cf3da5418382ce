/** The complex relatives of real manifolds: f sees { re, im }. */
import type { Engine, Tall } from "@expen/linalg";
import { chosenOptions, oneOf, requireNoMore, type SchemaOf } from "@expen/linalg";
import { complexEngine, diagonalEngine, pairEngine } from "@expen/linalg/algebras";
import type { Constraint } from "../contracts/constraint.js";
import type { ComplexMatrix, Manifold } from "../contracts/manifold.js";
import { complexStiefelConstraint } from "./complex-stiefel.js";
import { euclideanConstraint } from "./euclidean.js";
import { acrossSpan, randomRotation } from "./grassmann.js";
import { obliqueConstraint } from "./oblique.js";
import { requireSizes } from "./requirements.js";
import { viewOnce } from "./view-once.js";

/** The numbers of a manifold's matrices: real ones, or complex ones as { re, im } */
export interface FieldOptions<F extends "real" | "complex" = "real" | "complex"> {
  /** "complex" for matrices over ℂ */
  field?: F;
}

const SCHEMA: SchemaOf<FieldOptions> = { field: oneOf(["real", "complex"]) };

/** Whether the last argument of `call` asks for complex numbers; anything else than options is one too many. */
export function isComplexField(call: string, options: unknown, more: readonly unknown[]): boolean {
  const isOptions =
    options === undefined || (typeof options === "object" && options !== null && !Array.isArray(options));
  requireNoMore(call, isOptions ? more : [options, ...more]);
  return (
    chosenOptions<FieldOptions>(call.replace(/\(.*/, ""), options as FieldOptions | undefined, SCHEMA).field ===
    "complex"
  );
}

/** The engine of points, and that of its parts */
type Algebra = (base: Engine) => { E: Engine; parts: (X: Tall) => ComplexMatrix<Tall> };
const hermitian: Algebra = (base) => {
  const E = complexEngine(base);
  return { E, parts: E.parts };
};
const pairs: Algebra = (base) => {
  const E = pairEngine(base);
  return { E, parts: E.parts };
};
/** Columns by themselves, each a real vector of 2n numbers */
const columns: Algebra = (base) => {
  const { E, parts } = pairs(base);
  return { E: diagonalEngine(E), parts };
};

function manifold(
  name: string,
  [n, p]: readonly [number, number],
  algebra: Algebra,
  constraint: (E: Engine) => Constraint,
): Manifold<ComplexMatrix<Tall>> {
  return {
    text: name,
    n,
    p,
    shapes: [{ name: "", n, p, complex: true }],
    bind(base) {
      const { E, parts } = algebra(base);
      return { base, E, on: constraint(E), view: viewOnce(parts) };
    },
  };
}

/** Orthonormal columns of complex numbers, XᴴX = I */
export const complexStiefelManifold = (n: number, p: number): Manifold<ComplexMatrix<Tall>> =>
  manifold(`complex-stiefel(${n}, ${p})`, [n, p], hermitian, (E) => complexStiefelConstraint(E, n, p));

/** Complex subspaces, for f that does not change under X → XU with a unitary U */
export function complexGrassmann(n: number, p: number): Manifold<ComplexMatrix<Tall>> {
  const constraint = (E: Engine): Constraint => {
    const without = complexStiefelConstraint(E, n, p);
    const turn = (Y: Tall, X: Tall): void => E.mul(Y, X, randomRotation(E, p));
    const quotient = { text: "under X → XU", turn, across: acrossSpan(E, p), without };
    const { traits } = without;
    return { ...without, name: "complex-grassmann", dimension: 2 * (n - p) * p, traits: { ...traits, quotient } };
  };
  return manifold(`complex-grassmann(${n}, ${p})`, [n, p], hermitian, constraint);
}

/** Columns of complex numbers of length 1: of 2n real numbers each */
export const complexOblique = (n: number, p: number): Manifold<ComplexMatrix<Tall>> =>
  manifold(`complex-oblique(${n}, ${p})`, [n, p], columns, (E) => {
    const on = obliqueConstraint(E, n, p);
    // a phase leads from 1 to −1
    const { reflections: _, ...traits } = on.traits;
    return { ...on, name: "complex-oblique", dimension: 2 * n * p - p, traits };
  });

/** Complex vectors of length 1, n×1 */
export const complexSphere = (n: number): Manifold<ComplexMatrix<Tall>> =>
  manifold(`complex-sphere(${n})`, [n, 1], hermitian, (E) => ({
    ...complexStiefelConstraint(E, n, 1),
    name: "complex-sphere",
  }));

/** Any complex matrix */
export const complexEuclidean = (n: number, p: number): Manifold<ComplexMatrix<Tall>> =>
  manifold(`complex-euclidean(${n}, ${p})`, [n, p], pairs, (E) => ({
    ...euclideanConstraint(E, n, p),
    name: "complex-euclidean",
    dimension: 2 * n * p,
    size: Math.sqrt(2 * n * p),
  }));

/**
 * Complex numbers of modulus 1, phases, as a row 1×n:
 *
 *     minimize(formula((z: ComplexExpr) => …), { on: circle(5) })
 */
export function circle(n: number, ...more: never[]): Manifold<ComplexMatrix<Tall>> {
  requireNoMore("circle(n)", more);
  requireSizes("circle", { n });
  return { ...complexOblique(1, n), text: `circle(${n})` };
}
