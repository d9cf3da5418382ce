import type { ClosedForm, Manifold, Objective } from "@expen/core";
import { quadraticObjective, specialOrthogonal, stiefel } from "@expen/core";
import { withEngine } from "@expen/engines";
import type { Engine, HostMatrix, Matrix, Small } from "@expen/linalg";
import { bool, checkData, digits, type MatrixLike, matrixOf, ProblemError } from "@expen/linalg";
import { svd } from "@expen/linalg/dense";
import { smallOf, tallOf } from "@expen/linalg/engine";
import { closedForm } from "@expen/solvers";
import {
  type Application,
  type ApplicationOptions,
  isAborted,
  optionsOf,
  plainOf,
  runOn,
  scaleColumns,
} from "./application.js";
import { columnMeans, overflow, prepared, squareSum } from "./columns.js";
import { type Description, describe, row } from "./description.js";
import { type Alignment, ofAlignment } from "./model/alignment.js";
import { modelOf } from "./model/model.js";
import { orientation } from "./rotation-component.js";

/** Options of `align`: which maps are allowed, and the run */
export interface AlignOptions extends ApplicationOptions {
  /** allow reflections (det = −1), not only rotations */
  reflections?: boolean;
  /** allow a change of size */
  scaling?: boolean;
  /** allow a shift */
  translation?: boolean;
}

/** The map of `align`, a `Model` that applies it to other points, with the aligned source and its distance from the target */
export interface AlignAnswer extends Application, Alignment {
  /** d×d orthogonal: target ≈ scale·source·rotation + 1·translationᵀ */
  rotation: HostMatrix;
  scale: number;
  translation: Float64Array;
  /** m×d: scale·source·rotation + 1·translationᵀ */
  aligned: HostMatrix;
  /** root mean square distance of corresponding points */
  rms: number;
}

/**
 * Aligns two sets of corresponding points, m×d each: min Σ‖s·a_i R + t − b_i‖² over rotations R, with scale s and shift t if allowed.
 * For every s > 0 the optimal R maximises ⟨M, R⟩, M = ÂᵀB̂ of the centred sets; then s = ⟨M, R⟩/‖Â‖² and t = b̄ − s·āR. R is computed
 * from the singular vectors of M, or by the solver that `solver` names. The certificate is a proof: with reflections −⟨M, ·⟩ is convex
 * with multiplier ⪯ 0; for rotations the value is the closed form of the minimum.
 */
export async function align(points: MatrixLike, onto: MatrixLike, options: AlignOptions = {}): Promise<AlignAnswer> {
  const {
    reflections = false,
    scaling = false,
    translation = true,
    ...o
  } = optionsOf("align", options, { reflections: bool, scaling: bool, translation: bool });
  const [source, target] = [matrixOf("align", "source", points), matrixOf("align", "target", onto)];
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
    const { optimum, ...closed } = bySingularVectors(E, M, reflections);
    const closedRun = !o.solver && !isAborted(o) ? await closedForm(E, f, closed, { ...o, optimum }) : undefined;
    const run = closedRun ?? (await runOn(E, f, closed.on, o, { optimum }));

    const R = smallOf(E, run.X);
    const size = squareSum(from.data);
    const scale = scaling && size > 0 ? Math.max(0, E.dot(M, R) / size) : 1;
    const image = E.tall(m, d);
    E.mul(image, tallOf(E, source), R, scale);
    const rotated = plainOf(E, image);
    const shift = new Float64Array(d);
    if (translation) {
      const mean = columnMeans(rotated);
      for (let j = 0; j < d; j++) shift[j] = to.centre[j]! - mean[j]!;
    }
    const aligned = rotated.data.map((v, k) => v + shift[k % d]!);
    const square = aligned.reduce((s, v, k) => s + (v - target.data[k]!) ** 2, 0);
    const answer = {
      rotation: run.X,
      scale,
      translation: shift,
      aligned: { rows: m, cols: d, data: aligned },
      rms: Math.sqrt(square / m),
      run,
    };
    if (d > m && d > 3)
      run.notes.push(
        `the sets have ${m} points of ${d} coordinates; a point is a row: transpose them if it is a column`,
      );
    return modelOf<typeof answer, Alignment>("align", answer, ofAlignment);
  });
}

/** f(X) = −⟨M, X⟩ */
function againstLinear(E: Engine, { rows: d, data }: Matrix): Objective {
  const minus = data.map((v) => -v);
  const L = E.tall(d, d, minus);
  return { ...quadraticObjective(E, d, d, { apply: (Y) => E.fill(Y, 0), L, flops: 0 }), convex: true };
}

/**
 * min −⟨M, X⟩ is −(σ₁ + … + σ_{d−1} ± σ_d) at X = U·Diag(1, …, 1, ±1)·Vᵀ for M = UΣVᵀ: with + if reflections are allowed, otherwise with
 * the sign of det UVᵀ [Kabsch 1976; Umeyama 1991]. The multiplier there is −V·Diag(σ₁, …, ±σ_d)·Vᵀ.
 */
function bySingularVectors(E: Engine, M: Small, reflections: boolean): ClosedForm & { on: Manifold; optimum: number } {
  const { rows: d } = M;
  const { U, s, V } = svd(E, M);
  const isRotation = orientation(plainOf(E, U)) * orientation(plainOf(E, V)) > 0;
  const signs = Array.from(s, (_, j) => (j < d - 1 || reflections || isRotation ? 1 : -1));
  const X = E.small(d, d);
  E.mulT(X, smallOf(E, scaleColumns(plainOf(E, U), signs)), V);
  const values = s.map((v, j) => -v * signs[j]!);
  return {
    X: tallOf(E, plainOf(E, X)),
    formula: `UVᵀ of the ${d}×${d} cross products UΣVᵀ (singular values)`,
    spectrum: { values, vectors: V },
    on: reflections ? stiefel(d, d) : specialOrthogonal(d),
    optimum: values.reduce((sum, v) => sum + v, 0),
  };
}

export const description: Description = describe({
  name: "align",
  summary: "rotation, shift and scale that align one point set with another",
  files: [
    { name: "source", help: "points to be moved, one a row" },
    { name: "target", help: "the corresponding points, one a row" },
  ],
  options: [
    { name: "reflections", type: "boolean", help: "allow reflections, det = −1" },
    { name: "scaling", type: "boolean", help: "allow a change of size" },
  ],
  example: "source.csv target.csv --scaling --out aligned.csv",
  parts: ["rotation", "aligned"],
  points: "aligned",
  solve: ([source, target]: [Matrix, Matrix], o: AlignOptions) => align(source, target, o),
  report: ({ rotation, scale, translation, rms }) => ({
    saved: { name: "the rotation", matrix: rotation },
    lines: [
      ["scale", row([scale], 8)],
      ["shift, per coordinate", row(translation, 8)],
      ["rms distance of aligned points", digits(rms)],
    ],
    numbers: { scale, translation: Array.from(translation), rms },
  }),
});
