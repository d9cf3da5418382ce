// A frame of twelve vectors of one length in five dimensions whose angles are as even as they can be: XᵀX = I, rows of length √(5/12).

import { minimize, ownManifold, type Tall } from "expen";
import { formula, hadamard, mul, sum, t } from "expen/tape";

const [n, p] = [12, 5];
/** XᵀX = I on and below the diagonal, and then the rows: 27 equations, of which one follows from the others */
const frames = ownManifold({
  rows: n,
  cols: p,
  c({ data: x }: Tall) {
    const values: number[] = [];
    for (let i = 0; i < p; i++) {
      for (let j = 0; j <= i; j++) {
        let product = i === j ? -1 : 0;
        for (let r = 0; r < n; r++) product += x[r * p + i]! * x[r * p + j]!;
        values.push(product);
      }
    }
    for (let r = 0; r < n; r++) values.push(x.subarray(r * p, r * p + p).reduce((s, v) => s + v * v, -p / n));
    return values;
  },
});

// Σ of the fourth powers of all inner products: least where they are equal in size
const f = formula((X) => {
  const G = mul(X, t(X));
  const squares = hadamard(G, G);
  return sum(hadamard(squares, squares));
});
const { fval, status, feasibility, certificate } = await minimize(f, { on: frames, seed: 2 });
console.log(`${status}: Σ⟨x_i, x_j⟩⁴ = ${fval.toFixed(4)}, certificate: ${certificate.level}`);
console.log(`feasible up to ${feasibility < 1e-12 ? "roundoff" : feasibility}`);
