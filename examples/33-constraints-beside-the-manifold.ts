// Two directions of large variance in the wine data: any, without a weight above 0.35 in size, and with nonnegative weights.

import { bounds, minimize, nonnegative, stiefel } from "expen";
import { loadMatrix } from "expen/data";
import { formula, mul, norm2 } from "expen/tape";
import type { Subject } from "expen/types";

const { matrix } = await loadMatrix("examples/data/wine.csv", { labels: "class" });
const { rows: m, cols: n, names } = matrix;
/** columns of mean 0 and length 1 */
const Z = { rows: m, cols: n, data: new Float64Array(m * n) };
for (let j = 0; j < n; j++) {
  const column = Array.from({ length: m }, (_, i) => matrix.data[i * n + j]!);
  const mean = column.reduce((s, x) => s + x / m, 0);
  const length = Math.hypot(...column.map((x) => x - mean));
  for (const [i, x] of column.entries()) Z.data[i * n + j] = (x - mean) / length;
}

const f = formula((X) => mul(-1, norm2(mul(Z, X))));
async function directions(kind: string, subjectTo?: Subject[]) {
  const result = await minimize(f, { on: stiefel(n, 2), ...(subjectTo && { subjectTo, starts: 5 }) });
  const share = (-100 * result.fval) / n;
  console.log(`${kind}: ${share.toFixed(1)} % of the variance, ${result.certificate.level}`);
  return result;
}

await directions("any");
const { multipliers } = await directions("bounded", [bounds(-0.35, 0.35)]);
console.log(`  ${multipliers![0]!.filter((y) => Math.abs(y) > 1e-6).length} weights are at a bound`);
const { support } = await directions("nonnegative", [nonnegative()]);
// a row has one positive weight at most
for (const c of new Set(support)) console.log(`  ${names!.filter((_, i) => support![i] === c).join(", ")}`);
