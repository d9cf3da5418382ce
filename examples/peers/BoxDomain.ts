import { bounds, euclidean, minimize, product as parts, specialOrthogonal } from "expen";
import { add, div, formula, hadamard, log, mul, rowSums, sum, t } from "expen/tape";
import { product, transposed } from "./data.js";

// −log likelihood of a covariance R·Diag(d)·Rᵀ with 1 ≤ d ≤ 2, from one of the samples with the eigenvalues 0.5, 1.5, 3
const [c, s] = [Math.cos(0.4), Math.sin(0.4)];
const Q = [[c, -s, 0], [s, c, 0], [0, 0, 1]]; // biome-ignore format: a matrix
const S = product(Q, transposed(Q.map((row) => row.map((x, j) => x * [0.5, 1.5, 3][j]!))));
const { fval } = await minimize(
  formula(({ d, R }) => add(sum(log(d)), sum(div(rowSums(hadamard(t(R), mul(t(R), S))), d)))),
  {
    on: parts({ d: euclidean(3), R: specialOrthogonal(3) }),
    start: { d: [[1.2], [1.4], [1.6]], R: [[1, 0, 0], [0, 1, 0], [0, 0, 1]] }, // biome-ignore format: short
    subjectTo: [bounds(1, 2, { part: "d" })],
  },
);
// the eigenvalues, cut off
console.log(fval, 0.5 + Math.log(1.5) + 1 + Math.log(2) + 1.5);
