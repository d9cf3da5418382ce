import type { Objective, QuadraticForm } from "@expen/core";
import type { Engine, Tall } from "@expen/linalg";
import { chain, entrywiseProduct } from "@expen/linalg/engine";

/**
 * The criterion of Zou, Hastie and Tibshirani (2006) for many variables (their λ₂ → ∞): min over XᵀX = I and Y of
 * ½‖Y‖² − ⟨CX, Y⟩ + w·Σ|Y_ij|. The optimal Y is S_w(CX), the soft threshold of CX, which leaves a smooth function of X:
 *
 *     f(X) = −½‖S_w(CX)‖²,   ∇f(X) = −C·S_w(CX),   ∇²f(X)[D] = −C(P∘CD),  P_ij = 1 where |CX|_ij > w, 0 elsewhere.
 *
 * AManPG (Chen, Ma, Xue, Zou 2020) alternates between X and Y instead. `minus` is X ↦ −CX.
 */
export function sparseRegression(
  E: Engine,
  n: number,
  p: number,
  { apply: minus }: QuadraticForm,
  w: number,
): { f: Objective; loadings(Y: Tall, X: Tall): void } {
  const soft = softThreshold(w);
  const above = aboveThreshold(w);
  const [W, Y, V] = [E.tall(n, p), E.tall(n, p), E.tall(n, p)];
  const pattern = E.tall(n, p);
  const fg: Objective["fg"] = (G, X) => {
    minus(W, X);
    const sum = E.map([Y], soft, [W]);
    // S_w(−CX) = −S_w(CX)
    minus(G, Y);
    E.combine(G, -1, G, 0, G);
    return -0.5 * sum;
  };
  const linearize: Objective["linearize"] = (X) => {
    minus(W, X);
    E.map([pattern], above, [W]);
    return (H, D) => {
      minus(W, D);
      E.map([Y], entrywiseProduct, [pattern, W]);
      minus(H, Y);
      E.combine(H, -1, H, 0, H);
    };
  };
  return {
    f: { n, p, f: (X) => fg(V, X), fg, hvp: (H, X, D) => linearize!(X)(H, D), linearize },
    loadings(Y, X) {
      minus(W, X);
      E.map([Y], soft, [W]);
      E.combine(Y, -1, Y, 0, Y);
    },
  };
}

/** y ↦ sign(y)·max(|y| − w, 0), with the sum of squares */
const softThreshold = (w: number) =>
  chain(1, ({ abs, max, mul, sign, sub }, y) => {
    const s = mul(sign(y), max(sub(abs(y), w), 0));
    return { outputs: [s], sum: mul(s, s) };
  });

const aboveThreshold = (w: number) => chain(1, ({ abs, less }, y) => ({ outputs: [less(w, abs(y))] }));
