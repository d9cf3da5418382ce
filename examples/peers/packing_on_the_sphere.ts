import { minimize, oblique } from "expen";
import { colSums, cols, formula, hadamard, logSumExp, scale } from "expen/tape";
import { pairs } from "./data.js";

const [between, and] = [pairs(12).map(([i]) => i), pairs(12).map(([, j]) => j)];
const { status, X } = await minimize(
  formula((Y) => scale(0.02, logSumExp(scale(50, colSums(hadamard(cols(Y, between), cols(Y, and))))))),
  { on: oblique(3, 12), tol: 1e-5 },
);
console.log(status, X.cols === 12);
