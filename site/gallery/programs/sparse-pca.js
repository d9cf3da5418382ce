// Components that use few of the thirteen measurements, beside those that use all: what is left out is white.
import { pca, sparsePca } from "expen/apps";
import { heat } from "../heat.js";
import { columns, wines } from "../wine.js";

const data = wines;
const dense = await pca(data, { p: 3, standardise: true });
const sparse = await sparsePca(data, { p: 3, weight: 0.7, standardise: true });
const share = (variances) => ((100 * variances.reduce((sum, v) => sum + v, 0)) / dense.totalVariance).toFixed(0);

export const text = sparse.support
  .map((used, j) => `component ${j + 1}: ${used.map((i) => columns[i]).join(", ")}`)
  .concat(`${share(sparse.variances)} % of the variance, ${share(dense.variances)} % with all measurements`)
  .join("\n");
export const answer = { support: sparse.support, zeros: sparse.zeros };
export const picture = heat([dense.components.toRows(), sparse.components.toRows()], {
  title: "Weights of thirteen measurements in three components",
  names: ["principal components", "sparse components"],
  rows: columns,
});
