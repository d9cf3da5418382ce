import type { Search } from "@expen/core";
import { chosenNumbers } from "@expen/linalg";

const USUAL = { c: 1e-4, shrink: 0.5, patience: 3, memory: 8, trials: 40 };

/**
 * The adaptive nonmonotone search of Dai and Zhang (Numer. Algorithms 26, 2001), as Jiang and Dai use it. The first trial is judged
 * leniently against f_r, backtracked ones against min(f_max, f_r), f_max the largest of the last `memory` values. f_r starts at +∞ and
 * becomes the largest value f_c since the best one f_b whenever that was not improved for `patience` steps.
 * One such function serves one run.
 */
export function daiZhang(given: Partial<typeof USUAL> = {}): Search {
  const { c, shrink, patience, memory, trials } = chosenNumbers("daiZhang", USUAL, given);
  const last = new Float64Array(memory).fill(Number.NEGATIVE_INFINITY);
  let count = 0;
  let [fr, fb, fc, idle] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0];

  /** The value at the start of a search is the value of the last accepted step. */
  function learn(f: number): void {
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
    learn(ray.f0);
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
