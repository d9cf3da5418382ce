// Two thirds of the pixels are lost. The picture has low rank, so that the others determine it.
import { random } from "expen";
import { completion } from "expen/apps";
import { heat } from "../heat.js";

const size = 48;
const r = random(5, "gallery");
const wave = (i, a, b) => Math.sin(a * i + b);
const whole = Array.from({ length: size }, (_, i) =>
  Array.from(
    { length: size },
    (_, j) =>
      wave(i, 0.2, 0) * wave(j, 0.15, 1) +
      0.7 * wave(i, 0.07, 2) * wave(j, 0.3, 0) +
      0.4 * Number(i > 20) * Number(j < 30),
  ),
);
const known = whole.map((row) => row.map((v) => (r.uniform() < 0.33 ? v : Number.NaN)));
const { completed, run } = await completion(known, { p: 4, ridge: 1e-8 });

const pixels = completed.toRows();
const squares = (rows) => rows.flat().reduce((sum, v) => sum + v * v, 0);
const error = Math.sqrt(squares(pixels.map((row, i) => row.map((v, j) => v - whole[i][j]))) / squares(whole));
export const text = `relative error of all pixels: ${error.toExponential(1)}; certificate: ${run.certificate.level}`;
export const answer = { error };
export const picture = heat([known, pixels], {
  title: "A picture of which a third is known",
  names: ["known", "completed"],
});
