// Dictionary learning: the unknown orthonormal atoms of sparse combinations, from the samples alone.

import { random, randomStart } from "expen";
import * as apps from "expen/apps";
import { jsEngine } from "expen/engines";

const [n, m] = [8, 800];
const Q = randomStart(jsEngine(), n, n, 5).data; // the true atoms, as columns
const r = random(2, "samples");
const Y = { rows: m, cols: n, data: new Float64Array(m * n) };
for (let i = 0; i < m; i++) {
  for (const k of [r.integer(n), r.integer(n)]) {
    const weight = r.normal();
    for (let j = 0; j < n; j++) Y.data[i * n + j]! += weight * Q[j * n + k]!;
  }
}

const { atoms, kurtosis, run } = await apps.dictionary(Y);
const best = Array.from({ length: n }, (_, a) => {
  const overlaps = Array.from({ length: n }, (_, k) =>
    Math.abs(Array.from({ length: n }, (_, j) => atoms.data[j * n + a]! * Q[j * n + k]!).reduce((x, y) => x + y, 0)),
  );
  return Math.max(...overlaps);
});
console.log(`overlap of each atom with a true one: ${best.map((x) => x.toFixed(3)).join(" ")}`);
console.log(`kurtosis of the codes: ${kurtosis.map((x) => x.toFixed(1)).join(" ")} (3 for Gaussian noise)`);
console.log(`certificate: ${run.certificate.level}`);
