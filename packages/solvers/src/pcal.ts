import type { Geometry, Objective, Solver } from "@expen/core";
import { dissolver, normalStep, plainPoint } from "@expen/core";
import type { Engine, Tall } from "@expen/linalg";
import type { Field } from "./augmented.js";
import { type AugmentedBbOptions, augmentedBb } from "./barzilai-borwein/augmented-bb.js";

/**
 * PCAL, the column-wise parallelizable augmented Lagrangian method [Gao, Liu, Yuan, SIAM J. Sci. Comput. 41, 2019]: the field of PLAM,
 * projected to the tangent spaces of the unit spheres of the p columns, and columns of length 1 after each step,
 *
 *     D = ∇f + X·(βK − S − Diag(δ)),   δ = diag(Xᵀ(∇f + X(βK − S))),   x_j ← (x_j − η·d_j)/‖x_j − η·d_j‖,
 *
 * Departures: a normal step before the normalisation where ‖ZᵀZ − I‖ > 0.05 for Z = X − η·D, the step rule "sparing" in the place of
 * alternating steps, and the β and search of augmented-bb.ts.
 */
export function pcal(E: Engine, f: Objective, X0: Tall, o: AugmentedBbOptions = {}): Solver {
  return augmentedBb(E, f, X0, o, {
    geometry: unitColumns(E, f.n, f.p),
    first: 0.1,
    field: sphericalField(E, f.p),
    steps: { rule: "sparing", min: 1e-10 },
  });
}

/** The field of PCAL: as X has columns of length 1, δ_j = S_jj + ((I + K)(βK − S))_jj. */
export function sphericalField(E: Engine, p: number): Field {
  const B = E.small(p, p);
  const [b, k, s] = [new Float64Array(p * p), new Float64Array(p * p), new Float64Array(p * p)];
  const delta = new Float64Array(p);
  return (G, x, { on, K, S }, beta) => {
    E.combine(B, beta, K, -1, S);
    E.read(B, b);
    E.read(K, k);
    E.read(S, s);
    for (let j = 0; j < p; j++) {
      let sum = s[j * p + j]! + b[j * p + j]!;
      for (let i = 0; i < p; i++) sum += k[j * p + i]! * b[j * p + i]!;
      delta[j] = sum;
    }
    for (let j = 0; j < p; j++) b[j * p + j]! -= delta[j]!;
    E.write(B, b);
    on.dissolver.normal(G, x, B);
  };
}

/** Y ← Z = X + tD, after a normal step where ‖ZᵀZ − I‖ > above, with each column divided by its length */
export function unitColumns(E: Engine, n: number, p: number, above = 0.05): Geometry {
  const Z = E.tall(n, p);
  const approach = normalStep(E, p, dissolver(E, p));
  const [C, L] = [E.small(p, p), E.small(p, p)];
  const [c, l] = [new Float64Array(p * p), new Float64Array(p * p)];
  return {
    name: "unit columns",
    retract({ X: Y }, x, t, D) {
      E.combine(Z, 1, x.X, t, D);
      if (approach(Y, plainPoint(Z), above) > above) E.copy(Z, Y);
      E.gram(C, Z);
      E.read(C, c);
      for (let j = 0; j < p * p; j += p + 1) l[j] = 1 / Math.sqrt(c[j]!);
      E.write(L, l);
      E.mul(Y, Z, L);
    },
    project() {},
    hessian() {},
  };
}
