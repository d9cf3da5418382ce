import type { Engine } from "./engine.js";

/**
 * The vector space that points, gradients and directions live in: all that methods use. An engine is one; so is that of a product of
 * manifolds or of complex matrices, and a method does not see the difference.
 */
export type Space = Pick<
  Engine,
  "ranks" | "device" | "tall" | "copy" | "fill" | "combine" | "combination" | "dot" | "dots" | "sums"
>;
