import type { ProductEngine } from "../engines/algebras/product.js";
import type { Small, Tall } from "../types.js";
import type { Constraint } from "./constraint.js";
import { type Reflection, WHOLE } from "./reflections.js";

/** Of both kinds, some left out */
type Matrices = readonly (Tall | Small | undefined)[];

/** Several matrices, each on a constraint of its own: everything goes part by part; ‖K‖² and dimensions add up. */
export function productConstraint(E: ProductEngine, parts: readonly Constraint[]): Constraint {
  const { n, p } = E;
  /** op on the first parts of all matrices, on the second ones, … */
  const each = <T extends Matrices>(Ms: readonly [...T], op: (on: Constraint, Ms: T) => void): void => {
    const all = Ms.map((M) => M && E.parts(M));
    for (let i = 0; i < parts.length; i++) op(parts[i]!, all.map((A) => A?.[i]) as Matrices as T);
  };
  /** √Σ of the squares of what op returns */
  const length = <T extends Matrices>(Ms: readonly [...T], op: (on: Constraint, Ms: T) => number): number => {
    let sum = 0;
    each<T>(Ms, (on, parts) => {
      sum += op(on, parts) ** 2;
    });
    return Math.sqrt(sum);
  };
  const sumOf = (value: (on: Constraint) => number): number => parts.reduce((sum, on) => sum + value(on), 0);
  /** one function for each part, called together */
  const together = <R>(ways: readonly ((Y: Tall, X: Tall) => R)[], Y: Tall, X: Tall): R[] => {
    const [ys, xs] = [E.parts(Y), E.parts(X)];
    return ways.map((way, i) => way(ys[i]!, xs[i]!));
  };

  const ofPart = (i: number, { number, reflect }: Reflection): Reflection => {
    const own = E.factors[i]!.name ?? String(i + 1);
    return {
      // of a product of products: "W.U"
      number: (name) => number(name === WHOLE ? own : `${name}.${own}`),
      reflect(Y, X, S) {
        E.copy(Y, X);
        reflect(E.parts(Y)[i]!, E.parts(X)[i]!, S && E.parts(S)[i]!);
      },
    };
  };

  const on: Constraint = {
    name: "product",
    n,
    p,
    dimension: sumOf((on) => on.dimension),
    radius: Math.hypot(...parts.map((on) => on.radius)),
    reach: Math.hypot(...parts.map((on) => on.reach)),
    orthonormal: false,
    factors: { list: parts.map((on, i) => ({ E: E.factors[i]!.E, on })), of: E.parts },
    residual: (K, X) => length([K, X], (on, [k, x]) => on.residual(k, x)),
    violation: (X) => length([X], (on, [x]) => on.violation(x)),
    inside(X) {
      const xs = E.parts(X);
      return parts.every((on, i) => on.inside?.(xs[i]!) ?? true);
    },
    multiplier: (S, X, G, M) => each([S, X, G, M], (on, [s, x, g, m]) => on.multiplier(s, x, g, m)),
    normal: (Z, X, C, a) => each([Z, X, C], (on, [z, x, c]) => on.normal(z, x, c, a)),
    tangent: (Z, X, S) => each([Z, X, S], (on, [z, x, s]) => on.tangent(z, x, s)),
    hessian: (H, D, X, S) => each([H, D, X, S], (on, [h, d, x, s]) => on.hessian(h, d, x, s)),
    eigenvalues(S) {
      const all = new Float64Array(p);
      let at = 0;
      each([S], (on, [s]) => {
        const own = on.eigenvalues(s);
        all.set(own, at);
        at += own.length;
      });
      return all.subarray(0, at).sort();
    },
    spread(S) {
      let largest = 0;
      each([S], (on, [s]) => {
        largest = Math.max(largest, on.spread(s));
      });
      return largest;
    },
    dissolve: (Y, X, K) => length([Y, X, K], (on, [y, x, k]) => on.dissolve(y, x, k)),
    push: (J, D, X, K, V) => each([J, D, X, K, V], (on, [j, d, x, k, v]) => on.push(j, d, x, k, v)),
    pullback: (H, G, X, K, C) => each([H, G, X, K, C], (on, [h, g, x, k, c]) => on.pullback(h, g, x, k, c)),
    pullbackAlong: (H, G, X, K, C, { D, V, dG, dC }) =>
      each([H, G, X, K, C, D, V, dG, dC], (on, [h, g, x, k, c, d, v, dg, dc]) =>
        on.pullbackAlong(h, g, x, k, c, { D: d, V: v, dG: dg, dC: dc }),
      ),
    restorer(tolerance) {
      const ways = parts.map((on) => on.restorer(tolerance));
      return (Y, X) => void together(ways, Y, X);
    },
    approacher() {
      const ways = parts.map((on) => on.approacher());
      return (Y, X, above = 0) => {
        const violation = on.violation(X);
        if (violation > above) together(ways, Y, X);
        else E.copy(Y, X);
        return violation;
      };
    },
    projector() {
      const ways = parts.map((on) => on.projector());
      return (Y, X) => together(ways, Y, X).reduce((sum, rank) => sum + rank, 0);
    },
    random: (X, r) => each([X], (on, [x]) => on.random(x, r)),
  };
  const reflections = parts.flatMap((on, i) => (on.reflections ?? []).map((reflection) => ofPart(i, reflection)));
  if (reflections.length > 0) Object.assign(on, { reflections });
  if (parts.some((on) => on.rounding)) on.rounding = (X) => length([X], (on, [x]) => on.rounding?.(x) ?? 0);
  if (parts.some((on) => on.direction)) {
    on.direction = (J, X, D) => {
      E.copy(J, D);
      each([J, X, D], (on, [j, x, d]) => {
        if (on.direction) on.direction(j, x, d);
        else on.tangent(j, x);
      });
    };
  }
  if (parts.some((on) => on.orthogonal)) {
    on.orthogonal = (X) => {
      const xs = E.parts(X);
      const ways = parts.map((on, i) => on.orthogonal?.(xs[i]!) ?? ((Z: Tall) => on.tangent(Z, xs[i]!)));
      return (Z) => {
        for (const [i, z] of E.parts(Z).entries()) ways[i]!(z);
      };
    };
  }
  return on;
}
