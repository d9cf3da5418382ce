/** A problem on some manifold with a known optimum: the same numbers for every contender. */
import type { Manifold, UserObjective, View } from "@expen/core";
import type { Engine, Matrix } from "@expen/linalg";

export interface Drawn {
  readonly on: Manifold<View>;
  /** data by the letters of the formula */
  readonly data: Record<string, Matrix>;
  readonly optimum: number;
  f(E: Engine): UserObjective<View>;
}

export interface ConstrainedProblem {
  readonly name: string;
  readonly n: number;
  readonly p: number;
  draw(E: Engine, n: number, p: number, seed: number): Drawn;
}
