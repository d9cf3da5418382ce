/** First matrices of parts that have no Ω: unit columns, and no constraint. */
import type { Engine, Small } from "@expen/linalg";
import { curvatures, PRIOR } from "./curvatures.js";
import type { FrameShape, LearnedPair } from "./in-frame.js";
import { multiplierModel, sum } from "./multiplier.js";
import { pairProducts } from "./pair-products.js";

/**
 * Columns of length 1: in-frame.ts in the algebra of diagonal matrices, where columns are the eigenbasis and there is no Ω,
 *
 *     Z ↦ γ·Z·Diag(1/d).
 */
export function columnFirstMatrix(E: Engine, p: number, S: Small): FrameShape {
  const [V, inverse] = [E.small(p, p), E.small(p, p)];
  const products = pairProducts(E, p);
  const list = (): Float64Array => new Float64Array(p);
  const [e, w, prior] = [list(), list(), list()];
  const columns = curvatures(p, PRIOR.columns);
  const { ss: a, yy: b } = columns;
  const model = multiplierModel(p);
  let isScaled = false;
  let inverseOfColumns: Float64Array = prior;
  /** the diagonal, p numbers */
  const read = (r: Float64Array, S: Small): void => E.factor.eigh(V, r, S);
  return {
    apply(R, Q) {
      if (isScaled) E.mul(R.Z!, Q.Z!, inverse);
      else E.copy(R.Z!, Q.Z!);
    },
    prepare: (pair) => products.prepare(pair, true),
    learn({ t, D, y, unit }) {
      products.prepare({ D, y }, true);
      read(a, products.DD);
      read(b, products.yy);
      read(e, products.Dy);
      products.forget();
      for (let j = 0; j < p; j++) {
        a[j]! *= t * t;
        e[j]! *= t;
      }
      read(w, S);
      const yy = unit ?? sum(b);
      if (sum(e) > 1e-3 * Math.sqrt(sum(a) * sum(b))) model.fit(prior, a, b, e, w, yy);
      else if (!isScaled) prior.fill(Math.sqrt(sum(b) / sum(a)));
      inverseOfColumns = columns.learn(prior, yy);
      return columns.yHy();
    },
    scale(gamma) {
      for (let j = 0; j < p; j++) e[j] = gamma * inverseOfColumns[j]!;
      E.write(inverse, e);
      isScaled = true;
    },
    forget() {
      isScaled = false;
      columns.clear();
      model.clear();
    },
  };
}

/** No constraint: Z ↦ γ·Z/d with one curvature d */
export function freeFirstMatrix(E: Engine): FrameShape {
  const prior = new Float64Array(1);
  const curvature = curvatures(1, PRIOR.columns);
  const { ss: a, yy: b } = curvature;
  let d = 1;
  let factor = 1;
  /** ⟨D, D⟩ and ⟨y, y⟩ */
  const sums = E.sums(2);
  let prepared: Pick<LearnedPair, "D" | "y"> | undefined;
  function prepare({ D, y }: Pick<LearnedPair, "D" | "y">): void {
    sums.dot(0, D.Z!, D.Z!);
    sums.dot(1, y.Z!, y.Z!);
    prepared = { D, y };
  }
  return {
    apply: (R, Q) => E.combine(R.Z!, factor, Q.Z!, 0, Q.Z!),
    prepare,
    learn({ t, D, y, unit }) {
      if (prepared?.D !== D || prepared.y !== y) prepare({ D, y });
      sums.arrive();
      prepared = undefined;
      a[0] = t * t * sums.at[0]!;
      b[0] = sums.at[1]!;
      prior[0] = Math.sqrt(b[0]! / a[0]!);
      d = 1 / curvature.learn(prior, unit ?? b[0]!)[0]!;
      return b[0]! / d;
    },
    scale(gamma) {
      factor = gamma / d;
    },
    forget() {
      factor = 1;
      curvature.clear();
    },
  };
}
