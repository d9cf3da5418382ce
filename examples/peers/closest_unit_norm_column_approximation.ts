import { minimize, oblique } from "expen";
import { formula, norm2, scale, sub } from "expen/tape";
import { normals, transposed } from "./data.js";

const A = normals(5, 8);
const { fval } = await minimize(
  formula((X) => scale(0.5, norm2(sub(X, A)))),
  { on: oblique(5, 8) },
);
console.log(fval, transposed(A).reduce((s, a) => s + 0.5 * (Math.hypot(...a) - 1) ** 2, 0)); // biome-ignore format: short
