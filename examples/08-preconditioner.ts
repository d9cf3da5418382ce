// A badly scaled problem without and with a preconditioner P ≈ (∇²f)⁻¹.
import { type Matrix, minimize, stiefel } from "expen";

const [n, p] = [200, 3];
const b = Float64Array.from({ length: n }, (_, i) => 10 ** ((4 * i) / (n - 1))); // from 1 to 10⁴
const c = Float64Array.from({ length: n * p }, (_, k) => Math.cos(k));

// f(X) = ½ Σ b_i·X_ij² + Σ c_ij·X_ij
const user = {
  fg(G: Matrix, X: Matrix): number {
    let value = 0;
    for (let k = 0; k < n * p; k++) {
      const bx = b[Math.floor(k / p)]! * X.data[k]!;
      G.data[k] = bx + c[k]!;
      value += 0.5 * bx * X.data[k]! + c[k]! * X.data[k]!;
    }
    return value;
  },
};
const precondition = (Z: Matrix, _X: Matrix, G: Matrix): void => {
  for (let k = 0; k < n * p; k++) Z.data[k] = G.data[k]! / (1 + b[Math.floor(k / p)]!);
};

const plain = await minimize(user, { on: stiefel(n, p), tol: 1e-5 });
const preconditioned = await minimize(user, { on: stiefel(n, p), tol: 1e-5, precondition });
console.log(`without P: ${plain.iterations} iterations, f = ${plain.fval.toFixed(8)}`);
console.log(`with P:    ${preconditioned.iterations} iterations, f = ${preconditioned.fval.toFixed(8)}`);
