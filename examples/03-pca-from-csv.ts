// Principal components of a file: 178 wines, 13 measurements each, the last column is the grower.
import * as apps from "expen/apps";
import { loadMatrix } from "expen/data";

const { matrix, notes } = await loadMatrix("examples/data/wine.csv");
const names = notes[0]!.replace(/.*: /, "").split(", ");
const measured = matrix.cols - 1;
const A = {
  rows: matrix.rows,
  cols: measured,
  data: matrix.data.filter((_, k) => k % matrix.cols < measured),
};

const { components, explained, run } = await apps.pca(A, { p: 3, standardise: true });

explained.forEach((share, j) => {
  const loads = names.slice(0, measured).map((name, i) => ({ name, x: components.data[i * 3 + j]! }));
  const top = loads.sort((a, b) => Math.abs(b.x) - Math.abs(a.x)).slice(0, 3);
  const words = top.map(({ name, x }) => `${x.toFixed(2)} ${name}`).join(", ");
  console.log(`component ${j + 1}: ${(100 * share).toFixed(1)} % of the variance (${words}, …)`);
});
console.log(run.certificate.text);
