import type { Engine, Random, Tall } from "@expen/linalg";
import { chain } from "@expen/linalg/engine";

/**
 * A stream of random numbers ±(1 … 2)/√n, the entries of a direction: every entry of X has about the same weight and moves by about its own
 * size, and two mistakes of the same size do not cancel. `negative`: the probability of a minus sign.
 */
export function weights(n: number, r: Random, negative = 0.5): () => number {
  const unit = 1 / Math.sqrt(n);
  return () => {
    const size = unit * (1 + r.uniform());
    return r.uniform() < negative ? -size : size;
  };
}

export const smallestWeight = (n: number): number => 1 / Math.sqrt(n);
/** The mean of the squares of `weights` */
export const meanSquare = (n: number): number => 7 / 3 / n;

const withSignOf = chain(2, ({ less, neg, select }, x, g) => ({ outputs: [select(less(g, 0), neg(x), x)] }));

/** D ← weights of which three of four have the sign of their entry of G, so that ⟨G, D⟩ is far above the jitter of f. Y is scratch. */
export function alongSigns(E: Engine, D: Tall, G: Tall, Y: Tall, r: Random): void {
  E.write(Y, weights(D.rows, r, 0.25));
  E.map([D], withSignOf, [Y, G]);
}
