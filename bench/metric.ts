/**
 * `npm run bench:metric`: plain functions on XᵀBX = I, ten pairs (B, f), and the evaluations of the same f on ZᵀZ = I with Z = RX, B = RᵀR;
 * then a B that is given by its action, with the products.
 */
import { openEngine } from "expen";
import { largePair, metricPairs } from "./constraints/metric-pairs.js";
import { actionRuns, metricRuns } from "./constraints/metric-ratio.js";
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

const actionBody: string[][] = [];
for (const condition of [10, 100, 1000, 1e4]) {
  const pair = largePair(engine, condition);
  const { own, byAction, products } = await actionRuns(engine, pair);
  const counts = [own.evaluations.grad, byAction.evaluations.grad, products, byAction.status];
  actionBody.push([pair.name, ...counts.map(String)]);
}
console.log(textTable({ head: ["pair", "B", "action of B", "products", "status"], body: actionBody }));
engine.dispose();
