import type { Engine } from "../contracts/engine.js";
import type { Tall } from "../contracts/matrix.js";

/** The entries of an n×n operator B by its action, B·I `width` columns at a time; row-major */
export function denseOf(E: Engine, apply: (Y: Tall, X: Tall) => void, n: number, width: number): Float64Array {
  const b = new Float64Array(n * n);
  for (let first = 0; first < n; first += width) {
    const count = Math.min(width, n - first);
    const identity = new Float64Array(n * count);
    for (let j = 0; j < count; j++) identity[(first + j) * count + j] = 1;
    const Y = E.tall(n, count);
    apply(Y, E.tall(n, count, identity));
    const y = E.read(Y);
    for (let i = 0; i < n; i++) b.set(y.subarray(i * count, (i + 1) * count), i * n + first);
  }
  return b;
}
