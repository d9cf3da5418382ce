// Four measurements of 150 flowers in two dimensions that keep 98 % of their variance, with the old axes as arrows.
import { pca } from "expen/apps";
import { columns, flowers, species, speciesNames } from "../iris.js";
import { scatter } from "../plot.js";

const { components, scores, explained, run } = await pca(flowers, { p: 2 });

export const text = `${(100 * (explained[0] + explained[1])).toFixed(1)} % of the variance; certificate: ${run.certificate.level}`;
export const answer = { components, explained, level: run.certificate.level };
export const picture = scatter(scores.toRows(), {
  title: "Irises along their principal components",
  x: "component 1",
  y: "component 2",
  equal: true,
  groups: species,
  names: speciesNames,
  arrows: components.toRows().map(([a, b], i) => ({ to: [3 * a, 3 * b], name: columns[i] })),
});
