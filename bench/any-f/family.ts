/** A family of objectives: every contender gets f and ∇f alone, without declared structure. */
import type { Engine, Matrix, Random, Tall } from "@expen/linalg";

/** Letters of the formula → numbers. */
export type Data = Readonly<Record<string, Matrix>>;

/** G ← ∇f(X), returns f(X) */
export type ValueAndGradient = (G: Tall, X: Tall) => number;

export interface Family {
  readonly name: string;
  /** f in one line; peers/any_f.py has the same in NumPy */
  readonly formula: string;
  /** n×p, small and larger */
  readonly sizes: readonly (readonly [number, number])[];
  /** the numbers of an instance */
  draw(n: number, p: number, r: Random): Data;
  /** f on an engine; `data` are plain numbers */
  on(E: Engine, n: number, p: number, data: Data): ValueAndGradient;
}
