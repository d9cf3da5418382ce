import type { Declared, Formula, Objective } from "@expen/core";
import { type Domain, declared, itself, leaves, mapView, refuseQuadratic, type View } from "@expen/core";
import type { Matrix, Tall } from "@expen/linalg";
import { anything, bool, chosenOptions, described, type SchemaOf } from "@expen/linalg";
import { compile, compileParts } from "./compile.js";
import { type Expr, fail } from "./graph.js";
import type { Arg } from "./leaves.js";

/** A point in a formula: an expression, or the parts of a point of several matrices by name */
export type SymbolicPoint = Expr & { readonly [part: string]: SymbolicPoint };

const SCHEMA: SchemaOf<Declared> = { quadratic: anything, convex: bool };

/**
 * f(X) written with the operations of the tape, as an objective for any manifold; value, gradient and Hessian-vector products follow:
 *
 *     minimize(formula((X) => trace(mul(t(X), A, X))), { on: stiefel(n, p) })
 *     minimize(formula(({ U, V }) => trace(mul(t(U), A, V))), { on: product({ U: stiefel(5, 2), V: stiefel(4, 2) }) })
 *
 * `given`: declared properties of f, as for an f written by hand
 */
export function formula<X = SymbolicPoint>(build: (X: X) => Arg, given: Declared = {}): Formula {
  if (typeof build !== "function") fail("formula", `it is ${described(build)}; give a function of X`);
  const known = declared(chosenOptions("formula", given, SCHEMA));
  const bind = (domain: Domain<View>): Objective => {
    const { base, on, view } = domain;
    if ((view as (X: Tall) => View) !== itself) return onParts(domain, build as (Xs: never) => Arg, known);
    const tape = compile(base, on.shape, (X) => build(X as X));
    return { ...tape, quadratic: known.quadratic ?? tape.quadratic, convex: known.convex, compiled: true };
  };
  return { declared: known, bind };
}

/** A formula of the matrices of a view */
function onParts(domain: Domain<View>, build: (Xs: never) => Arg, { quadratic, convex }: Declared): Objective {
  if (quadratic) refuseQuadratic(domain);
  const { base, E, on, view } = domain;
  const { n, p } = on.shape;
  const shown = view(E.tall(n, p));
  const inputs = leaves(shown).map(({ name, matrix: { rows, cols } }) => ({ name, rows, cols }));
  const tape = compileParts(base, inputs, (Xs) => {
    let next = 0;
    return build(mapView(shown, () => Xs[next++] as Matrix) as never);
  });
  const parts = new WeakMap<Tall, Tall[]>();
  /** the matrices of a point, in the order of the inputs */
  const matricesOf = (X: Tall): Tall[] => {
    let found = parts.get(X);
    if (!found) parts.set(X, (found = leaves(view(X)).map(({ matrix }) => matrix as Tall)));
    return found;
  };
  const linearize = (X: Tall): ((H: Tall, D: Tall) => void) => {
    const hessian = tape.linearize(matricesOf(X));
    return (H, D) => hessian(matricesOf(H), matricesOf(D));
  };
  return {
    n,
    p,
    f: (X) => tape.f(matricesOf(X)),
    fg: (G, X) => tape.fg(matricesOf(G), matricesOf(X)),
    ...(tape.isTwiceDifferentiable && { hvp: (H, X, D) => linearize(X)(H, D), linearize }),
    convex,
    compiled: true,
  };
}
