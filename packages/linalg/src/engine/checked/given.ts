import type { Engine } from "../../contracts/engine.js";
import type { Checks } from "../checks.js";
import type { Kernels, Owned } from "../kernels.js";

/** What the checked operations are made of */
export interface Given extends Checks {
  /** read at every call: an engine may replace some of them */
  readonly kernels: Kernels;
  readonly counters: Engine["counters"];
}

/** Y ← b·Y, where b = 0 clears whatever stands there */
export function scale({ kernels }: Given, size: number, b: number, Y: Owned): void {
  if (b === 0) kernels.fill(size, 0, Y);
  else if (b !== 1) kernels.axpby(size, b, Y, 0, Y);
}
