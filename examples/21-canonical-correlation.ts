// Canonical correlation of sepal and petal measurements in Fisher's iris data.
import * as apps from "expen/apps";
import { loadMatrix } from "expen/data";

const { matrix } = await loadMatrix("examples/data/iris.csv");
const columns = (from: number, to: number) => ({
  rows: matrix.rows,
  cols: to - from,
  data: matrix.data.filter((_, k) => k % matrix.cols >= from && k % matrix.cols < to),
});

const { correlations, first, second, run } = await apps.canonicalCorrelation(columns(0, 2), columns(2, 4), { p: 1 });
const list = (numbers: Float64Array) => Array.from(numbers, (v) => v.toFixed(3)).join(", ");
console.log(`canonical correlation ${correlations[0]!.toFixed(6)}`);
console.log(`weights of sepal length, width: ${list(first.data)}; of petal length, width: ${list(second.data)}`);
console.log(`${run.certificate.level} on ${run.run.on}`);
