import { minimize, oblique } from "expen";
import { acos, add, clip, colSums, cols, div, type Expr, formula, hadamard, norm2, scale, sin, sub } from "expen/tape";

/** the points at time t of the great arcs from the columns of A to those of B */
function between(A: Expr, B: Expr, t: number) {
  const angle = acos(clip(colSums(hadamard(A, B)), -1 + 1e-12, 1 - 1e-12));
  return div(add(hadamard(A, sin(scale(1 - t, angle))), hadamard(B, sin(scale(t, angle)))), sin(angle));
}
// a cubic through four points of the equator, by the second differences of its points at 0, 1/4, …, 1
const times = [0, 1 / 4, 2 / 4, 3 / 4, 1];
function curve(C: Expr, t: number): Expr {
  return C.cols === 1 ? C : curve(between(cols(C, 0, -1), cols(C, 1), t), t);
}
const ends = [0, 1].map((k) => [[Math.cos(k)], [Math.sin(k)], [0]]);
const { status, fval } = await minimize(
  formula((C) => {
    const points = times.map((t) => curve(C, t));
    const bends = times.slice(2).map((_, k) => norm2(sub(points[k + 1]!, between(points[k]!, points[k + 2]!, 0.5))));
    return add(...bends, norm2(sub(points[0]!, ends[0]!)), norm2(sub(points[4]!, ends[1]!)));
  }),
  { on: oblique(3, 4), seed: 2 },
);
// a great arc at constant speed
console.log(status, fval < 1e-6);
