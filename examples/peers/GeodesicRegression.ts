import { euclidean, minimize, product, stiefel } from "expen";
import { add, cos, formula, hstack, mul, rowSums, sin, sqrt, square, sub, sum, t } from "expen/tape";

// γ(s) = cos(ωs)·p + sin(ωs)·u for X = (p, u), with an outlier, which the sum of distances leaves out
const times = Array.from({ length: 15 }, (_, k) => [(k - 7) / 7]);
const data = times.map(([s]) => [Math.cos(0.8 * s!), 0.6 * Math.sin(0.8 * s!), 0.8 * Math.sin(0.8 * s!)]);
data[3] = [0, 1, 0];
const { X: fit } = await minimize(
  formula(({ X, omega }) => {
    const angles = mul(times, omega);
    const apart = sub(mul(hstack(cos(angles), sin(angles)), t(X)), data);
    return sum(sqrt(add(rowSums(square(apart)), 1e-10)));
  }),
  { on: product({ X: stiefel(3, 2), omega: euclidean(1) }), start: { X: [[1, 0], [0, 1], [0, 0]], omega: [[0.5]] } }, // biome-ignore format: short
);
console.log(fit.omega.data[0], 0.8);
