// A noisy three-way array of low multilinear rank: three subspaces optimised together, from singular vectors of each mode.

import { type Matrix, random, randomStart } from "expen";
import * as apps from "expen/apps";
import { jsEngine } from "expen/engines";

const [a, b, c, rank] = [15, 12, 10, 2];
const [U, V, W] = [a, b, c].map((n, i) => randomStart(jsEngine(), n, rank, i + 1).data);
const r = random(5, "example");
const core = Array.from({ length: rank ** 3 }, () => r.normal());
const slices: Matrix[] = Array.from({ length: c }, (_, k) => {
  const data = Float64Array.from({ length: a * b }, (_, at) => {
    const [i, j] = [Math.floor(at / b), at % b];
    const value = core.reduce(
      (s, v, q) => s + v * U![i * rank + (q >> 2)]! * V![j * rank + ((q >> 1) & 1)]! * W![k * rank + (q & 1)]!,
      0,
    );
    return value + 0.05 * r.normal();
  });
  return { rows: a, cols: b, data };
});

const answer = await apps.tucker(slices, { ranks: [rank, rank, rank] });
console.log(`relative error ${answer.relativeError.toFixed(6)}, at the start ${answer.startError.toFixed(6)}`);
console.log(`stored numbers: ${rank ** 3 + rank * (a + b + c)} of ${a * b * c}`);
console.log(`stopped by: ${answer.run.reason.kind}`);
