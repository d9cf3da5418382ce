import { minimize, oblique } from "expen";
import { formula, logSumExp, rowSums, rows, scale, square, sub, t } from "expen/tape";
import { pairs } from "./data.js";

// points of the disc are the first two coordinates of points of the sphere
const [between, and] = [pairs(10).map(([i]) => i), pairs(10).map(([, j]) => j)];
const { status, certificate } = await minimize(
  formula((Y) => {
    const X = t(rows(Y, 0, 2));
    return scale(0.01, logSumExp(scale(-100, rowSums(square(sub(rows(X, between), rows(X, and)))))));
  }),
  { on: oblique(3, 10), tol: 1e-4 },
);
console.log(status, certificate.level);
