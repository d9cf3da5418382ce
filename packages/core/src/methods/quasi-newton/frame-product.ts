/** Frames of products of manifolds: everything goes part by part, inner products add up. */

import type { Engine, Tall } from "@expen/linalg";
import type { Parts } from "../../contracts/constraint.js";
import type { Point } from "../../contracts/point.js";
import { plainPoint } from "../../manifolds/point.js";
import { coupledParts, coupling } from "./first/coupling.js";
import type { FrameShape, LearnedPair } from "./first/in-frame.js";
import type { Frame, Tangent } from "./tangent.js";

const partsOf = (A: Tangent): readonly Tangent[] => A.parts!;

export function productFrame(E: Engine, n: number, p: number, { of }: Parts, frames: readonly Frame[]): Frame {
  let sums = new Float64Array(8);
  const list: Tangent[] = [];
  /** part i of the first of As, in a list that is written again at every step */
  function partsAt(As: readonly Tangent[], count: number, i: number): Tangent[] {
    for (let k = 0; k < count; k++) list[k] = partsOf(As[k]!)[i]!;
    return list;
  }
  return {
    S: undefined,
    sumsTravel: E.ranks !== undefined,
    sums(places) {
      const at = new Float64Array(places);
      const ofParts = frames.map((frame) => frame.sums(places));
      return {
        at,
        inner(place, A, B) {
          for (let i = 0; i < ofParts.length; i++) ofParts[i]!.inner(place, partsOf(A)[i]!, partsOf(B)[i]!);
        },
        inners(first, As, count, B) {
          for (let i = 0; i < ofParts.length; i++)
            ofParts[i]!.inners(first, partsAt(As, count, i), count, partsOf(B)[i]!);
        },
        arrive() {
          at.fill(0);
          for (const part of ofParts) {
            part.arrive();
            for (let k = 0; k < places; k++) at[k]! += part.at[k]!;
          }
        },
      };
    },
    longestStep: Math.hypot(...frames.map(({ longestStep }) => longestStep)),
    make(Z = E.tall(n, p)) {
      const zs = of(Z);
      return { Z, O: undefined, parts: frames.map((frame, i) => frame.make(zs[i])) };
    },
    inner: (A, B) => frames.reduce((sum, frame, i) => sum + frame.inner(partsOf(A)[i]!, partsOf(B)[i]!), 0),
    inners(r, As, count, B) {
      if (sums.length < count) sums = new Float64Array(count);
      r.fill(0, 0, count);
      for (let i = 0; i < frames.length; i++) {
        frames[i]!.inners(sums, partsAt(As, count, i), count, partsOf(B)[i]!);
        for (let k = 0; k < count; k++) r[k]! += sums[k]!;
      }
    },
    combine(C, a, A, b, B) {
      for (let i = 0; i < frames.length; i++) frames[i]!.combine(partsOf(C)[i]!, a, partsOf(A)[i]!, b, partsOf(B)[i]!);
    },
    combination(C, c, As, count, b) {
      for (let i = 0; i < frames.length; i++) {
        frames[i]!.combination(partsOf(C)[i]!, c, partsAt(As, count, i), count, b);
      }
    },
    gradientBuffer: ({ Z }) => Z!,
    ...(frames.some(({ normSquared }) => normSquared) && {
      normSquared(g: Tangent, X: Tall): number {
        const xs = of(X);
        return frames.reduce((sum, frame, i) => {
          const part = partsOf(g)[i]!;
          return sum + (frame.normSquared?.(part, xs[i]!) ?? frame.inner(part, part));
        }, 0);
      },
    }),
    ...(frames.some(({ points }) => points) && {
      points: {
        point: () => plainPoint(E.tall(n, p)),
        update({ X }: Point): void {
          const xs = of(X);
          for (let i = 0; i < frames.length; i++) frames[i]!.points?.update(plainPoint(xs[i]!));
        },
      },
    }),
    toGradient(g, { X }, G) {
      const [xs, gs] = [of(X), of(G)];
      for (let i = 0; i < frames.length; i++) frames[i]!.toGradient(partsOf(g)[i]!, plainPoint(xs[i]!), gs[i]!);
      // each part has its Ω from the start
      return false;
    },
    retract({ X: Y }, { X }, t, D) {
      const [ys, xs] = [of(Y).map(plainPoint), of(X).map(plainPoint)];
      return frames.every((frame, i) => frame.retract(ys[i]!, xs[i]!, t, partsOf(D)[i]!));
    },
    ...(frames.some(({ transport }) => transport) && {
      transport(A: Tangent, y: Point): void {
        const ys = of(y.X);
        for (const [i, part] of partsOf(A).entries()) frames[i]!.transport?.(part, plainPoint(ys[i]!));
      },
    }),
  };
}

