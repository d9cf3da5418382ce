// Loadings of thirteen measurements of wine on three factors: before the rotation every factor has a little of all, after it few of each.
import { factorRotation, pca } from "expen/apps";
import { heat } from "../heat.js";
import { columns, wines } from "../wine.js";

const { components, variances } = await pca(wines, { p: 3, standardise: true });
const loadings = components.toRows().map((row) => row.map((v, j) => v * Math.sqrt(variances[j])));
const rotated = await factorRotation(loadings, { kind: "varimax" });
const simple = rotated.loadings.toRows();

export const text = [0, 1, 2]
  .map((j) => `factor ${j + 1}: ${columns.filter((_, i) => Math.abs(simple[i][j]) > 0.65).join(", ")}`)
  .join("\n");
export const answer = { loadings, simple };
export const picture = heat([loadings, simple], {
  title: "Loadings of thirteen measurements on three factors",
  names: ["as they come", "after varimax"],
  rows: columns,
});
