// People in two teams so that most acquaintances are opponents. A relaxation bounds every cut; random hyperplanes find one.
import { random } from "expen";
import { maxCut } from "expen/apps";
import { scatter } from "../plot.js";

const r = random(8, "gallery");
const n = 40;
const places = Array.from({ length: n }, () => [r.uniform(), r.uniform()]);
const isNear = (i, j) => i !== j && Math.hypot(places[i][0] - places[j][0], places[i][1] - places[j][1]) < 0.23;
const weights = places.map((_, i) => places.map((_, j) => (isNear(i, j) ? 1 : 0)));
const pairs = places.flatMap((_, i) => places.map((_, j) => [i, j])).filter(([i, j]) => i < j && weights[i][j]);
const { cut, bound, sides } = await maxCut(weights);

export const text = `${cut} of ${pairs.length} pairs are opponents; no division has more than ${Math.floor(bound)}`;
export const answer = { cut, bound, pairs: pairs.length };
export const picture = scatter(places, {
  title: "Two teams; grey lines join friends in one team",
  equal: true,
  groups: sides,
  radius: 6,
  joined: pairs.map(([i, j]) => (sides[i] === sides[j] ? [i, j] : [i, j, 5])),
});
