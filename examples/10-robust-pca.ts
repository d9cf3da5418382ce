// A noisy plane and three outliers: robust components span the plane, one principal component follows the outliers.

import { random } from "expen";
import * as apps from "expen/apps";

const r = random(1, "example");
const rows = Array.from({ length: 103 }, (_, i) => {
  const [u, v] = [r.normal(), r.normal()];
  const noise = Array.from({ length: 5 }, () => 0.03 * r.normal());
  const point = i < 100 ? [u, v, 0, 0, 0] : [0, 0, 0, 0, 15]; // the plane is that of the first two axes
  return point.map((x, j) => x + noise[j]!);
});
const A = { rows: 103, cols: 5, data: Float64Array.from(rows.flat()) };

/** share of the components in the plane: 1 if they span it */
const inPlane = ({ data }: { data: Float64Array }): string =>
  (data.slice(0, 4).reduce((s, x) => s + x * x, 0) / 2).toFixed(3);

const plain = await apps.pca(A, { p: 2 });
const robust = await apps.robustPca(A, { p: 2 });
console.log(`principal components: ${inPlane(plain.components)} of their squared length in the plane`);
console.log(`robust components:    ${inPlane(robust.components)} of their squared length in the plane`);
const outliers = [...robust.weights.keys()].filter((i) => robust.weights[i]! < 0.1);
console.log(`outliers, rows ${outliers.join(", ")}`);
console.log(`certificate: ${robust.run.certificate.level}`);
