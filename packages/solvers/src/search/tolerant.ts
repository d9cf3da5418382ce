import type { Search } from "@expen/core";

/**
 * The safeguard of methods that are published without a line search (PLAM, PCAL, PenCF, SLPG, landing): a step is accepted unless the
 * merit function rises above the largest of its last `memory` values by more than `slack` times their range. Then the step is multiplied
 * by `shrink` at most `patience` times and accepted in any case, as the field of these methods need not be a descent direction of the
 * merit function. A step with a value that is not finite is divided by 10. The function returned serves one run.
 */
export function tolerant({
  memory = 10,
  slack = 0.1,
  shrink = 0.5,
  patience = 2,
  trials = 30,
}: {
  memory?: number;
  slack?: number;
  shrink?: number;
  patience?: number;
  trials?: number;
} = {}): Search {
  const last = new Float64Array(memory).fill(Number.NaN);
  let count = 0;
  return (ray) => {
    last[count++ % memory] = ray.f0;
    let [lowest, highest] = [ray.f0, ray.f0];
    for (let i = 0; i < Math.min(count, memory); i++) {
      lowest = Math.min(lowest, last[i]!);
      highest = Math.max(highest, last[i]!);
    }
    const reference = highest + slack * (highest - lowest);
    ray.t = Math.min(ray.t, ray.max);
    for (let i = 0, refusals = 0; i < trials; i++) {
      ray.move();
      if (Number.isFinite(ray.ft)) {
        if (ray.ft <= reference || refusals === patience) return true;
        refusals++;
        ray.t *= shrink;
      } else ray.t *= 0.1;
    }
    return false;
  };
}