/**
 * A first matrix for each part, with curvatures of its own, and one γ for all. The weight of a pair is 1/⟨s, y⟩, which stays
 * the same where one part of the variables is multiplied by a number and its gradient divided by it: so do curvatures, up to the squares of
 * that number. A part that has not moved, or whose gradient has not changed, says nothing. Parts whose rotations depend on each other
 * are coupled (first/coupling.ts).
 */
export function productShape(frames: readonly Frame[], shapes: readonly FrameShape[]): FrameShape {
  const hasMoved = shapes.map(() => false);
  const groups = coupledParts(shapes.map(({ rotation }) => rotation)).map((places) => ({
    places,
    coupled: coupling(places.map((i) => shapes[i]!.rotation!)),
  }));
  const groupOf = shapes.map((_, i) => groups.find(({ places }) => places.includes(i))?.coupled);
  /** ⟨D, y⟩ of each part */
  const products = frames.map((frame) => frame.sums(1));
  let prepared: Pick<LearnedPair, "D" | "y"> | undefined;
  function prepareProducts({ D, y }: Pick<LearnedPair, "D" | "y">): void {
    for (let i = 0; i < shapes.length; i++) products[i]!.inner(0, partsOf(D)[i]!, partsOf(y)[i]!);
  }
  function prepare({ D, y }: Pick<LearnedPair, "D" | "y">): void {
    prepareProducts({ D, y });
    for (let i = 0; i < shapes.length; i++) shapes[i]!.prepare({ D: partsOf(D)[i]!, y: partsOf(y)[i]! });
    prepared = { D, y };
  }
  return {
    apply(R, Q) {
      const [rs, qs] = [partsOf(R), partsOf(Q)];
      for (let i = 0; i < shapes.length; i++) shapes[i]!.apply(rs[i]!, qs[i]!, !groupOf[i]?.hasLearned());
      for (const { places, coupled } of groups) {
        if (!coupled.hasLearned()) continue;
        coupled.apply(
          places.map((i) => rs[i]!),
          places.map((i) => qs[i]!),
        );
      }
    },
    prepare,
    learn({ t, D, y, sy, unit = sy }) {
      let sum = 0;
      if (prepared?.D !== D || prepared.y !== y) prepareProducts({ D, y });
      prepared = undefined;
      for (let i = 0; i < shapes.length; i++) {
        const [frame, d, change] = [frames[i]!, partsOf(D)[i]!, partsOf(y)[i]!];
        products[i]!.arrive();
        const product = t * products[i]!.at[0]!;
        hasMoved[i] = Math.abs(product) > 0 || (frame.inner(d, d) > 0 && frame.inner(change, change) > 0);
        if (hasMoved[i]) sum += shapes[i]!.learn({ t, D: d, y: change, sy: product, unit });
      }
      for (const { places, coupled } of groups) if (places.every((i) => hasMoved[i])) sum += coupled.learn(t, unit);
      return sum;
    },
    scale(gamma) {
      for (let i = 0; i < shapes.length; i++) if (hasMoved[i]) shapes[i]!.scale(gamma);
      for (const { coupled } of groups) coupled.scale(gamma);
    },
    forget() {
      for (const shape of shapes) shape.forget();
      for (const { coupled } of groups) coupled.forget();
    },
  };
}
