// The two directions that part the wines of three growers best: most scatter between the growers for the scatter of each.
import { discriminant } from "expen/apps";
import { scatter } from "../plot.js";
import { matrixOf, rowsOf } from "../rows.js";
import { columns, growerNames, growers, wines } from "../wine.js";

// columns in units of their standard deviation
const mean = columns.map((_, j) => wines.reduce((sum, row) => sum + row[j], 0) / wines.length);
const deviation = columns.map((_, j) => Math.hypot(...wines.map((row) => row[j] - mean[j])) / Math.sqrt(wines.length));
const standard = wines.map((row) => row.map((v, j) => (v - mean[j]) / deviation[j]));
const { directions, scores, ratio, gapBound } = await discriminant(matrixOf(standard), growers, { p: 2 });

export const text = `scatter between growers : within = ${ratio.toFixed(3)}; no two directions have more, up to ${Math.max(gapBound, 1e-15).toExponential(0)}`;
export const answer = { ratio, gapBound, scores: rowsOf(scores), growers };
export const picture = scatter(rowsOf(scores), {
  title: "Wines of three growers",
  x: "direction 1",
  y: "direction 2",
  equal: true,
  groups: growers,
  names: growerNames,
  arrows: rowsOf(directions)
    .map(([a, b], i) => ({ to: [5 * a, 5 * b], name: columns[i] }))
    .filter(({ to }) => Math.hypot(...to) > 2.2),
});
