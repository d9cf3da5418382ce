import { minimize, specialOrthogonal } from "expen";
import { add, colSums, formula, mul, sqrt, square, sub, sum } from "expen/tape";
import { normals } from "./data.js";

// the sum of distances finds the rotation of the thirty columns that four outliers hide
const [c, s] = [Math.cos(0.7), Math.sin(0.7)];
const B = normals(3, 34);
const A = [B[0]!.map((x, k) => c * x - s * B[1]![k]!), B[0]!.map((x, k) => s * x + c * B[1]![k]!), [...B[2]!]];
for (const row of A) for (let k = 0; k < 4; k++) row[k]! += 5;
const { X } = await minimize(
  formula((R) => sum(sqrt(add(colSums(square(sub(A, mul(R, B)))), 1e-12)))),
  { on: specialOrthogonal(3), relTol: 1e-9 },
);
console.log(Math.atan2(X.data[3]!, X.data[0]!), 0.7);
