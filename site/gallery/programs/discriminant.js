// The two directions that part the wines of three growers best: most scatter between the growers for the scatter of each.
import { discriminant } from "expen/apps";
import { scatter } from "../plot.js";
import { columns, growerNames, growers, wines } from "../wine.js";

// columns in units of their standard deviation
const mean = columns.map((_, j) => wines.reduce((sum, row) => sum + row[j], 0) / wines.length);
const deviation = columns.map((_, j) => Math.hypot(...wines.map((row) => row[j] - mean[j])) / Math.sqrt(wines.length));
const standard = wines.map((row) => row.map((v, j) => (v - mean[j]) / deviation[j]));
const { directions, scores, ratio, gapBound } = await discriminant(standard, growers, { p: 2 });

export const text = `scatter between growers : within = ${ratio.toFixed(3)}; no two directions have more, up to ${Math.max(gapBound, 1e-15).toExponential(0)}`;
export const answer = { ratio, gapBound, scores: scores.toRows(), growers };
export const picture = scatter(scores.toRows(), {
  title: "Wines of three growers",
  x: "direction 1",
  y: "direction 2",
  equal: true,
  groups: growers,
  names: growerNames,
  arrows: directions
    .toRows()
    .map(([a, b], i) => ({ to: [5 * a, 5 * b], name: columns[i] }))
    .filter(({ to }) => Math.hypot(...to) > 2.2),
});
