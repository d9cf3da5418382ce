/** The first matrix in the frame: in the eigenbasis of the multiplier, or in that of the columns of X. */
import type { Engine, Small } from "@expen/linalg";
import { columnsAsBasis, eigenbasis } from "./basis.js";
import { type FrameShape, type ShapeInBasis, shapeInBasis } from "./in-frame.js";
import { pairProducts } from "./pair-products.js";

/** Weight of a pair against the one after it */
const DECAY = 0.8;

/** In the eigenbasis of the multiplier alone, as parts of products are, whose bases must belong together (coupling.ts) */
export function shapeInEigenbasis(E: Engine, p: number, S: Small): FrameShape {
  const products = pairProducts(E, p);
  const { learn, ...shape } = shapeInBasis(E, p, S, eigenbasis(E, p, S), products);
  return {
    ...shape,
    learn(pair) {
      const yHy = learn(pair);
      products.forget();
      return yHy;
    },
  };
}

/**
 * Two first matrices that learn side by side: diagonal in the eigenbasis of the multiplier, for an f that sees X up to rotations XQ,
 * and in the columns of X, for an f that is a sum over columns, as in ICA and joint diagonalization. In use is the one that would have
 * foreseen the last pairs better, by ⟨s, H₀⁻¹s⟩⟨y, H₀y⟩/⟨s, y⟩² ≥ 1, whose logarithms are summed. While no gradient has an Ω, f is of
 * the first kind.
 */
export function shapeInEitherBasis(E: Engine, p: number, S: Small): FrameShape {
  const products = pairProducts(E, p);
  const ofMultiplier = shapeInBasis(E, p, S, eigenbasis(E, p, S), products);
  const ofColumns = shapeInBasis(E, p, S, columnsAsBasis(E, p), products);
  let inUse: ShapeInBasis = ofMultiplier;
  /** decayed sum of the differences of their misfits */
  let excess = 0;
  return {
    apply: (R, Q, withRotation) => inUse.apply(R, Q, withRotation),
    prepare: (pair) => inUse.prepare(pair),
    learn(pair) {
      const yHy = ofMultiplier.learn(pair);
      if (!pair.D.O) {
        inUse = ofMultiplier;
        products.forget();
        return yHy;
      }
      const ofOther = ofColumns.learn(pair);
      products.forget();
      const difference = ofColumns.misfit - ofMultiplier.misfit;
      if (Number.isFinite(difference)) excess = DECAY * excess + difference;
      inUse = excess < 0 ? ofColumns : ofMultiplier;
      return inUse === ofColumns ? ofOther : yHy;
    },
    scale: (gamma) => inUse.scale(gamma),
    forget() {
      inUse = ofMultiplier;
      excess = 0;
      ofMultiplier.forget();
      ofColumns.forget();
    },
  };
}
