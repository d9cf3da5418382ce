import { euclidean, minimize } from "expen";
import { formula, mul, norm2, sub } from "expen/tape";
import { normals, product } from "./data.js";

const [X, w] = [normals(50, 4, 1), normals(4, 1, 2)];
const { status, X: found } = await minimize(
  formula((v) => norm2(sub(mul(X, v), product(X, w)))),
  { on: euclidean(4) },
);
console.log(status, found.data.every((v, i) => Math.abs(v - w[i]![0]!) < 1e-4)); // biome-ignore format: short
