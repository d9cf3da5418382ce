// A function of your own as a formula, and how three solvers bring its gradient to nothing.
import { minimize, random, stiefel } from "expen";
import { unitSymmetric } from "expen/problems";
import { add, formula, logSumExp, mul, norm2, rowSums, scale, square, t, trace } from "expen/tape";
import { lines } from "../plot.js";

const [n, p] = [100, 6];
const A = unitSymmetric(n, random(1, "gallery"));
const f = formula((X) => {
  const density = rowSums(square(X));
  return add(trace(mul(t(X), A, X)), add(scale(4, norm2(density)), logSumExp(density)));
});
const names = ["auto", "rcg", "rtr"];
const series = [];
const values = [];
for (const solver of names) {
  const norms = [];
  const events = { iteration: ({ gnorm }) => void norms.push(gnorm) };
  const { fval } = await minimize(f, { on: stiefel(n, p), ...(solver !== "auto" && { solver }), seed: 1, events });
  series.push(norms);
  values.push(fval);
}
export const text = names
  .map((name, k) => `${name}: f = ${values[k].toFixed(9)} after ${series[k].length} iterations`)
  .join("\n");
export const answer = { values, iterations: series.map(({ length }) => length) };
export const picture = lines(series, {
  title: "Norm of the gradient, powers of ten",
  names,
  log: true,
  x: "iteration",
});
