import type { ComplexMatrix } from "../constraints/manifold.js";
import { complexStiefel } from "../constraints/manifolds.js";
import { withEngine } from "../engines/open.js";
import { tallOf } from "../engines/own-matrix.js";
import type { UserObjective } from "../objective/objective.js";
import { checkData, checkSizes, requireMatrices } from "../problems/problem.js";
import type { Engine, Tall } from "../types.js";
import { type Application, type ApplicationOptions, optionsOf, runOn } from "./application.js";

export type NearestUnitaryOptions = ApplicationOptions;

export interface NearestUnitaryAnswer extends Application<ComplexMatrix> {
  /** n×p with UᴴU = I */
  unitary: ComplexMatrix;
  /** ‖Z − U‖ */
  distance: number;
}

/**
 * The unitary matrix nearest to Z, for n > p one with orthonormal columns: min ½‖Z − X‖² = ½‖Z‖² + p/2 − Re tr ZᴴX. It is the polar factor
 * of Z = U·H, H = Hᴴ ⪰ 0 [Higham 1986].
 */
export async function nearestUnitary(
  Z: ComplexMatrix,
  given: NearestUnitaryOptions = {},
): Promise<NearestUnitaryAnswer> {
  const o = optionsOf("nearest-unitary", given, {});
  const { re, im } = Z ?? {};
  requireMatrices("nearest-unitary", { "Re Z": re, "Im Z": im });
  const { rows: n, cols: p } = re;
  checkSizes("nearest-unitary", n, p);
  checkData("nearest-unitary", "Re Z", re, n, p);
  checkData("nearest-unitary", "Im Z", im, n, p);
  return withEngine(o.engine, async (E) => {
    const Z = { re: tallOf(E, re), im: tallOf(E, im) };
    const run = await runOn(E, distanceTo(E, Z, p), complexStiefel(n, p), o);
    return { unitary: run.X, distance: Math.sqrt(Math.max(0, 2 * run.fval)), run };
  });
}

/** ½‖Z − X‖² without the part ½‖X‖² − p/2, which is 0 for unitary X: linear in X */
function distanceTo(E: Engine, Z: ComplexMatrix<Tall>, p: number): UserObjective<ComplexMatrix<Tall>> {
  const constant = 0.5 * (E.dot(Z.re, Z.re) + E.dot(Z.im, Z.im) + p);
  const f = (X: ComplexMatrix<Tall>): number => constant - E.dot(Z.re, X.re) - E.dot(Z.im, X.im);
  return {
    f,
    grad(G) {
      E.combine(G.re, -1, Z.re, 0, Z.re);
      E.combine(G.im, -1, Z.im, 0, Z.im);
    },
    hvp(H) {
      E.fill(H.re, 0);
      E.fill(H.im, 0);
    },
  };
}
