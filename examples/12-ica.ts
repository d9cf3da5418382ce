// Three signals recorded by three microphones, and separated by independent component analysis.

import { random } from "expen";
import * as apps from "expen/apps";

const m = 2000;
const r = random(1, "example");
const S = Array.from({ length: m }, (_, i) => [
  Math.sign(Math.sin(i / 17)), // a square wave
  ((i % 31) - 15) / 9, // a saw tooth
  r.normal() ** 3, // spikes
]);
const mixing = [
  [1, 0.6, -0.4],
  [0.5, 1, 0.7],
  [-0.3, 0.8, 1],
];
const A = {
  rows: m,
  cols: 3,
  data: Float64Array.from(S.flatMap((s) => mixing.map((row) => row.reduce((sum, a, j) => sum + a * s[j]!, 0)))),
};

const { sources, run } = await apps.ica(A);

const norm = (v: number[]): number => Math.hypot(...v);
["square wave", "saw tooth", "spikes"].forEach((name, j) => {
  const mean = S.reduce((sum, s) => sum + s[j]!, 0) / m;
  const signal = S.map((s) => s[j]! - mean);
  const correlations = [0, 1, 2].map((c) => {
    const source = Array.from({ length: m }, (_, i) => sources.data[i * 3 + c]!);
    return Math.abs(source.reduce((sum, x, i) => sum + x * signal[i]!, 0)) / (norm(source) * norm(signal));
  });
  console.log(`${name}: correlation with a source ${Math.max(...correlations).toFixed(3)}`);
});
console.log(`certificate: ${run.certificate.level}`);
