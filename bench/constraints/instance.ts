/** A problem with its numbers in memory and as .npy files. The matrices of a start are packed into one column. */
import { leaves, mapView, randomPoint, type View } from "@expen/core";
import type { Engine, Tall } from "@expen/linalg";
import { writeMatrices } from "../left-behind.js";
import type { Posed } from "../peers.js";
import type { ConstrainedProblem, Drawn } from "./problem.js";

export interface Instance extends Posed {
  readonly drawn: Drawn;
  readonly start: View;
  /** the value to be reached */
  readonly target: number;
  dispose(): void;
}

export function drawInstance(E: Engine, { name, n, p, draw }: ConstrainedProblem, seed: number, gap: number): Instance {
  const drawn = draw(E, n, p, seed);
  const bound = drawn.on.bind(E);
  const start = mapView(bound.view(randomPoint(bound, seed)), (A) => ({
    rows: A.rows,
    cols: A.cols,
    data: Float64Array.from(E.read(A as Tall)),
  }));
  const numbers = Float64Array.from(leaves(start).flatMap(({ matrix }) => Array.from(matrix.data)));
  const written = writeMatrices({ X0: { rows: numbers.length, cols: 1, data: numbers }, ...drawn.data });
  const target = drawn.optimum + gap * Math.abs(drawn.optimum);
  return { problem: `constraints/${name}`, n, p, ...written, drawn, start, target };
}
