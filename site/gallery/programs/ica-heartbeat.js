// Four electrodes on the skin of a mother feel her heart, her child's and the mains. Their sources, one each; the data are made here.
import { random } from "expen";
import { ica } from "expen/apps";
import { lines } from "../plot.js";
import { columnsOf, matrixOf } from "../rows.js";

const r = random(2, "gallery");
const times = Array.from({ length: 2000 }, (_, i) => i / 250); // seconds
const beat = (t, period, width) => {
  const phase = (t % period) - period / 3;
  return Math.exp(-((phase / width) ** 2)) - 0.3 * Math.exp(-(((phase - 3 * width) / (2 * width)) ** 2));
};
const sources = [
  times.map((t) => beat(t, 0.83, 0.02)),
  times.map((t) => beat(t + 0.1, 0.42, 0.012)),
  times.map((t) => Math.sin(2 * Math.PI * 50.3 * t)),
];
const weights = Array.from({ length: 4 }, () => [2 + r.normal(), 0.3 * r.normal(), 0.3 * r.normal()]);
const electrodes = times.map((_, i) =>
  weights.map((w) => w.reduce((sum, a, k) => sum + a * sources[k][i], 0.005 * r.normal())),
);
const separated = columnsOf((await ica(electrodes, { p: 3 })).sources);

const correlation = (a, b) => {
  const product = (x, y) => x.reduce((sum, v, i) => sum + v * y[i], 0);
  const [mx, my] = [a, b].map((x) => x.reduce((sum, v) => sum + v, 0) / x.length);
  const [x, y] = [a.map((v) => v - mx), b.map((v) => v - my)];
  return Math.abs(product(x, y)) / Math.sqrt(product(x, x) * product(y, y));
};
const best = sources.map((s) => Math.max(...separated.map((t) => correlation(s, t))));
export const text = `correlation with mother, child and mains: ${best.map((c) => c.toFixed(3)).join(", ")}`;
export const answer = { best };
const part = (samples, shift) => samples.slice(0, 500).map((v) => shift + (2 * v) / Math.max(...samples.map(Math.abs)));
export const picture = lines(
  [part(columnsOf(matrixOf(electrodes))[0], 12), ...separated.map((s, k) => part(s, 8 - 4 * k))],
  {
    title: "An electrode above; below, its three sources",
    at: times.slice(0, 500),
    x: "seconds",
  },
);
