import type { Search } from "@expen/core";
import { chosenNumbers } from "@expen/linalg";

/** Constants of Jiang and Dai; 40 halvings reach 1e-12 of the first trial. */
const DEFAULTS = { c: 1e-4, shrink: 0.5, patience: 3, memory: 8, trials: 40 };

/**
 * The adaptive nonmonotone search [Dai, Zhang, Numer. Algorithms 26, 2001], as Jiang and Dai use it: φ(t) ≤ r + c·t·φ'(0) with r = f_r for
 * the first trial and r = min(f_max, f_r) for the others, f_max the largest of the last `memory` values. f_r starts at +∞; whenever the
 * best value f_b was not improved for `patience` steps, f_r becomes the largest value f_c since then.
 * The function returned serves one run.
 */
export function daiZhang(options: Partial<typeof DEFAULTS> = {}): Search {
  const { c, shrink, patience, memory, trials } = chosenNumbers("daiZhang", DEFAULTS, options);
  const last = new Float64Array(memory).fill(Number.NEGATIVE_INFINITY);
  let count = 0;
  let [fr, fb, fc, idle] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0];

  /** Takes the value at the start of a search, which is that of the last accepted step. */
  function update(f: number): void {
    last[count++ % memory] = f;
    if (f < fb) {
      fb = fc = f;
      idle = 0;
      return;
    }
    fc = Math.max(fc, f);
    if (++idle === patience) {
      fr = fc;
      fc = f;
      idle = 0;
    }
  }

  return (ray) => {
    update(ray.f0);
    let fmax = Number.NEGATIVE_INFINITY;
    for (let i = 0; i < memory; i++) fmax = Math.max(fmax, last[i]!);
    ray.t = Math.min(ray.t, ray.max);
    for (let i = 0; i < trials; i++) {
      const reference = i === 0 ? Math.max(fr, ray.f0) : Math.max(Math.min(fmax, fr), ray.f0);
      ray.move();
      if (Number.isFinite(ray.ft) && ray.ft <= reference + c * ray.t * ray.slope0) return true;
      ray.t *= shrink;
    }
    return false;
  };
}
