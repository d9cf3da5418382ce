/** The strategies on powers, for f on several points of one manifold. */
import type { Solver } from "../contracts/method.js";
import { blockwiseFrame } from "../methods/quasi-newton/blockwise.js";
import { frameExpen } from "../methods/quasi-newton/frame-expen.js";
import { isBlockSum } from "./block-sum.js";
import { unlessLinear } from "./linear.js";
import type { Known, Strategy } from "./strategy.js";

export const blockStrategies: readonly Strategy[] = [
  {
    name: "blocks",
    fits: ({ E, f, on, X0 }) =>
      isBlockSum(E, f, on, X0) ? "f is a sum over the points: quasi-Newton for each, with one line search" : undefined,
    begin: (k) => unlessLinear(k, () => method(k, blockwiseFrame)),
  },
  {
    name: "frame",
    fits: ({ f }) =>
      f.quadratic ? undefined : "points of one manifold: quasi-Newton in the moving frame, with a curvature for each",
    begin: (k) => unlessLinear(k, () => method(k, frameExpen)),
  },
];

const method = ({ E, f, on, X0, o }: Known, begin: typeof blockwiseFrame): Solver =>
  begin(E, f, X0, { ...o, on, start: f.take(X0) });
