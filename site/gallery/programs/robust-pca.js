// A fifth of the points are wrong. They turn the principal component; the robust one, with distances in place of squares, keeps its way.
import { random } from "expen";
import { pca, robustPca } from "expen/apps";
import { scatter } from "../plot.js";
import { rowsOf } from "../rows.js";

const r = random(3, "gallery");
const good = Array.from({ length: 80 }, () => {
  const t = 2 * r.normal();
  return [t + 0.15 * r.normal(), 0.4 * t + 0.15 * r.normal()];
});
const wrong = Array.from({ length: 20 }, () => [-1 + 0.5 * r.normal(), 5 + 0.5 * r.normal()]);
const points = [...good, ...wrong];
const usual = await pca(points, { p: 1 });
const robust = await robustPca(points, { p: 1 });

const angle = ({ components }) => (180 / Math.PI) * Math.atan(components.data[1] / components.data[0]);
const along = ({ components, centre }, length) => [0, 1].map((k) => centre[k] + length * components.data[k]);
const ends = [along(usual, -5), along(usual, 5), along(robust, -5), along(robust, 5)];
const n = points.length;
export const text = `true direction ${((180 / Math.PI) * Math.atan(0.4)).toFixed(1)}°, robust ${angle(robust).toFixed(1)}°, principal component ${angle(usual).toFixed(1)}°`;
export const answer = {
  robust: angle(robust),
  usual: angle(usual),
  weights: rowsOf({ rows: n, cols: 1, data: robust.weights }),
};
export const picture = scatter([...points, ...ends], {
  title: "A line, found among wrong points",
  equal: true,
  groups: [...points.map((_, i) => (i < 80 ? 0 : 6)), 1, 1, 2, 2],
  names: ["points", "principal component", "robust component"],
  joined: [
    [n, n + 1, 1],
    [n + 2, n + 3, 2],
  ],
});
