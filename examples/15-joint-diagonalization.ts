// Common eigenvectors of several noisy symmetric matrices.

import { type Matrix, random, randomStart } from "expen";
import * as apps from "expen/apps";
import { jsEngine } from "expen/engines";

const n = 5;
const Q = randomStart(jsEngine(), n, n, 3).data;
const r = random(4, "example");
const matrices: Matrix[] = Array.from({ length: 6 }, () => {
  const lambda = Array.from({ length: n }, () => r.normal());
  const A = { rows: n, cols: n, data: new Float64Array(n * n) };
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = 0.01 * r.normal();
      for (let k = 0; k < n; k++) sum += lambda[k]! * Q[i * n + k]! * Q[j * n + k]!;
      A.data[i * n + j] = A.data[j * n + i] = sum;
    }
  }
  return A;
});

const { diagonals, offDiagonal, run } = await apps.jointDiagonalization(matrices, { certificate: "second-order" });
console.log(`share of squares off the diagonals: ${offDiagonal.toExponential(1)}`);
console.log(
  `diagonal of the first matrix: ${Array.from(diagonals.data.subarray(0, n), (v) => v.toFixed(2)).join(" ")}`,
);
console.log(`certificate: ${run.certificate.level}`);
