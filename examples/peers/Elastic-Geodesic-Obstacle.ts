import { bounds, minimize, oblique } from "expen";
import { add, cols, formula, norm2, scale, sub } from "expen/tape";

// the shortest way of 39 points on the sphere, from one point at 60° latitude to the opposite one, not above 70°
const [count, highest, theta] = [39, Math.sin((70 * Math.PI) / 180), Math.PI / 6];
const end = (sign: number) => [[sign * Math.sin(theta)], [0], [Math.cos(theta)]];
const way = Array.from({ length: count }, (_, k) => Math.PI * ((k + 1) / (count + 1)));
const start = [Math.cos, Math.sin].map((f) => way.map((a) => Math.sin(theta) * f(a)));
const { status, fval } = await minimize(
  formula((X) => {
    const inside = norm2(sub(cols(X, 1), cols(X, 0, -1)));
    const ends = add(norm2(sub(cols(X, 0, 1), end(1))), norm2(sub(cols(X, -1), end(-1))));
    return scale(count + 1, add(inside, ends));
  }),
  {
    on: oblique(3, count),
    start: [...start, way.map(() => Math.cos(theta))],
    subjectTo: [
      bounds(
        -1,
        [1, 1, highest].map((x) => way.map(() => x)),
      ),
    ],
  },
);
// two tangents to the parallel at 70° and an arc of it: cos t = cos 30°/cos 20°
const r = (20 * Math.PI) / 180;
const tangent = Math.acos(Math.cos(theta) / Math.cos(r));
const turn = Math.acos(Math.tan(r) / Math.tan(theta));
const length = 2 * tangent + Math.sin(r) * (Math.PI - 2 * turn);
console.log(status, Math.abs(Math.sqrt(fval) / length - 1) < 0.01);
