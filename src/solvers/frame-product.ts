/** Frames of products of manifolds: everything goes part by part, inner products add up. */
import type { Factors } from "../constraints/constraint.js";
import type { Engine } from "../types.js";
import type { Frame, Tangent } from "./frame.js";
import type { FrameShape } from "./frame-first-matrix.js";

const partsOf = (A: Tangent): readonly Tangent[] => A.parts!;

export function productFrame(E: Engine, n: number, p: number, { of }: Factors, frames: readonly Frame[]): Frame {
  let sums = new Float64Array(8);
  return {
    tangent(Z = E.tall(n, p)) {
      const zs = of(Z);
      return { Z, O: undefined, parts: frames.map((frame, i) => frame.tangent(zs[i])) };
    },
    inner: (A, B) => frames.reduce((sum, frame, i) => sum + frame.inner(partsOf(A)[i]!, partsOf(B)[i]!), 0),
    inners(r, As, B) {
      const count = As.length;
      if (sums.length < count) sums = new Float64Array(count);
      r.fill(0, 0, count);
      for (let i = 0; i < frames.length; i++) {
        frames[i]!.inners(
          sums,
          As.map((A) => partsOf(A)[i]!),
          partsOf(B)[i]!,
        );
        for (let k = 0; k < count; k++) r[k]! += sums[k]!;
      }
    },
    combine(C, a, A, b, B) {
      for (let i = 0; i < frames.length; i++) frames[i]!.combine(partsOf(C)[i]!, a, partsOf(A)[i]!, b, partsOf(B)[i]!);
    },
    combination(C, c, As, b) {
      for (let i = 0; i < frames.length; i++) {
        frames[i]!.combination(
          partsOf(C)[i]!,
          c,
          As.map((A) => partsOf(A)[i]!),
          b,
        );
      }
    },
    room: ({ Z }) => Z!,
    split(g, S, X, G) {
      const [ss, xs, gs] = [of(S), of(X), of(G)];
      for (let i = 0; i < frames.length; i++) frames[i]!.split(partsOf(g)[i]!, ss[i]!, xs[i]!, gs[i]!);
    },
    retract(Y, X, t, D) {
      const [ys, xs] = [of(Y), of(X)];
      for (let i = 0; i < frames.length; i++) frames[i]!.retract(ys[i]!, xs[i]!, t, partsOf(D)[i]!);
    },
  };
}

/**
 * A first matrix for each part, with curvatures of its own, and one γ for all: so that multiplying one part of the variables by a number
 * changes little. A part that has not moved, or whose gradient has not changed, says nothing.
 */
export function productShape({ of }: Factors, frames: readonly Frame[], shapes: readonly FrameShape[]): FrameShape {
  const told = shapes.map(() => false);
  return {
    apply(R, Q) {
      for (let i = 0; i < shapes.length; i++) shapes[i]!.apply(partsOf(R)[i]!, partsOf(Q)[i]!);
    },
    learn(S, { t, D, y, ...pair }) {
      const ss = of(S);
      const ofParts = frames.map((frame, i) => frame.inner(partsOf(y)[i]!, partsOf(y)[i]!));
      const yy = pair.yy ?? ofParts.reduce((sum, part) => sum + part, 0);
      let sum = 0;
      for (let i = 0; i < shapes.length; i++) {
        const [d, change] = [partsOf(D)[i]!, partsOf(y)[i]!];
        told[i] = ofParts[i]! > 0 && frames[i]!.inner(d, d) > 0;
        if (!told[i]) continue;
        sum += shapes[i]!.learn(ss[i]!, { t, D: d, y: change, sy: t * frames[i]!.inner(d, change), yy });
      }
      return sum;
    },
    scale(gamma) {
      for (let i = 0; i < shapes.length; i++) if (told[i]) shapes[i]!.scale(gamma);
    },
    forget() {
      for (const shape of shapes) shape.forget();
    },
  };
}
