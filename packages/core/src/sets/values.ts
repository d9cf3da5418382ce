import type { Tall } from "@expen/linalg";
import type { Block } from "./block.js";

/** Factor by which a shift grows until max(0, Θ + g) is Θ + g: g loses three digits at most */
const GROWTH = 1000;
/** The largest shift */
const LAST = 1e300;

/**
 * g, or h, at X in numbers, from V = max(g, −Θ) with shifts that are large enough; the shifts are as before at the end. `unused` is
 * overwritten.
 */
export function valuesOf(block: Block, X: Tall, unused: Tall): Float64Array[] {
  const { E, kind, shifts, changes } = block;
  const before = shifts.map((theta) => E.read(theta));
  const tried = before.map((theta) => new Float64Array(theta.length).fill(kind === "equal" ? 0 : 1));
  let values: Float64Array[];
  for (;;) {
    for (const [k, theta] of shifts.entries()) E.write(theta, tried[k]!);
    block.add(unused, X, 1);
    values = changes.map((V) => E.read(V));
    let isCut = false;
    for (const [k, list] of values.entries()) {
      for (const [i, v] of list.entries()) {
        const theta = tried[k]![i]!;
        if (kind === "equal" || v !== -theta || theta >= LAST) continue;
        tried[k]![i] = theta * GROWTH;
        isCut = true;
      }
    }
    if (!isCut) break;
  }
  for (const [k, theta] of shifts.entries()) E.write(theta, before[k]!);
  return values;
}
