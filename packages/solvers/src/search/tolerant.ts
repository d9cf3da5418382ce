import type { Search } from "@expen/core";

/**
 * The safeguard of methods that have no line search (PLAM, PCAL, PenCF, SLPG, landing): the proposed step is taken unless the merit
 * function rises above the largest of its last `memory` values by more than `slack` of their spread. Then the step is divided by
 * `shrink` at most `patience` times and taken anyway, because the field of these methods need not be a gradient of the merit.
 * Where the value is not finite the step is cut until it is. One such function serves one run.
 */
export function tolerant({ memory = 10, slack = 0.1, shrink = 0.5, patience = 2, trials = 30 } = {}): Search {
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
    for (let i = 0, refused = 0; i < trials; i++) {
      ray.move();
      if (Number.isFinite(ray.ft)) {
        if (ray.ft <= reference || refused === patience) return true;
        refused++;
        ray.t *= shrink;
      } else ray.t *= 0.1;
    }
    return false;
  };
}
