import { generalizedStiefel } from "@expen/core";
import type { Engine, Tall } from "@expen/linalg";
import { evenly, orthonormal, planted, sum, symmetric } from "./planted.js";
import type { ConstrainedProblem, Drawn } from "./problem.js";

/** Condition number of B. */
const CONDITION = 100;

/** f = ½tr XᵀAX, XᵀBX = I: B = Q·D·Qᵀ, A = B^½·V·Λ·Vᵀ·B^½ has the eigenvalues Λ with B */
function draw(E: Engine, n: number, p: number, seed: number): Drawn {
  const [Q, V] = [orthonormal(E, n, n, seed, "Q"), orthonormal(E, n, n, seed, "V")];
  const d = Float64Array.from(evenly(n, 0, 1), (t) => CONDITION ** t);
  const values = evenly(n, 1, 2);
  const B = symmetric(E, planted(E, Q, d, Q));
  const root = E.small(n, n, planted(E, Q, d.map(Math.sqrt), Q).data);
  const W = E.small(n, n);
  E.mul(W, root, V);
  const A = symmetric(E, planted(E, W, values, W));
  return {
    on: generalizedStiefel(B, p),
    data: { A, B },
    optimum: 0.5 * sum(values.subarray(0, p)),
    f(E) {
      const { apply, flops } = E.operator(A);
      return {
        quadratic: { apply: (Y: Tall, X: Tall) => apply(Y, X), matrix: A, flops },
        fg(G: Tall, X: Tall) {
          apply(G, X);
          return 0.5 * E.dot(X, G);
        },
      } as ReturnType<Drawn["f"]>;
    },
  };
}

export const generalizedEigenvalues = (n: number, p: number): ConstrainedProblem => ({
  name: "generalized-eigenvalues",
  n,
  p,
  draw,
});
