import { minimize, sphere } from "expen";
import { acos, add, formula, mul, sqrt, square, sum } from "expen/tape";

// the median of five points of a great arc is the third, wherever the others lie
const point = (r: number) => [Math.sin(r), 0, Math.cos(r)];
const data = [-1, -0.2, 0.1, 0.15, 0.9].map(point);
const { X } = await minimize(
  formula((x) => sum(sqrt(add(square(acos(mul(data, x))), 1e-12)))),
  { on: sphere(3), start: [[0.3], [0.2], [1]] },
);
console.log(Math.asin(X.data[0]!), 0.1);
