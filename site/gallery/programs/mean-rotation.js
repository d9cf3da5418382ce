// Where does a camera look? Thirty noisy rotations and twelve wrong ones: the mean is pulled away, the median is not.
import { random } from "expen";
import { meanRotation } from "expen/apps";
import { rowsOf } from "../rows.js";
import { space } from "../space.js";

const r = random(1, "gallery");
const rotation = (a, b) => {
  const [c, s, d, u] = [Math.cos(a), Math.sin(a), Math.cos(b), Math.sin(b)];
  return [
    [c, -s * d, s * u],
    [s, c * d, -c * u],
    [0, u, d],
  ];
};
const good = Array.from({ length: 30 }, () => rotation(0.8 + 0.08 * r.normal(), 0.5 + 0.08 * r.normal()));
const wrong = Array.from({ length: 12 }, () => rotation(-1 + 0.08 * r.normal(), 0.5 + 0.08 * r.normal()));
const all = [...good, ...wrong];
const mean = await meanRotation(all);
const median = await meanRotation(all, { kind: "median" });

const truth = rotation(0.8, 0.5);
const angle = (R) => {
  const cosine =
    (rowsOf(R)
      .flat()
      .reduce((sum, v, k) => sum + v * truth.flat()[k], 0) -
      1) /
    2;
  return (180 / Math.PI) * Math.acos(Math.min(1, cosine));
};
const first = (rows) => rows.map((row) => row[0]);
export const text = `angle from the true rotation: mean ${angle(mean.rotation).toFixed(1)}°, median ${angle(median.rotation).toFixed(1)}°`;
export const answer = { mean: angle(mean.rotation), median: angle(median.rotation) };
const circle = (f) => Array.from({ length: 60 }, (_, i) => f((2 * Math.PI * i) / 60));
const sphere = [
  ...circle((t) => [Math.cos(t), Math.sin(t), 0]),
  ...circle((t) => [Math.cos(t), 0, Math.sin(t)]),
  ...circle((t) => [0, Math.cos(t), Math.sin(t)]),
];
const points = [...[...good, ...wrong].map(first), first(mean.rotation.toRows()), first(median.rotation.toRows())];
export const picture = space([...points, ...sphere], {
  title: "First axes of 42 rotations",
  names: ["rotations", "mean", "median"],
  groups: [...good.map(() => 0), ...wrong.map(() => 0), 1, 2, ...sphere.map(() => -1)],
  joined: sphere.map((_, i) => [44 + i, 44 + (i % 60 === 59 ? i - 59 : i + 1)]),
  radius: 4,
});
