import { atMost, minimize, ownManifold } from "expen";
import { add, type Expr, formula, inner, log, mul, scale, sqrt, square, sub } from "expen/tape";

// the hyperboloid ⟨x, Jx⟩ = −1 with the distance arcosh(−⟨x, Jy⟩)
const J = [[1, 0, 0], [0, 1, 0], [0, 0, -1]]; // biome-ignore format: a matrix
const point = (r: number, angle: number) => [
  [Math.sinh(r) * Math.cos(angle)],
  [Math.sinh(r) * Math.sin(angle)],
  [Math.cosh(r)],
];
const distance = (x: Expr, y: number[][]) => {
  const c = scale(-1, inner(x, mul(J, y)));
  return log(add(c, sqrt(sub(square(c), 1))));
};
// the mean of points that mirror each other at the axis lies on it; within distance 1 of the origin it has distance 1
const data = [1.5, 2, 3].flatMap((r) => [point(r, 0.3), point(r, -0.3)]);
const start = { rows: 3, cols: 1, data: Float64Array.from(point(0.5, 2).flat()) };
const { status, violation, X } = await minimize(
  formula((x) => scale(1 / 12, add(...data.map((y) => square(distance(x, y)))))),
  {
    on: ownManifold({ rows: 3, cols: 1, c: formula((x) => add(inner(x, mul(J, x)), 1)), start }),
    subjectTo: [atMost(formula((x) => scale(-1, inner(x, mul(J, point(0, 0))))), Math.cosh(1))], // biome-ignore format: short
  },
);
console.log(status, violation! < 1e-6, Math.abs(X.data[0]! - Math.sinh(1)) < 1e-5 && Math.abs(X.data[1]!) < 1e-5);
