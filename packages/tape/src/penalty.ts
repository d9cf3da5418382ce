import type { Domain, FormulaPenalty, View } from "@expen/core";
import { leaves, mapView } from "@expen/core";
import type { Matrix, Tall } from "@expen/linalg";
import { compileParts } from "./compile.js";
import { fail, type Graph, recording } from "./graph.js";
import { reader } from "./held.js";
import { type Arg, input, lift } from "./leaves.js";
import { entrywise, relu, square } from "./operations/elementwise.js";
import { add, scale, sub } from "./operations/linear.js";
import { dot } from "./operations/product.js";
import { sum } from "./operations/reduce.js";

/**
 * A formula g whose value is a number or a matrix, as constraints: the function of X and of shifts Θ of the shape of g
 *
 *     φ = ½Σ(max(0, Θ + g − bound)² − Θ²)   for g ≤ bound,       ⟨Θ, g − bound⟩ + ½‖g − bound‖²   for g = bound,
 *
 * whose gradient in Θ is all that the method of multipliers needs of the values of g (core/src/sets/block.ts). With `sizes` it is that of
 * (g − bound)/size.
 */
export function penaltyOf(
  domain: Domain<View>,
  build: (X: never) => Arg,
  { kind, bound, sizes }: { kind: "atMost" | "equal"; bound: number; sizes: Float64Array | undefined },
): FormulaPenalty {
  const { base, E, on, view } = domain;
  const point = view(E.tall(on.shape.n, on.shape.p));
  const inputs = leaves(point).map(({ name, matrix: { rows, cols } }) => ({ name: name || "X", rows, cols }));
  const record = (Xs: readonly unknown[]): Arg => {
    let next = 0;
    return build(mapView(point, () => Xs[next++] as Matrix) as never);
  };
  const { rows, cols } = shapeOfValue(kind, reader(base), inputs, record);
  const tape = compileParts(base, [...inputs, { name: "Θ", rows, cols }], (Xs) => {
    const theta = Xs.at(-1)!;
    const own = bound === 0 ? record(Xs) : sub(record(Xs), bound);
    const g = sizes ? entrywise({ rows, cols, data: sizes.map((size) => 1 / size) }, own) : own;
    if (kind === "equal") return add(dot(theta, g), scale(0.5, dot(g, g)));
    const above = relu(add(theta, g));
    return scale(0.5, sub(sum(square(above)), sum(square(theta))));
  });
  const matricesOf = (X: Tall): Tall[] => leaves(view(X)).map(({ matrix }) => matrix as Tall);
  return { rows, cols, fg: (H, V, X, theta) => tape.fg([...matricesOf(H), V], [...matricesOf(X), theta]) };
}

/** Rows and columns of g, from a recording that is thrown away */
function shapeOfValue(
  kind: string,
  read: Graph["read"],
  inputs: readonly { rows: number; cols: number }[],
  record: (Xs: readonly unknown[]) => Arg,
): { rows: number; cols: number } {
  return recording({ nodes: new Map(), leaves: new Map(), read }, () => {
    const value = record(inputs.map(({ rows, cols }, i) => input(`X ${i}`, rows, cols, 1)));
    if (value === undefined) fail(kind, "its formula returns nothing; return g(X)");
    return lift(kind, value);
  });
}
