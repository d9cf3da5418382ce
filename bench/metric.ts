/** `npm run bench:metric`: plain functions on XᵀBX = I, ten pairs (B, f), and the evaluations of the same f on ZᵀZ = I with Z = RX, B = RᵀR. */
import { openEngine } from "expen";
import { metricPairs } from "./constraints/metric-pairs.js";
import { metricRuns } from "./constraints/metric-ratio.js";
import { textTable } from "./tables.js";

const engine = await openEngine("js");
const head = ["pair", "XᵀBX = I", "ZᵀZ = I", "ratio"];
const body: string[][] = [];
for (const pair of metricPairs(engine)) {
  const { own, there } = await metricRuns(engine, pair);
  const [a, b] = [own.evaluations.grad, there.evaluations.grad];
  body.push([pair.name, String(a), String(b), (a / b).toFixed(2)]);
}
console.log(textTable({ head, body }));
engine.dispose();
