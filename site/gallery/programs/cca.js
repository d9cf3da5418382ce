// What do the sepals of an iris say of its petals? The weights of both pairs of lengths whose sums go together most.
import { canonicalCorrelation } from "expen/apps";
import { flowers, species, speciesNames } from "../iris.js";
import { scatter } from "../plot.js";

const sepals = flowers.map((row) => row.slice(0, 2));
const petals = flowers.map((row) => row.slice(2));
const { correlations, firstScores, secondScores, run } = await canonicalCorrelation(sepals, petals, { p: 2 });

const [u, v] = [firstScores.toRows(), secondScores.toRows()];
export const text = `canonical correlations ${correlations.map((c) => c.toFixed(4)).join(", ")}; certificate: ${run.certificate.level}`;
export const answer = { correlations };
export const picture = scatter(
  u.map(([a], i) => [a, v[i][0]]),
  {
    title: "Sepals and petals of irises",
    x: "of the sepals",
    y: "of the petals",
    groups: species,
    names: speciesNames,
  },
);
