/** The first matrix of several points of one manifold, which lie in blocks. */
import type { Blocks } from "../../../contracts/constraint.js";
import { curvatures, PRIOR } from "./curvatures.js";
import type { FrameShape, LearnedPair } from "./in-frame.js";
import { sum } from "./multiplier.js";

/**
 * A curvature d_i for each block, learned from the pairs: (Z_i, Ω_i) ↦ γ/d_i·(Z_i, Ω_i), for an f whose points depend on each other. Of a
 * sum over the points each has pairs of its own (block-pairs.ts).
 */
export function blockFirstMatrix({ k, dots, add }: Blocks): FrameShape {
  const list = (): Float64Array => new Float64Array(k);
  const [scaled, prior, ofRotations] = [list(), list(), list()];
  const ofBlocks = curvatures(k, PRIOR.columns);
  const { ss: a, yy: b } = ofBlocks;
  let inverse: Float64Array = prior;
  scaled.fill(1);

  /** r_i ← ‖Z_i‖² + ‖Ω_i‖² */
  function squares(r: Float64Array, { Z, O }: LearnedPair["D"]): void {
    if (Z) dots(r, Z, Z);
    else r.fill(0);
    if (!O) return;
    dots(ofRotations, O, O);
    for (let i = 0; i < k; i++) r[i]! += ofRotations[i]!;
  }

  return {
    apply(R, Q, withRotation = true) {
      if (R.Z) add(R.Z, scaled, Q.Z!, 0);
      if (R.O && withRotation) add(R.O, scaled, Q.O!, 0);
    },
    prepare() {},
    learn({ t, D, y, sy, unit }) {
      squares(a, D);
      squares(b, y);
      for (let i = 0; i < k; i++) a[i]! *= t * t;
      const yy = sum(b);
      // the quotient ⟨y, y⟩/⟨s, y⟩ of all blocks together
      prior.fill(sy > 0 ? yy / sy : Math.sqrt(yy / sum(a)));
      inverse = ofBlocks.learn(prior, unit ?? yy);
      return ofBlocks.yHy();
    },
    scale(gamma) {
      for (let i = 0; i < k; i++) scaled[i] = gamma * inverse[i]!;
    },
    forget() {
      scaled.fill(1);
      ofBlocks.clear();
    },
  };
}
