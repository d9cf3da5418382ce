import type { Engine, Small, Tall } from "@expen/linalg";
import { norm } from "@expen/linalg/dense";
import type { Dissolver } from "../contracts/dissolver.js";
import type { Equations } from "./equations.js";
import type { Linearization } from "./linearization.js";
import { length } from "./way-back.js";

/** ‖tD‖ of a central difference of Jᵀλ along D, relative to 1 + ‖X‖ */
const REACH = Math.cbrt(2 ** -52);

/**
 * K = c(X), A(X) = X − Jᵀ(JJᵀ)⁺c(X) and what follows from them at a feasible X: small matrices are vectors of m numbers, `normal` adds
 * JᵀC, and the derivative of A is the projection P to the null space of J. P is applied twice, which leaves ‖JPZ‖ at roundoff where J is
 * ill-conditioned. (Off the manifold `jacobian` and `adjoint` lack the second derivatives of c, which only ExPen would need.)
 */
export function equationsDissolver(
  E: Engine,
  c: Equations,
  at: (X: Tall) => Linearization | undefined,
  n: number,
  p: number,
): Dissolver {
  const m = c.size;
  const [w, twice, r] = [new Float64Array(m), new Float64Array(m), new Float64Array(m)];
  const [Y, Z0, Z1] = [E.tall(n, p), E.tall(n, p), E.tall(n, p)];

  function jacobianAt(X: Tall): Linearization {
    const J = at(X);
    if (J) return J;
    throw new RangeError(
      "ownManifold: the Jacobian of c is not finite at a point of the run; check c and its jacobian.",
    );
  }

  /** Z ← PZ, S ← the multipliers */
  function tangent(Z: Tall, X: Tall, S?: Small): void {
    const J = jacobianAt(X);
    w.fill(0);
    for (let pass = 0; pass < 2; pass++) {
      J.multiply(twice, Z);
      J.solve(twice);
      for (let i = 0; i < m; i++) {
        w[i]! += twice[i]!;
        twice[i]! *= -1;
      }
      J.adjoint(Z, twice, 1);
    }
    if (S) E.write(S, w);
  }
  function normal(Z: Tall, X: Tall, C: Small, a: number): void {
    E.read(C, w);
    for (let i = 0; i < m; i++) w[i]! *= a;
    jacobianAt(X).adjoint(Z, w, 1);
  }
  /** H ← H + a·(the derivative of JᵀC along D, C fixed) */
  function curve(H: Tall, D: Tall, X: Tall, C: Small, a: number): void {
    const size = norm(E, D);
    if (!(size > 0)) return;
    const t = (REACH * (1 + norm(E, X))) / size;
    E.read(C, r);
    for (const [Z, step] of [
      [Z0, t],
      [Z1, -t],
    ] as const) {
      E.combine(Y, 1, X, step, D);
      E.fill(Z, 0);
      c.adjoint(Z, Y, r);
    }
    E.combine(Z0, 1, Z0, -1, Z1);
    E.combine(H, 1, H, a / (2 * t), Z0);
  }
  const d: Dissolver = {
    K(K, { X }) {
      c.value(r, X);
      E.write(K, r);
      return length(r);
    },
    S(S, { X }, G, M) {
      const J = jacobianAt(X);
      J.multiply(w, G);
      J.solve(w);
      E.write(S, w);
      if (M) E.write(M, w);
    },
    normal: (Z, { X }, C, a = 1) => normal(Z, X, C, a),
    A(Y, { X }, K) {
      const violation = d.K(K, { X, BX: X });
      E.copy(Y, X);
      const J = at(X);
      if (!J || !Number.isFinite(violation)) return violation;
      for (let i = 0; i < m; i++) w[i] = -r[i]!;
      J.solve(w);
      J.adjoint(Y, w, 1);
      return violation;
    },
    jacobian(J, { X: D }, { X }, _K, V) {
      E.copy(J, D);
      jacobianAt(X).multiply(w, D);
      E.write(V, w);
      tangent(J, X);
    },
    adjoint(H, G, { X }, _K, C) {
      E.copy(H, G);
      normal(H, X, C, 1);
    },
    adjointAlong(H, _G, { X }, _K, C, { D, dG, dC }) {
      E.copy(H, dG);
      normal(H, X, dC, 1);
      curve(H, D.X, X, C, 1);
    },
    tangent: (Z, { X }, S) => tangent(Z, X, S),
    shift: (H, { X: D }, { X }, S) => curve(H, D, X, S, -1),
    hessian(H, { X: D }, { X }, S) {
      curve(H, D, X, S, -1);
      tangent(H, X);
    },
    direction(J, { X }, { X: D }) {
      E.copy(J, D);
      tangent(J, X);
    },
    // S holds the multipliers themselves
    eigenvalues: (S) => E.read(S).slice().sort(),
  };
  return d;
}
