import type { Engine } from "../../contracts/engine.js";
import type { Checks } from "../checks.js";
import type { Kernels, Owned } from "../kernels.js";

/** Kernels, counters and checks for the checked operations */
export interface Base extends Checks {
  /** read at every call, since an engine may replace some of them */
  readonly kernels: Kernels;
  readonly counters: Engine["counters"];
}

/** Y ← b·Y; b = 0 sets Y to 0 even if it holds NaN */
export function scale({ kernels }: Base, size: number, b: number, Y: Owned): void {
  if (b === 0) kernels.fill(size, 0, Y);
  else if (b !== 1) kernels.axpby(size, b, Y, 0, Y);
}
