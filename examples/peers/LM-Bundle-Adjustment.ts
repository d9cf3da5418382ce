import { euclidean, minimize, product, specialOrthogonal } from "expen";
import { power } from "expen/manifolds";
import { add, cols, div, formula, mul, norm2, reshape, sub, t } from "expen/tape";
import { normals } from "./data.js";

// four cameras that see ten points: directions of sight from rotations, places and points
const [points, shifts] = [normals(3, 10, 1), normals(4, 3, 2).map(([x, y]) => [0.3 * x!, 0.3 * y!, 8])];
const turned = (a: number) => [[Math.cos(a), -Math.sin(a), 0], [Math.sin(a), Math.cos(a), 0], [0, 0, 1]]; // biome-ignore format: short
const seen = shifts.map((s, i) => {
  const R = turned(0.2 * i);
  const at = points[0]!.map((_, k) => R.map((r, c) => r.reduce((z, x, l) => z + x * points[l]![k]!, s[c]!)));
  return [0, 1].map((c) => at.map((p) => p[c]! / p[2]!));
});
const { status, fval } = await minimize(
  formula(({ R, shift, P }) => {
    const residuals = seen.map((image, i) => {
      const view = add(mul(R, P), reshape(shift, 12, 1));
      const [x, y, z] = [0, 1, 2].map((c) => t(cols(t(view), 3 * i + c, 3 * i + c + 1)));
      return add(norm2(sub(div(x!, z!), [image[0]!])), norm2(sub(div(y!, z!), [image[1]!])));
    });
    return add(...residuals);
  }),
  {
    on: product({ R: power(specialOrthogonal(3), 4), shift: euclidean(4, 3), P: euclidean(3, 10) }),
    start: {
      R: shifts.flatMap(() => turned(0.25)),
      shift: shifts.map((s) => s.map((x) => x + 0.1)),
      P: points.map((row) => row.map((x) => 0.9 * x)),
    },
    relTol: 1e-8,
  },
);
console.log(status, fval < 1e-8);
