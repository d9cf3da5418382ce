import { minimize, oblique } from "expen";
import { colNorms, cols, div, formula, sub, sum } from "expen/tape";
import { pairs } from "./data.js";

const [between, and] = [pairs(12).map(([i]) => i), pairs(12).map(([, j]) => j)];
const { fval } = await minimize(
  formula((Y) => sum(div(1, colNorms(sub(cols(Y, between), cols(Y, and)))))),
  { on: oblique(3, 12) },
);
// the icosahedron
console.log(fval, 49.165253058);
