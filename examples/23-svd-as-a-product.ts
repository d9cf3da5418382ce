// Singular values as a minimum over two named matrices: f(U, V) = −tr UᵀAV.
import { minimize, openEngine, product, random, stiefel } from "expen";

const [m, n, p] = [60, 40, 3];
const E = await openEngine("auto");
const r = random(1, "example");
const A = E.operator({ rows: m, cols: n, data: Float64Array.from({ length: m * n }, () => r.normal()) });

const { X, fval, certificate } = await minimize(
  {
    fg(G, { U, V }) {
      A.apply(G.U, V, -1); // G.U ← −A·V
      A.applyT(G.V, U, -1); // G.V ← −Aᵀ·U
      return E.dot(U, G.U);
    },
  },
  { on: product({ U: stiefel(m, p), V: stiefel(n, p) }), engine: E },
);

console.log(`U is ${X.U.rows}×${X.U.cols}, V is ${X.V.rows}×${X.V.cols}; certificate: ${certificate.level}`);
// the singular values from the eigenvalues of AᵀA
const [I, B, W, S, w] = [E.tall(n, n), E.tall(m, n), E.small(n, n), E.small(n, n), new Float64Array(n)];
let at = 0;
E.write(I, () => (at++ % (n + 1) === 0 ? 1 : 0));
A.apply(B, I);
E.gram(S, B);
E.factor.eigh(W, w, S);
const known = [1, 2, 3].reduce((s, k) => s + Math.sqrt(w[n - k]!), 0);
console.log(`σ₁ + σ₂ + σ₃ = ${(-fval).toFixed(8)}, known ${known.toFixed(8)}`);
E.dispose();
