// Factor loadings of the wine data, rotated to simple structure.
import * as apps from "expen/apps";
import { loadMatrix } from "expen/data";

const { matrix, notes } = await loadMatrix("examples/data/wine.csv");
const names = notes[0]!.replace(/.*: /, "").split(", ");
const v = matrix.cols - 1;
const A = { rows: matrix.rows, cols: v, data: matrix.data.filter((_, k) => k % matrix.cols < v) };

const { components, variances } = await apps.pca(A, { p: 3, standardise: true });
const loadings = { ...components, data: components.data.map((x, k) => x * Math.sqrt(variances[k % 3]!)) };

const rotated = await apps.factorRotation(loadings, { kind: "varimax" });
for (let i = 0; i < v; i++) {
  const row = Array.from(rotated.loadings.data.subarray(3 * i, 3 * i + 3), (x) =>
    (Math.abs(x) < 0.4 ? "·" : x.toFixed(2)).padStart(6),
  );
  console.log(`${names[i]!.padEnd(22)}${row.join(" ")}`);
}
console.log(`varimax criterion ${rotated.criterion.toFixed(6)}, ${rotated.run.certificate.level} certificate`);
