/** The members that callers ask for until they take points. Goes when the last of them does. */
import type { Engine, Small, Tall } from "../types.js";
import type { Constraint, OldMembers } from "./constraint.js";
import { multiplierEigenvalues, multiplierSpread } from "./multiplier.js";
import { pointOf, roundingOf } from "./point.js";
import { normalStep } from "./stiefel/normal-step.js";
import { tangentProjector } from "./tangent-projector.js";

export function withOldMembers(E: Engine, given: Omit<Constraint, keyof OldMembers> & Partial<OldMembers>): Constraint {
  const on = given as Constraint;
  const { n, p } = on.shape;
  const { traits, dissolver: d } = on;
  let [at, other]: [ReturnType<typeof pointOf>?, ReturnType<typeof pointOf>?] = [];
  const x = (X: Tall) => (at ??= pointOf(E, on))(X);
  const along = (D: Tall) => (other ??= pointOf(E, on))(D);
  let N: Small | undefined;
  let spread: ((S: Small) => number) | undefined;
  const ends = (Y: Tall) => (traits.metric ? on.point() : { X: Y, BX: Y });
  const hand = <R>(Y: Tall, way: (y: { X: Tall; BX: Tall }) => R): R => {
    const y = ends(Y);
    const result = way(y);
    if (y.X !== Y) E.copy(Y, y.X);
    return result;
  };
  const old: OldMembers = {
    n,
    p,
    radius: on.size,
    reach: on.longestStep,
    orthonormal: traits.orthonormal,
    frame: traits.coordinates,
    factors: traits.parts,
    metric: traits.metric?.operator,
    factor: traits.metric?.factor,
    residual: (K, X) => d.K(K, x(X)),
    violation: (X) => d.K((N ??= E.small(p, p)), x(X)),
    rounding: traits.metric && ((X) => roundingOf(E, on, { X })),
    inside: traits.inComponent,
    multiplier: (S, X, G, M) => d.S(S, { X, BX: X }, G, M),
    normal: (Z, X, C, a) => d.normal(Z, x(X), C, a),
    tangent: (Z, X, S) => d.tangent(Z, x(X), S),
    hessian: (H, D, X, S) => d.hessian(H, along(D), x(X), S),
    direction: traits.metric && ((J, X, D) => d.direction(J, x(X), along(D))),
    orthogonal:
      traits.metric || traits.quotient
        ? (X) => {
            const own = on.point();
            E.copy(own.X, X);
            on.update(own);
            return tangentProjector(E, on, own);
          }
        : undefined,
    reflections: traits.reflections,
    quotient: traits.quotient,
    eigenvalues: (S) => multiplierEigenvalues(E, on, S),
    spread: (S) => (spread ??= multiplierSpread(E, on))(S),
    dissolve: (Y, X, K) => d.A(Y, x(X), K),
    push: (J, D, X, K, V) => d.jacobian(J, along(D), x(X), K, V),
    pullback: (H, G, X, K, C) => d.adjoint(H, G, x(X), K, C),
    pullbackAlong: (H, G, X, K, C, a) => d.adjointAlong(H, G, x(X), K, C, { ...a, D: along(a.D) }),
    restorer: (tolerance) => (Y, X) => hand(Y, (y) => on.restore(y, X, tolerance)),
    approacher() {
      const approach = normalStep(E, on);
      return (Y, X, above) => approach(Y, x(X), above);
    },
    projector: () => (Y, X) => hand(Y, (y) => on.project(y, X)),
  };
  return Object.assign({ ...on }, old) as Constraint;
}
