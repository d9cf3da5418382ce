import type { Engine } from "../../contracts/engine.js";
import type { Matrix } from "../../contracts/matrix.js";
import type { Product } from "../checked/contractions.js";
import type { Tridiagonals } from "../checked/tridiagonals.js";
import type { Checks } from "../checks.js";
import type { Kernels } from "../kernels.js";

/** What operators take of the engine that makes them. Everything is checked by it. */
export interface OperatorHost extends Pick<Engine, "counters" | "tall">, Pick<Checks, "ofOneKind">, Tridiagonals {
  /** The numbers of a matrix of the engine, in place */
  numbers(M: Matrix, op: string, letter: string): Float64Array;
  /** Whether M is one of the engine that was lent to it */
  isLent(M: Matrix): boolean;
  readonly product: Product;
  readonly kernels: Pick<Kernels, "sparse">;
}
