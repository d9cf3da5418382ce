import type { Engine, Tall } from "@expen/linalg";
import type { Chart } from "../contracts/manifold.js";
import type { Objective } from "../contracts/objective.js";

/** A chart from φ and its derivatives */
export function chartOf(map: Omit<Chart, "objective">): Chart {
  return { ...map, objective: (E, f) => throughChart(E, map, f) };
}

/** f∘φ with its derivatives, for f on matrices Y = φ(X) */
function throughChart(E: Engine, chart: Omit<Chart, "objective">, f: Objective): Objective {
  const { n, p, hvp, linearize: own } = f;
  /** the image of the last evaluation, and ∇f there */
  const [Y, W] = [E.tall(n, p), E.tall(n, p)];
  let hasGradient = false;
  let hidden = 0;
  /** those of a linearization, which outlives other calls, with φ'(X)[D] and ∇²f[φ'(X)[D]] */
  let fixed: readonly [Tall, Tall, Tall, Tall] | undefined;
  function linearize(X: Tall): (H: Tall, D: Tall) => void {
    fixed ??= [E.tall(n, p), E.tall(n, p), E.tall(n, p), E.tall(n, p)];
    const [Yx, Wx, T, V] = fixed;
    chart.image(Yx, X);
    // the gradient is known where the last evaluation was at X
    E.combine(T, 1, Y, -1, Yx);
    if (hasGradient && E.dot(T, T) === 0) E.copy(Wx, W);
    else {
      f.fg(Wx, Yx);
      hidden++;
    }
    const hessian = own?.(Yx) ?? ((H: Tall, D: Tall) => hvp!(H, Yx, D));
    return (H, D) => {
      chart.push(T, X, D);
      hessian(V, T);
      chart.bend(H, X, V, Wx, D);
    };
  }
  return {
    n,
    p,
    f(X) {
      hasGradient = false;
      chart.image(Y, X);
      return f.f(Y);
    },
    fg(G, X) {
      chart.image(Y, X);
      const value = f.fg(W, Y);
      hasGradient = true;
      chart.pull(G, X, W);
      return value;
    },
    ...((hvp || own) && { linearize, hvp: (H: Tall, X: Tall, D: Tall) => linearize(X)(H, D) }),
    hidden: () => hidden,
    ...(f.valueByGradient && { valueByGradient: true }),
    ...(f.compiled && { compiled: true }),
  };
}
