// Eigenvectors of an operator given by its products, with a preconditioner: the inverse of a simpler operator.
import { minimize, openEngine, stiefel, type Tall } from "expen";

// B = T + Diag(v): T the Laplacian of a path of n points, v a potential
const [n, p] = [2000, 6];
const E = await openEngine("auto");
const column = (entry: (i: number) => number) =>
  E.tall(
    n,
    1,
    Float64Array.from({ length: n }, (_, i) => entry(i)),
  );
const [lower, upper] = [column((i) => (i > 0 ? -1 : 0)), column((i) => (i < n - 1 ? -1 : 0))];
const v = (i: number): number => 1e-5 * (1 + Math.cos(i / 50) + 0.5 * Math.cos(i / 7));
const B = E.operator({ lower, main: column((i) => 2 + v(i)), upper });

// P = (T + μI)⁻¹, μ the mean of v
const simple = E.operator({ lower, main: column(() => 2 + 1e-5), upper });
const precondition = (Z: Tall, _X: Tall, G: Tall): void => simple.solve!(Z, G);

// f(X) = ½ tr XᵀBX, declared as a quadratic form with its products
let products = 0;
const apply = (Y: Tall, X: Tall): void => {
  products += X.cols;
  B.apply(Y, X);
};
const fg = (G: Tall, X: Tall): number => {
  apply(G, X);
  return 0.5 * E.dot(G, X);
};

for (const given of [{}, { precondition }]) {
  products = 0;
  const options = { on: stiefel(n, p), engine: E, tol: 1e-7, certificate: "stationary", ...given } as const;
  const { fval } = await minimize({ fg, quadratic: { apply, flops: 6 * n } }, options);
  const what = "precondition" in given ? "with P" : "without";
  console.log(`${what}: f = ${fval.toExponential(7)}, ${products} products with B`);
}
