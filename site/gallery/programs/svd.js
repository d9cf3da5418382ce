// A picture of 64×64 pixels from its first one, three and eight singular vectors on each side.
import { truncatedSvd } from "expen/apps";
import { heat } from "../heat.js";

const size = 64;
const disc = (i, j, a, b, radius) => Number(Math.hypot(i - a, j - b) < radius);
const face = Array.from({ length: size }, (_, i) =>
  Array.from(
    { length: size },
    (_, j) =>
      disc(i, j, 32, 32, 27) - disc(i, j, 24, 22, 5) - disc(i, j, 24, 42, 5) - disc(i, j, 38, 32, 14) * Number(i > 40),
  ),
);
const pictures = [];
const errors = [];
for (const p of [1, 3, 8]) {
  const { U, V, values } = await truncatedSvd(face, { p });
  const [u, v] = [U.toRows(), V.toRows()];
  const near = u.map((row) => v.map((column) => row.reduce((sum, x, k) => sum + values[k] * x * column[k], 0)));
  pictures.push(near);
  errors.push(Math.hypot(...near.flatMap((row, i) => row.map((x, j) => x - face[i][j]))) / Math.hypot(...face.flat()));
}
export const text = `relative errors ${errors.map((e) => e.toFixed(3)).join(", ")}`;
export const answer = { errors };
export const picture = heat([face, ...pictures], {
  title: "A picture of low rank",
  names: ["all", "p = 1", "p = 3", "p = 8"],
});
