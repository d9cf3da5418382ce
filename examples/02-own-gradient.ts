// Your own value and gradient in plain loops; the gradient is compared with f before the run begins.
import { GradientError, type Matrix, minimize, stiefel } from "expen";

const [n, p] = [30, 2];
const a = Float64Array.from({ length: n }, (_, i) => Math.sin(3 * i)); // f(X) = ½ Σ_ij (X_ij − a_i)⁴

const f = (X: Matrix): number => {
  let sum = 0;
  X.data.forEach((x, k) => {
    sum += 0.5 * (x - a[Math.floor(k / p)]!) ** 4;
  });
  return sum;
};
const grad = (G: Matrix, X: Matrix): void => {
  for (let k = 0; k < n * p; k++) G.data[k] = 2 * (X.data[k]! - a[Math.floor(k / p)]!) ** 3;
};

const { fval, status, certificate } = await minimize({ f, grad }, { on: stiefel(n, p), certificate: "second-order" });
console.log(`${status}: f = ${fval.toFixed(6)}, ${certificate.level} certificate`);

const wrong = (G: Matrix, X: Matrix): void => {
  grad(G, X);
  G.data[7] = -G.data[7]!; // a wrong sign in row 3, column 1
};
try {
  await minimize({ f, grad: wrong }, { on: stiefel(n, p) });
} catch (error) {
  if (error instanceof GradientError)
    console.log(`refused: entry (${error.suspect.row}, ${error.suspect.column}) of the gradient is wrong`);
}
