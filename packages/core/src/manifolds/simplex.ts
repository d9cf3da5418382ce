/** Probabilities by squares: x = z∘z with z on a sphere. */
import type { Engine, Matrix, Tall } from "@expen/linalg";
import { digits, requireNoMore } from "@expen/linalg";
import { diagonalEngine } from "@expen/linalg/algebras";
import { chain } from "@expen/linalg/engine";
import type { Chart, Manifold } from "../contracts/manifold.js";
import { obliqueConstraint } from "./oblique.js";
import { requireSizes } from "./requirements.js";
import { chartOf } from "./through-chart.js";
import { itself } from "./view.js";

/**
 * Columns of numbers that are 0 or more with the sum 1: n×p, p columns by themselves. f sees X; the run works on Z with X = Z∘Z, whose
 * columns have length 1.
 *
 *     minimize(formula((x) => add(mul(t(x), Q, x), inner(c, x))), { on: simplex(5) })
 *
 * Where Z_ij = 0 the gradient in Z_ij is 0, whatever ∂f/∂X_ij is, so that a stationary Z may be no solution on the simplex. The Hessian
 * along Z_ij tells: it is 2(∂f/∂X_ij − λ_j) with the multiplier λ_j of the sum. A certificate of second order therefore proves the
 * first-order conditions on the simplex, ∂f/∂X_ij ≥ λ_j with equality where X_ij > 0 [Li, McKenzie, Yin, From the simplex to the sphere,
 * 2023]. Runs leave other points as saddles.
 */
export function simplex(n: number, p = 1, ...more: never[]): Manifold {
  requireNoMore("simplex(n, p)", more);
  requireSizes("simplex", { n, p });
  return {
    text: p === 1 ? `simplex(${n})` : `simplex(${n}, ${p})`,
    n,
    p,
    shapes: [{ name: "", n, p, complex: false }],
    bind(base) {
      const E = diagonalEngine(base);
      const on = obliqueConstraint(E, n, p);
      // the sign of Z_ij counts for nothing
      const { reflections: _, ...traits } = on.traits;
      const chart = squares(base);
      const images = new WeakMap<Tall, Tall>();
      const view = (Z: Tall): Tall => {
        let X = images.get(Z);
        if (!X) images.set(Z, (X = base.tall(n, p)));
        chart.image(X, Z);
        return X;
      };
      return { base, E, on: { ...on, name: "simplex", traits }, view, chart };
    },
  };
}

const square = chain(1, (op, z) => ({ outputs: [op.square(z)] }));
const root = chain(1, (op, x) => ({ outputs: [op.sqrt(x)] }));
const doubleProduct = chain(2, ({ mul }, z, w) => ({ outputs: [mul(2, mul(z, w))] }));
/** 2(z·h + w·d) */
const second = chain(4, ({ mul, muladd }, z, h, w, d) => ({ outputs: [mul(2, muladd(z, h, mul(w, d)))] }));

/** X = Z∘Z: φ'(Z)[D] = 2Z∘D, which is its own adjoint, and φ''(Z)[D]ᵀ[W] = 2D∘W */
const squares = (E: Engine): Chart =>
  chartOf({
    image: (X, Z) => void E.map([X], square, [Z]),
    read(Z, X) {
      requireNonnegative(E, X);
      E.map([Z], root, [X]);
    },
    push: (T, Z, D) => void E.map([T], doubleProduct, [Z, D]),
    pull: (G, Z, W) => void E.map([G], doubleProduct, [Z, W]),
    bend: (H, Z, V, W, D) => void E.map([H], second, [Z, V, W, D]),
    view: itself,
  });

function requireNonnegative(E: Engine, X: Matrix): void {
  const numbers = E.read(X as Tall);
  const bad = numbers.findIndex((x) => x < 0);
  if (bad < 0) return;
  const at = `(${Math.floor(bad / X.cols)}, ${bad % X.cols})`;
  throw new RangeError(`simplex: entry ${at} of the start is ${digits(numbers[bad]!)}; it must be 0 or more.`);
}
