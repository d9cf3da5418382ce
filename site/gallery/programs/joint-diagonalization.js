// Twelve covariance matrices that share their eigenvectors, but for noise: one rotation makes all of them nearly diagonal.
import { random } from "expen";
import { jointDiagonalization } from "expen/apps";
import { randomOrthonormal } from "expen/problems";
import { heat } from "../heat.js";
import { rowsOf } from "../rows.js";

const r = random(9, "gallery");
const n = 8;
const Q = rowsOf(randomOrthonormal(n, n, r));
const product = (A, B) => A.map((row) => B[0].map((_, j) => row.reduce((sum, v, k) => sum + v * B[k][j], 0)));
const transpose = (A) => A[0].map((_, j) => A.map((row) => row[j]));
const matrices = Array.from({ length: 12 }, () => {
  const values = Array.from({ length: n }, () => 1 + 3 * r.uniform());
  const A = product(
    Q.map((row) => row.map((v, k) => v * values[k])),
    transpose(Q),
  );
  const noise = A.map((row) => row.map(() => 0.02 * r.normal()));
  return A.map((row, i) => row.map((v, j) => v + noise[i][j] + noise[j][i]));
});
const { X, offDiagonal, run } = await jointDiagonalization(matrices);

const x = X.toRows();
const after = matrices.map((A) => product(transpose(x), product(A, x)));
export const text = `share of the squares off the diagonals: ${offDiagonal.toExponential(2)}; certificate: ${run.certificate.level}`;
export const answer = { offDiagonal };
export const picture = heat([matrices[0], after[0], matrices[1], after[1]], {
  title: "Two of twelve matrices, before and after",
  names: ["A₁", "XᵀA₁X", "A₂", "XᵀA₂X"],
});
