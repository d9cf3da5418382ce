import type { ProductEngine } from "@expen/linalg/algebras";
import type { Constraint } from "../contracts/constraint.js";
import type { Point } from "../contracts/point.js";
import { plainPoint } from "./point.js";
import { productDissolver } from "./product-dissolver.js";
import { type Reflection, WHOLE } from "./reflections.js";

/** Several matrices, each on a constraint of its own: everything goes part by part; ‖K‖² and dimensions add up. */
export function productConstraint(E: ProductEngine, parts: readonly Constraint[]): Constraint {
  const { n, p } = E;
  const points = ({ X, BX }: Point): readonly Point[] => {
    const xs = E.parts(X);
    if (X === BX) return xs.map(plainPoint);
    const bxs = E.parts(BX);
    return xs.map((X, i) => ({ X, BX: bxs[i]! }));
  };
  const sumOf = (value: (on: Constraint) => number): number => parts.reduce((sum, on) => sum + value(on), 0);
  const metrics = parts.flatMap(({ traits }) => traits.metric ?? []);
  const reflections = parts.flatMap((on, i) =>
    (on.traits.reflections ?? []).map((reflection) => reflectionOfPart(E, i, reflection)),
  );
  return {
    name: "product",
    shape: { n, p },
    dimension: sumOf((on) => on.dimension),
    size: Math.hypot(...parts.map((on) => on.size)),
    longestStep: Math.hypot(...parts.map((on) => on.longestStep)),
    traits: {
      orthonormal: false,
      parts: { list: parts.map((on, i) => ({ E: E.factors[i]!.E, on })), of: E.parts },
      inComponent(X) {
        const xs = E.parts(X);
        return parts.every((on, i) => on.traits.inComponent?.(xs[i]!) ?? true);
      },
      ...(metrics.length > 0 && { metric: { norm: Math.max(1, ...metrics.map(({ norm }) => norm)) } }),
      ...(reflections.length > 0 && { reflections }),
      ...(parts.some((on) => on.traits.singularity) && {
        singularity(X) {
          const xs = E.parts(X);
          return parts.map((on, i) => on.traits.singularity?.(xs[i]!)).find((text) => text !== undefined);
        },
      }),
    },
    dissolver: productDissolver(
      parts.map((on) => on.dissolver),
      { matrices: E.parts, points },
    ),
    point(X = E.tall(n, p)) {
      if (metrics.length === 0) return plainPoint(X);
      // parts with B = I have one matrix for X and BX
      const xs = E.parts(X);
      return { X, BX: E.joined(parts.map((on, i) => on.point(xs[i]!).BX)) };
    },
    update(x) {
      for (const [i, part] of points(x).entries()) parts[i]!.update(part);
    },
    restore(y, Z, tolerance) {
      const [ys, zs] = [points(y), E.parts(Z)];
      for (const [i, on] of parts.entries()) on.restore(ys[i]!, zs[i]!, tolerance);
    },
    project(y, Z) {
      const [ys, zs] = [points(y), E.parts(Z)];
      return parts.reduce((rank, on, i) => rank + on.project(ys[i]!, zs[i]!), 0);
    },
    random(y, r) {
      for (const [i, part] of points(y).entries()) parts[i]!.random(part, r);
    },
  };
}

/** The reflection of one part, which leaves the others where they are. Of a product of products its name is "W.U". */
function reflectionOfPart(E: ProductEngine, i: number, { number, reflect }: Reflection): Reflection {
  const own = E.factors[i]!.name ?? String(i + 1);
  return {
    number: (name) => number(name === WHOLE ? own : `${name}.${own}`),
    reflect(Y, X, S) {
      E.copy(Y, X);
      reflect(E.parts(Y)[i]!, E.parts(X)[i]!, S && E.parts(S)[i]!);
    },
  };
}
