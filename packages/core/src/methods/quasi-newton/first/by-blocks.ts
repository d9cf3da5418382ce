/** The first matrix of several points of one manifold, which lie in blocks. */
import type { Engine, Small } from "@expen/linalg";
import { columnCurvatures } from "./curvatures.js";
import type { FrameShape, LearnedPair } from "./in-frame.js";
import { sum } from "./multiplier.js";

/**
 * A curvature d_i for each block, learned from the pairs: (Z_i, Ω_i) ↦ γ/d_i·(Z_i, Ω_i). Where f is a sum of functions of one block each,
 * its Hessian is block diagonal, and this is a multiple of I in each block.
 */
export function blockFirstMatrix(E: Engine, p: number, S: Small): FrameShape {
  const [inverse, products] = [E.small(p, p), E.small(p, p)];
  /** numbers of small matrices: blocks of q² */
  const numbers = new Float64Array(E.read(S).length);
  const q = Math.round(numbers.length / p);
  const k = Math.round(p / q);
  const list = (): Float64Array => new Float64Array(k);
  const [a, b, scaled, prior] = [list(), list(), list(), list()];
  const curvatures = columnCurvatures(k);
  let isScaled = false;
  let d: Float64Array = prior;

  /** r_i ← the trace of block i of `products` added to it */
  function addTraces(r: Float64Array): void {
    E.read(products, numbers);
    for (let i = 0; i < k; i++) for (let j = 0; j < q; j++) r[i]! += numbers[i * q * q + j * (q + 1)]!;
  }
  /** r_i ← ‖Z_i‖² + ‖Ω_i‖² */
  function squares(r: Float64Array, { Z, O }: LearnedPair["D"]): void {
    r.fill(0);
    for (const A of [Z, O]) {
      if (!A) continue;
      E.gram(products, A);
      addTraces(r);
    }
  }

  return {
    apply(R, Q, withRotation = true) {
      if (R.Z) isScaled ? E.mul(R.Z, Q.Z!, inverse) : E.copy(R.Z, Q.Z!);
      if (R.O && withRotation) isScaled ? E.mul(R.O, Q.O!, inverse) : E.copy(R.O, Q.O!);
    },
    prepare() {},
    learn({ t, D, y, sy, unit }) {
      squares(a, D);
      squares(b, y);
      for (let i = 0; i < k; i++) a[i]! *= t * t;
      const yy = sum(b);
      // the quotient ⟨y, y⟩/⟨s, y⟩ of all blocks together
      prior.fill(sy > 0 ? yy / sy : Math.sqrt(yy / sum(a)));
      d = curvatures.learn(a, b, unit ?? yy, prior);
      let yHy = 0;
      for (let i = 0; i < k; i++) yHy += b[i]! / d[i]!;
      return yHy;
    },
    scale(gamma) {
      for (let i = 0; i < k; i++) scaled[i] = gamma / d[i]!;
      numbers.fill(0);
      for (let i = 0; i < k; i++) for (let j = 0; j < q; j++) numbers[i * q * q + j * (q + 1)] = scaled[i]!;
      E.write(inverse, numbers);
      isScaled = true;
    },
    forget() {
      isScaled = false;
      curvatures.clear();
    },
  };
}
