import { minimize, specialOrthogonal } from "expen";
import { expm, formula, log, mul, scale, sub, t, trace } from "expen/tape";
import { normals, product } from "./data.js";

// the largest singular value of A − RB, smoothed as μ·log tr exp(·/μ) of its square
const [B, mu] = [normals(3, 10), 1e-2];
const [c, s] = [Math.cos(0.6), Math.sin(0.6)];
const A = product([[c, -s, 0], [s, c, 0], [0, 0, 1]], B); // biome-ignore format: a matrix
const { X } = await minimize(
  formula((R) => {
    const D = sub(A, mul(R, B));
    return scale(mu, log(trace(expm(scale(1 / mu / 10, mul(D, t(D)))))));
  }),
  { on: specialOrthogonal(3) },
);
console.log(Math.atan2(X.data[3]!, X.data[0]!), 0.6);
