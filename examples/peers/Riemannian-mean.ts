import { minimize, sphere } from "expen";
import { acos, formula, mul, norm2, scale } from "expen/tape";

// points around the pole in pairs that mirror each other: their mean is the pole
const data = [0.3, 0.5, 1].flatMap((r, k) =>
  [0, Math.PI].map((half) => [Math.sin(r) * Math.cos(k + half), Math.sin(r) * Math.sin(k + half), Math.cos(r)]),
);
const { X } = await minimize(
  formula((x) => scale(1 / 12, norm2(acos(mul(data, x))))),
  { on: sphere(3), start: [[0.1], [0.2], [1]] },
);
console.log(X.data[2], 1);
