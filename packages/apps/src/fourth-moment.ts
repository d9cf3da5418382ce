import type { Objective } from "@expen/core";
import type { Engine, Matrix, Tall } from "@expen/linalg";
import { chain, entrywiseProduct } from "@expen/linalg/engine";

/**
 * f(X) = −(1/4m) ‖YX‖₄⁴ for samples Y, m×n [Zhai, Yang, Liao, Wright and Ma 2020]. With W = YX and powers entry by entry:
 *
 *     ∇f(X) = −(1/m) Yᵀ W³,     ∇²f(X)[D] = −(3/m) Yᵀ (W² ∘ YD)
 */
export function fourthMoment(E: Engine, samples: Matrix, p: number): Objective {
  const { rows: m, cols: n } = samples;
  const Y = E.operator(samples);
  const [W, W3, WX] = [E.tall(m, p), E.tall(m, p), E.tall(m, p)];

  function linearize(X: Tall): (H: Tall, D: Tall) => void {
    Y.apply(W, X);
    E.map([WX], squares, [W]);
    return (H, D) => {
      Y.apply(W, D);
      E.map([W3], entrywiseProduct, [WX, W]);
      Y.applyT(H, W3, -3 / m);
    };
  }

  return {
    n,
    p,
    f(X) {
      Y.apply(W, X);
      return (-0.25 / m) * E.map([], fourthPowers, [W]);
    },
    fg(G, X) {
      Y.apply(W, X);
      const sum = E.map([W3], cubesAndFourthPowers, [W]);
      Y.applyT(G, W3, -1 / m);
      return (-0.25 / m) * sum;
    },
    hvp: (H, X, D) => linearize(X)(H, D),
    linearize,
  };
}

const squares = chain(1, ({ square }, w) => ({ outputs: [square(w)] }));
/** Σ w⁴; the next one with w³ too */
const fourthPowers = chain(1, ({ pow }, w) => ({ sum: pow(w, 4) }));
const cubesAndFourthPowers = chain(1, ({ pow }, w) => ({ outputs: [pow(w, 3)], sum: pow(w, 4) }));
