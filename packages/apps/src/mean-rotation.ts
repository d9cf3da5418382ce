import type { UserObjective } from "@expen/core";
import { specialOrthogonal, stiefelConstraint, violationOf } from "@expen/core";
import { withEngine } from "@expen/engines";
import type { Engine, HostMatrix, Matrix, Tall } from "@expen/linalg";
import { checkData, digits, type MatrixLike, matricesOf, oneOf, ProblemError } from "@expen/linalg";
import { tallOf } from "@expen/linalg/engine";
import { type Application, type ApplicationOptions, optionsOf, runOn } from "./application.js";
import { squareMatrices } from "./columns.js";
import { type Description, describe, entries } from "./description.js";
import { answerOf } from "./model/model.js";
import { orientation } from "./rotation-component.js";

/** φ(c) and φ'(c) for c = ⟨R, X⟩: the term of a rotation R in f(X) */
type Distance = (c: number, n: number) => [number, number];

/** δ, the distance below which the median's terms are quadratic, so that f is smooth; in ℝ³ distances are at most √8. */
const SMOOTHING = 1e-3;

/** A mean of rotations: of least squared distances, of least distances, or of least squared angles */
export type Average = "chordal" | "median" | "geodesic";

export const averages: Readonly<Record<Average, Distance>> = {
  /** ½‖X − R‖² = n − c */
  chordal: (c, n) => [n - c, -1],
  /** √(‖X − R‖² + δ²), ‖X − R‖² = 2n − 2c, robust against up to half of the rotations */
  median(c, n) {
    const length = Math.sqrt(Math.max(0, 2 * n - 2 * c) + SMOOTHING ** 2);
    return [length, -1 / length];
  },
  /** θ²/2 with the angle cos θ = (c − 1)/2, in three dimensions */
  geodesic(c) {
    const θ = Math.acos(Math.min(1, Math.max(-1, (c - 1) / 2)));
    return [θ ** 2 / 2, θ < 1e-8 ? -0.5 : -θ / Math.max(1e-12, Math.sin(θ)) / 2];
  },
};

/** Options of `meanRotation`: the kind of mean, and the run */
export interface MeanRotationOptions extends ApplicationOptions {
  /** "chordal" (default): squared distances; "geodesic": squared angles; "median": distances, robust against outliers */
  kind?: Average;
}

/** The mean of `meanRotation`, with the distance of each rotation from it */
export interface MeanRotationAnswer extends Application {
  /** n×n, orthogonal with determinant 1 */
  rotation: HostMatrix;
  /** ‖X − R_i‖ of each */
  distances: number[];
}

/** The mean or median of rotations: min (1/m)·Σ φ(⟨R_i, X⟩) over rotations X [Hartley, Trumpf, Dai, Li 2013]. */
export async function meanRotation(
  source: readonly MatrixLike[],
  options: MeanRotationOptions = {},
): Promise<MeanRotationAnswer> {
  const { kind = "chordal", ...o } = optionsOf("mean-rotation", options, { kind: oneOf(Object.keys(averages)) });
  const rotations = matricesOf("mean-rotation", source);
  const n = rotations[0]?.rows ?? 0;
  if (n === 0) throw new ProblemError("mean-rotation: there are no rotations; give at least one.");
  if (kind === "geodesic" && n !== 3) {
    throw new ProblemError(
      `mean-rotation: geodesic is for 3×3 rotations, these are ${n}×${n}; take chordal or median.`,
    );
  }
  for (const [i, R] of rotations.entries()) checkData("mean-rotation", `rotation ${i + 1}`, R, n, n);
  return withEngine(o.engine, async (E) => {
    for (const [i, R] of rotations.entries()) requireRotation(E, R, i + 1);
    const all = rotations.map((R) => tallOf(E, R));
    const run = await runOn(E, average(E, all, averages[kind]), specialOrthogonal(n), o);
    const c = new Float64Array(all.length);
    E.dots(c, all, all.length, tallOf(E, run.X));
    const distances = Array.from(c, (v) => Math.sqrt(Math.max(0, 2 * n - 2 * v)));
    return answerOf({ rotation: run.X, distances, run });
  });
}

function average(E: Engine, all: readonly Tall[], distance: Distance): UserObjective {
  const m = all.length;
  const [c, weights] = [new Float64Array(m), new Float64Array(m)];
  return {
    fg(G, X) {
      E.dots(c, all, m, X);
      let f = 0;
      for (let i = 0; i < m; i++) {
        const [value, slope] = distance(c[i]!, X.rows);
        f += value / m;
        weights[i] = slope / m;
      }
      E.combination(G, weights, all, m);
      return f;
    },
  };
}

function requireRotation(E: Engine, R: Matrix, place: number): void {
  const violation = violationOf(E, stiefelConstraint(E, R.rows, R.rows));
  if (violation(tallOf(E, R)) > 1e-6 || orientation(R) < 0) {
    throw new ProblemError(`mean-rotation: matrix ${place} is no rotation (RᵀR = I, det R = 1); project it first.`);
  }
}

export const description: Description = describe({
  name: "mean-rotation",
  summary: "mean or median of rotations",
  files: [{ name: "rotations", help: "one rotation a row, its n² entries by rows" }],
  options: [{ name: "kind", type: "choice", help: "kind of mean", choices: /* @__PURE__ */ Object.keys(averages) }],
  example: "rotations.csv --kind median --out mean.csv",
  parts: ["rotation"],
  solve: ([M]: [Matrix], o: MeanRotationOptions) => meanRotation(squareMatrices("mean-rotation", M), o),
  report: ({ rotation, distances }) => ({
    saved: { name: "the rotation", matrix: rotation },
    lines: [["largest distance ‖X − R‖ of a rotation", digits(Math.max(...distances))]],
    numbers: { rotation: entries(rotation), distances },
  }),
});
