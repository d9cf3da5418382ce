import type { Engine } from "../contracts/engine.js";
import type { Small, Tall } from "../contracts/matrix.js";

/** Range in which the computed ‖A‖ is accurate to rounding: squares that underflow are below 2⁻⁵³‖A‖² for up to 2⁶⁰ entries. */
const [SMALLEST, LARGEST] = [2 ** -450, 2 ** 500];
/** Powers of two that scale every number outside of the range into it */
const [UP, DOWN] = [2 ** 600, 2 ** -600];

/** ‖A‖_F, also if squares of entries under- or overflow */
export function norm(E: Pick<Engine, "dot" | "combine" | "tall" | "small">, A: Tall | Small): number {
  const plain = Math.sqrt(E.dot(A, A));
  if ((plain > SMALLEST && plain < LARGEST) || Number.isNaN(plain)) return plain;
  const scale = plain < 1 ? UP : DOWN;
  const scaled = E[A.kind](A.rows, A.cols) as typeof A;
  E.combine(scaled, scale, A, 0, A);
  return Math.sqrt(E.dot(scaled, scaled)) / scale;
}
