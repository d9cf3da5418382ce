// Components with few nonzero entries: two latent factors, each with an effect on five of twenty variables.

import { random } from "expen";
import * as apps from "expen/apps";

const r = random(1, "example");
const rows = Array.from({ length: 300 }, () => {
  const [u, v] = [2 * r.normal(), 1.5 * r.normal()];
  return Array.from({ length: 20 }, (_, j) => (j < 5 ? u : j < 10 ? v : 0) + 0.3 * r.normal());
});
const A = { rows: 300, cols: 20, data: Float64Array.from(rows.flat()) };

const { support, zeros, variances, run } = await apps.sparsePca(A, { p: 2, weight: 0.5 });
support.forEach((variables, j) => {
  console.log(`component ${j + 1}: variables ${variables.join(", ")}; variance ${variances[j]!.toFixed(2)}`);
});
console.log(`${(100 * zeros).toFixed(0)} % of the entries are zero; ${run.certificate.level} certificate`);
