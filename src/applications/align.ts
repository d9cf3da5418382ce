import { specialOrthogonal } from "../constraints/manifolds.js";
import { withEngine } from "../engines/open.js";
import { smallOf, tallOf } from "../engines/own-matrix.js";
import { checkData, ProblemError, requireMatrices } from "../linalg/given.js";
import { svd } from "../linalg/svd.js";
import { quadraticObjective } from "../objective/quadratic-objective.js";
import { bool } from "../options.js";
import type { Engine, Matrix, Objective, Small } from "../types.js";
import { type Application, type ApplicationOptions, bestOf, optionsOf, plainOf, runOn } from "./application.js";
import { columnMeans, overflow, prepared, squareSum } from "./columns.js";
import { bothComponents, orientation } from "./rotation-component.js";

export interface AlignOptions extends ApplicationOptions {
  /** allow reflections (det = −1), not only rotations */
  reflections?: boolean;
  /** allow a change of size */
  scaling?: boolean;
  /** allow a shift */
  translation?: boolean;
}

export interface AlignAnswer extends Application {
  /** d×d orthogonal: target ≈ scale·source·rotation + 1·translationᵀ */
  rotation: Matrix;
  scale: number;
  translation: Float64Array;
  /** the source moved onto the target, m×d */
  aligned: Matrix;
  /** root mean square distance of corresponding points */
  rms: number;
}

/**
 * Moves one point set onto another, point i to point i (m×d each): min Σ‖s·a_i R + t − b_i‖² over rotations R, with scale s and shift t
 * as allowed. For every s > 0 the best R maximises ⟨M, R⟩, M = ÂᵀB̂ of the centred sets; then s = ⟨M, R⟩/‖Â‖² and t = b̄ − s·āR.
 * The certificate is a proof: where reflections are allowed, −⟨M, ·⟩ is convex with multiplier ⪯ 0; of rotations the closed form
 * −(σ₁ + … + σ_{d−1} ± σ_d) of Kabsch and Umeyama is met.
 */
export async function align(source: Matrix, target: Matrix, given: AlignOptions = {}): Promise<AlignAnswer> {
  const {
    reflections = false,
    scaling = false,
    translation = true,
    ...o
  } = optionsOf("align", given, { reflections: bool, scaling: bool, translation: bool });
  requireMatrices("align", { source, target });
  const { rows: m, cols: d } = source;
  checkData("align", "source", source, m, d);
  checkData("align", "target", target, m, d);
  if (m < 1 || d < 1) throw new ProblemError(`align: the point sets are ${m}×${d}; at least one point is needed.`);
  return withEngine(o.engine, async (E) => {
    const centreOf = (P: Matrix): Float64Array => (translation ? columnMeans(P) : new Float64Array(d));
    const [from, to] = [prepared(source, centreOf(source), false), prepared(target, centreOf(target), false)];
    if (!Number.isFinite(squareSum(from.data) + squareSum(to.data))) throw overflow("align", "the points");
    const M = E.small(d, d);
    E.tmul(M, tallOf(E, from.data), tallOf(E, to.data));

    const f = againstLinear(E, plainOf(E, M));
    const run = reflections
      ? await bestOf(E, f, bothComponents(E, d, o.seed ?? 1), o)
      : await runOn(E, f, specialOrthogonal(d), o, { optimum: leastOfRotations(E, M) });

    const R = smallOf(E, run.X);
    const size = squareSum(from.data);
    const scale = scaling && size > 0 ? Math.max(0, E.dot(M, R) / size) : 1;
    const image = E.tall(m, d);
    E.mul(image, tallOf(E, source), R, scale);
    const moved = plainOf(E, image);
    const shift = new Float64Array(d);
    if (translation) {
      const mean = columnMeans(moved);
      for (let j = 0; j < d; j++) shift[j] = to.centre[j]! - mean[j]!;
    }
    const aligned = moved.data.map((v, k) => v + shift[k % d]!);
    const square = aligned.reduce((s, v, k) => s + (v - target.data[k]!) ** 2, 0);
    return {
      rotation: run.X,
      scale,
      translation: shift,
      aligned: { rows: m, cols: d, data: aligned },
      rms: Math.sqrt(square / m),
      run,
    };
  });
}

/** f(X) = −⟨M, X⟩ */
function againstLinear(E: Engine, { rows: d, data }: Matrix): Objective {
  const minus = data.map((v) => -v);
  const L = E.tall(d, d, minus);
  return { ...quadraticObjective(E, d, d, { apply: (Y) => E.fill(Y, 0), L, flops: 0 }), convex: true };
}

/** −(σ₁ + … + σ_{d−1} ± σ_d), the sign that of det UVᵀ in M = UΣVᵀ */
function leastOfRotations(E: Engine, M: Small): number {
  const { U, s, V } = svd(E, M);
  const isRotation = orientation(plainOf(E, U)) * orientation(plainOf(E, V)) > 0;
  return -s.reduce((sum, v) => sum + v, 0) + (isRotation ? 0 : 2 * s.at(-1)!);
}
