import { euclidean, grassmann, minimize, product } from "expen";
import { formula, hadamard, norm2, rowSums, rows, sub } from "expen/tape";
import { normals, product as times } from "./data.js";

// rank at most 3 as L·Vᵀ: closed and smooth, also where the rank is 1, as that of the answer
const A = times(normals(30, 1, 1), normals(1, 20, 2));
const seen = A.flatMap((row, i) => row.map((_, j) => [i, j] as const)).filter((_, k) => (k * k) % 5 < 2);
const [is, js] = [seen.map(([i]) => i), seen.map(([, j]) => j)];
const values = seen.map(([i, j]) => [A[i]![j]!]);
const { status, fval } = await minimize(
  formula(({ L, V }) => norm2(sub(rowSums(hadamard(rows(L, is), rows(V, js))), values))),
  { on: product({ L: euclidean(30, 3), V: grassmann(20, 3) }), tol: 1e-8 },
);
console.log(status, fval < 1e-10);
