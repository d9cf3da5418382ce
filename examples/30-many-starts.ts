// Varimax from many starts, and a rotation for each of many clouds of points, each in one call.

import { minimizeMany, random, specialOrthogonal } from "expen";
import { formula, hadamard, mul, norm2, scale, sub, sum } from "expen/tape";

const r = random(3, "example");
const normals = (rows: number, cols: number) => ({
  rows,
  cols,
  data: Float64Array.from({ length: rows * cols }, () => r.normal()),
});

const loadings = normals(12, 4);
const quartimax = formula((R) => {
  const L = mul(loadings, R);
  return scale(-1, sum(hadamard(hadamard(L, L), hadamard(L, L))));
});
const { results, best, hits } = await minimizeMany(quartimax, { on: specialOrthogonal(4), starts: 20 });
console.log(`quartimax: best f ${results[best]!.fval.toFixed(4)}, reached from ${hits} of ${results.length} starts`);

const clouds = Array.from({ length: 200 }, () => {
  const [P, noise] = [normals(3, 10), normals(3, 10)];
  const turned = [...P.data.slice(10, 20), ...P.data.slice(0, 10).map((v) => -v), ...P.data.slice(20)];
  const Q = { ...P, data: Float64Array.from(turned, (v, k) => v + 0.01 * noise.data[k]!) };
  return { P, Q };
});
const distance = formula((R, { P, Q }) => norm2(sub(mul(R, P), Q)));
const aligned = await minimizeMany(distance, { on: specialOrthogonal(3), data: clouds });
const mean = aligned.results.reduce((total, { X }) => total + X.data[1]! / clouds.length, 0);
console.log(`${aligned.converged} of ${clouds.length} clouds aligned; mean of R₁₂: ${mean.toFixed(2)}`);
