/** An f that several processes evaluate: the same value and the same decisions in all of them */

import type { Engine, Matrix, Ranks, Tall } from "@expen/linalg";
import type { Objective } from "../contracts/objective.js";

/** The matrices of a point in the user's view, whose writes must end before a process sends them */
export type MatricesOf = (X: Tall) => readonly Matrix[];

/** f with the same value in all processes, or an error; after a call f writes the rows of its points (`rowsOf`) no more. */
export function agreedByProcesses(ranks: Ranks, f: Objective, matricesOf: MatricesOf = (X) => [X]): Objective {
  const { hvp } = f;
  const settle = (...points: Tall[]): void => {
    for (const X of points) for (const A of matricesOf(X)) ranks.settle(A);
  };
  const agreeOn = (value: number, ...points: Tall[]): number => {
    ranks.same(value);
    settle(...points);
    return value;
  };
  return {
    ...f,
    f: (X) => agreeOn(f.f(X), X),
    fg: (G, X) => agreeOn(f.fg(G, X), X, G),
    hvp:
      hvp &&
      ((H, X, D) => {
        hvp(H, X, D);
        settle(X, D, H);
      }),
  };
}

/**
 * A number of each process ↦ one for all: that of the first, or for an algebra that does not show whether there are several processes the
 * mean over all rows, which is the number itself, to roundoff, in a single one.
 */
export function agreementOf(E: Engine, { n, p }: Pick<Objective, "n" | "p">): (own: number) => number {
  if (E.ranks) return E.ranks.agree;
  const [one, filled] = [E.tall(n, p), E.tall(n, p)];
  E.fill(one, 1);
  const count = E.dot(one, one);
  return (own) => {
    E.fill(filled, own);
    return E.dot(filled, one) / count;
  };
}
