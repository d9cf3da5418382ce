import type { BoundFormula, Declared, Formula, Objective } from "@expen/core";
import { checkedForm, type Domain, itself, leaves, mapView, refuseQuadratic, type View } from "@expen/core";
import type { Matrix, Tall } from "@expen/linalg";
import { anything, bool, chosenOptions, described, type SchemaOf } from "@expen/linalg";
import { compile, compileParts } from "./compile.js";
import type { TapeFunction } from "./evaluation.js";
import { type Expr, fail } from "./graph.js";
import { itemParameters, type SymbolicItem } from "./item.js";
import type { Arg } from "./leaves.js";
import { penaltyOf } from "./penalty.js";

/** A point in a formula: an expression, or the parts of a point of several matrices by name */
export type SymbolicPoint = Expr & { readonly [part: string]: SymbolicPoint };

const SCHEMA: SchemaOf<Declared> = { quadratic: anything, convex: bool };

/**
 * f(X) written with the operations of the tape, as an objective for any manifold; value, gradient and Hessian-vector products follow:
 *
 *     minimize(formula((X) => trace(mul(t(X), A, X))), { on: stiefel(n, p) })
 *     minimize(formula(({ U, V }) => trace(mul(t(U), A, V))), { on: product({ U: stiefel(5, 2), V: stiefel(4, 2) }) })
 *
 * With a second argument it is a formula of many items, whose numbers and matrices change between runs without recording it again:
 *
 *     minimizeMany(formula((R, { P, Q }) => norm2(sub(mul(R, P), Q))), { on: specialOrthogonal(3), data: [{ P, Q }, …] })
 *
 * `given`: declared properties of f, as for an f written by hand
 */
export function formula<X = SymbolicPoint, I = SymbolicItem>(
  build: (X: X, item: I) => Arg,
  declarations: Declared = {},
): Formula {
  if (typeof build !== "function") fail("formula", `it is ${described(build)}; give a function of X`);
  const known = chosenOptions("formula", declarations, SCHEMA);
  if (known.quadratic) checkedForm(known.quadratic);
  const bind = (domain: Domain<View>, item?: unknown): BoundFormula => {
    if (item === undefined && build.length > 1) {
      fail("formula", "it has a second argument, an item of many; give it to minimizeMany with { data }");
    }
    const items = item === undefined ? undefined : itemParameters(item);
    const onItem = onDomain(domain, (X) => build(X as X, items?.symbolic as I), known);
    const { objective, set, parameters } = onItem;
    if (!items) return objective;
    const setItem = (other: unknown): boolean => {
      const values = items.valuesOf(other);
      if (values) for (const name of parameters) set(name, values.get(name)!);
      return values !== undefined;
    };
    return Object.defineProperties(objective as BoundFormula, {
      setItem: { value: setItem },
      isLinear: { get: () => onItem.isLinear },
    });
  };
  return {
    declared: known,
    hasItem: build.length > 1,
    bind,
    penalty: (domain, kind, bound, sizes) =>
      penaltyOf(domain, build as unknown as (X: never) => Arg, { kind, bound, sizes }),
  };
}

/** A formula on a domain, with its parameters */
interface OnDomain extends Pick<TapeFunction, "set" | "parameters" | "isLinear"> {
  readonly objective: Objective;
}

function onDomain(domain: Domain<View>, build: (X: never) => Arg, known: Declared): OnDomain {
  const { base, on, view } = domain;
  if ((view as (X: Tall) => View) !== itself) return onParts(domain, build, known);
  const tape = compile(base, on.shape, build as (X: Expr) => Arg);
  const { n, p, f, fg, hvp, linearize, set, parameters } = tape;
  const objective = {
    n,
    p,
    f,
    fg,
    hvp,
    linearize,
    // read by each run, as the form changes with the item
    get quadratic() {
      return known.quadratic ?? tape.quadratic;
    },
    convex: known.convex,
    compiled: true,
  };
  return {
    objective,
    set,
    parameters,
    get isLinear() {
      return tape.isLinear;
    },
  };
}

/** A formula of the matrices of a view */
function onParts(domain: Domain<View>, build: (Xs: never) => Arg, { quadratic, convex }: Declared): OnDomain {
  if (quadratic) refuseQuadratic(domain);
  const { base, E, on, view } = domain;
  const { n, p } = on.shape;
  const point = view(E.tall(n, p));
  const inputs = leaves(point).map(({ name, matrix: { rows, cols } }) => ({ name, rows, cols }));
  const tape = compileParts(base, inputs, (Xs) => {
    let next = 0;
    return build(mapView(point, () => Xs[next++] as Matrix) as never);
  });
  const parts = new WeakMap<Tall, Tall[]>();
  /** the matrices of a point, in the order of the inputs */
  const matricesOf = (X: Tall): Tall[] => {
    let matrices = parts.get(X);
    if (!matrices) parts.set(X, (matrices = leaves(view(X)).map(({ matrix }) => matrix as Tall)));
    return matrices;
  };
  const linearize = (X: Tall): ((H: Tall, D: Tall) => void) => {
    const hessian = tape.linearize(matricesOf(X));
    return (H, D) => hessian(matricesOf(H), matricesOf(D));
  };
  const objective: Objective = {
    n,
    p,
    f: (X) => tape.f(matricesOf(X)),
    fg: (G, X) => tape.fg(matricesOf(G), matricesOf(X)),
    ...(tape.isTwiceDifferentiable && { hvp: (H, X, D) => linearize(X)(H, D), linearize }),
    convex,
    compiled: true,
  };
  return { objective, set: tape.set, parameters: tape.parameters, isLinear: false };
}
