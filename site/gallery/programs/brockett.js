// Sorting by rotation: the minimum of tr XᵀAX·D with weights D = Diag(1, …, p) orders the eigenvectors of A by their eigenvalues.
import { minimize, random, stiefel } from "expen";
import { unitSymmetric } from "expen/problems";
import { formula, mul, t, trace } from "expen/tape";
import { heat } from "../heat.js";
import { matrixOf, rowsOf } from "../rows.js";

const n = 12;
const A = unitSymmetric(n, random(7, "gallery"));
const D = matrixOf(Array.from({ length: n }, (_, i) => Array.from({ length: n }, (_, j) => (i === j ? n - i : 0))));
const { X, certificate } = await minimize(
  formula((X) => trace(mul(t(X), A, X, D))),
  { on: stiefel(n, n), tol: 1e-9 },
);

const product = (P, Q) => P.map((row) => Q[0].map((_, j) => row.reduce((sum, v, k) => sum + v * Q[k][j], 0)));
const x = rowsOf(X);
const turned = product(
  x[0].map((_, j) => x.map((row) => row[j])),
  product(rowsOf(A), x),
);
const values = turned.map((row, i) => row[i]);
export const text = `eigenvalues on the diagonal: ${values.map((v) => v.toFixed(3)).join(" ")}; certificate: ${certificate.level}`;
const off = Math.hypot(...turned.flatMap((row, i) => row.filter((_, j) => i !== j)));
export const answer = { values, off };
export const picture = heat([rowsOf(A), turned], { title: "A matrix, and after the rotation", names: ["A", "XᵀAX"] });
