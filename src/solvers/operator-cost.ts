import type { Engine, QuadraticForm } from "../types.js";

/** Flops of one product of the operator with a single column, by the engine's count. */
export function operatorFlops(E: Engine, n: number, { apply }: QuadraticForm): number {
  const [x, y] = [E.matrix(n, 1), E.matrix(n, 1)];
  const before = E.counters.flops;
  apply(y, x);
  return E.counters.flops - before;
}
