import type { BlockEngine } from "@expen/linalg/algebras";
import type { Reflection } from "./reflections.js";

/** Each of k square blocks has a det of its own; the reflection of one is that of `determinantReflection`. */
export function blockReflections(E: BlockEngine): Reflection[] {
  const { k, p } = E.blocks;
  return Array.from({ length: k }, (_, i) => ({
    number: (name) => `det of block ${i + 1} of ${name}`,
    reflect(Y, X, S) {
      const [V, w] = [E.small(k * p, k * p), new Float64Array(k * p)];
      if (S) E.factor.eigh(V, w, S);
      else E.addDiagonal(V, 1);
      const vectors = E.read(V).subarray(i * p * p, (i + 1) * p * p);
      const H = E.small(k * p, k * p);
      E.addDiagonal(H, 1);
      const numbers = E.read(H);
      for (let r = 0; r < p; r++)
        for (let c = 0; c < p; c++)
          numbers[i * p * p + r * p + c]! -= 2 * vectors[r * p + p - 1]! * vectors[c * p + p - 1]!;
      E.write(H, numbers);
      E.mul(Y, X, H);
    },
  }));
}
