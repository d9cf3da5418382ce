import type { Engine } from "../../contracts/engine.js";
import type { Matrix } from "../../contracts/matrix.js";
import type { Product } from "../checked/contractions.js";
import type { Tridiagonals } from "../checked/tridiagonals.js";
import type { Checks } from "../checks.js";
import type { Kernels } from "../kernels.js";

/** The parts of an engine that its operators use; arguments are checked by the engine. */
export interface OperatorHost extends Pick<Engine, "counters" | "tall">, Pick<Checks, "ofOneKind">, Tridiagonals {
  /** The entries of a matrix of the engine, in place */
  numbers(M: Matrix, op: string, letter: string): Float64Array;
  /** Whether M is a lent matrix of the engine */
  isLent(M: Matrix): boolean;
  readonly product: Product;
  readonly kernels: Pick<Kernels, "sparse">;
}
