// Three sounds are played at once, and three microphones hear three mixtures. The sources come back without knowledge of the mixing.
import { ica } from "expen/apps";
import { lines } from "../plot.js";
import { columnsOf, matrixOf } from "../rows.js";

const rate = 8000; // samples a second
const times = Array.from({ length: 2 * rate }, (_, i) => i / rate);
const sources = [
  times.map((t) => Math.sin(2 * Math.PI * (300 * t + 60 * t * t))), // a rising whistle
  times.map((t) => 2 * ((110 * t) % 1) - 1), // a buzz
  times.map((t) => Math.exp(-8 * (t % 0.5)) * Math.sin(2 * Math.PI * 660 * t) * 2), // a bell, twice a second
];
const mixing = [
  [1, 0.7, 0.5],
  [0.6, 1, 0.8],
  [0.8, 0.5, 1],
];
const heard = times.map((_, i) => mixing.map((row) => row.reduce((sum, a, k) => sum + a * sources[k][i], 0)));
const answerOf = await ica(heard, { p: 3 });
const separated = columnsOf(answerOf.sources);

const correlation = (a, b) => {
  const product = (x, y) => x.reduce((sum, v, i) => sum + v * y[i], 0);
  return Math.abs(product(a, b)) / Math.sqrt(product(a, a) * product(b, b));
};
const best = sources.map((s) => Math.max(...separated.map((t) => correlation(s, t))));
export const text = `correlation of each source with the nearest separated one: ${best.map((c) => c.toFixed(4)).join(", ")}`;
export const answer = { best, level: answerOf.run.certificate.level };
export const sounds = [
  ...columnsOf(matrixOf(heard)).map((samples, k) => ({ name: `microphone ${k + 1}`, rate, samples })),
  ...separated.map((samples, k) => ({ name: `source ${k + 1}`, rate, samples })),
];
const part = (samples, shift) => samples.slice(4000, 4240).map((v) => shift + v / Math.max(...samples.map(Math.abs)));
export const picture = lines(
  [...separated.map((s, k) => part(s, -3 * k)), ...columnsOf(matrixOf(heard)).map((s, k) => part(s, 3 * (3 - k)))],
  {
    title: "Three microphones above, three sources below, for 30 ms",
    at: Array.from({ length: 240 }, (_, i) => (1000 * i) / rate),
    x: "milliseconds",
  },
);
