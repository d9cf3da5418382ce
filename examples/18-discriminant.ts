// The two directions that best separate the species of Fisher's iris data, by trace ratio.
import * as apps from "expen/apps";
import { loadMatrix } from "expen/data";

const { matrix } = await loadMatrix("examples/data/iris.csv");
const n = matrix.cols - 1;
const A = { rows: matrix.rows, cols: n, data: matrix.data.filter((_, k) => k % matrix.cols < n) };
const species = Array.from({ length: matrix.rows }, (_, i) => matrix.data[i * matrix.cols + n]!);

const { ratio, gapBound, scores, run } = await apps.discriminant(A, species, { p: 2 });
console.log(
  `scatter between species over scatter within: ${ratio.toFixed(4)}, at most ${gapBound.toExponential(0)} below the maximum`,
);
for (const c of [0, 1, 2]) {
  const own = Array.from({ length: matrix.rows }, (_, i) => i).filter((i) => species[i] === c);
  const mean = (j: number): string =>
    (own.reduce((s, i) => s + scores.data[2 * i + j]!, 0) / own.length).toFixed(2).padStart(6);
  console.log(`species ${c}: mean of the scores (${mean(0)}, ${mean(1)})`);
}
console.log(run.certificate.level);
