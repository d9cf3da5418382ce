/** Objectives of operators and engine operations alone, for engines that hide their numbers. */

import type { Objective } from "@expen/core";
import { quadraticObjective } from "@expen/core";
import type { Engine, Matrix, Tall } from "@expen/linalg";
import { random, unitSymmetric } from "@expen/linalg";
import { orthonormalizer } from "@expen/linalg/dense";

/** f(X) = ½ tr(XᵀLX) + ¼ρᵀL⁻¹ρ, ρ_i = Σ_j X_ij², L = tridiag(−1, 2, −1) */
export function noeig(E: Engine, n: number, p: number): Objective {
  const column = (value: number): Matrix => ({ rows: n, cols: 1, data: new Float64Array(n).fill(value) });
  const L = E.operator({ lower: column(-1), main: column(2), upper: column(-1) });
  const [rho, z, V] = [E.tall(n, 1), E.tall(n, 1), E.tall(n, p)];
  const fg = (G: Tall, X: Tall): number => {
    E.rowDots(rho, X, X);
    L.solve!(z, rho);
    L.apply(G, X);
    const linear = 0.5 * E.dot(X, G);
    E.scaleRows(G, z, X, 1, 1);
    return linear + 0.25 * E.dot(rho, z);
  };
  return {
    n,
    p,
    fg,
    f: (X) => fg(V, X),
    hvp(H, X, D) {
      E.rowDots(rho, X, X);
      L.solve!(z, rho);
      L.apply(H, D);
      E.scaleRows(H, z, D, 1, 1);
      E.rowDots(rho, X, D);
      L.solve!(z, rho);
      E.scaleRows(H, z, X, 2, 1);
    },
  };
}

/** f(X) = ½ tr(XᵀBXC), and + ⟨L, X⟩ where `linear` */
export function brockett(E: Engine, n: number, p: number, seed: number, linear = false): Objective {
  const { apply, flops } = E.operator(unitSymmetric(n, random(seed, "brockett B")));
  const C = E.small(p, p, unitSymmetric(p, random(seed, "brockett C")).data);
  const L = E.tall(n, p);
  E.write(L, random(seed, "brockett L").normal);
  return quadraticObjective(E, n, p, { apply: (Y, X) => apply(Y, X), flops, ...(linear ? { L } : { C }) });
}

/** A seeded random point with orthonormal columns, the same on every engine but for rounding */
export function feasible(E: Engine, n: number, p: number, seed: number): Tall {
  const [Q, Z] = [E.tall(n, p), E.tall(n, p)];
  E.write(Z, random(seed, "start").normal);
  orthonormalizer(E, n, p, Z)(Q, Z);
  return Q;
}
