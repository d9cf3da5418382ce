/** Functions with known derivatives for tests of theory: neither quadratic nor invariant under rotations. */

import type { Objective } from "@expen/core";
import { randomStart } from "@expen/core";
import type { Engine, Small, Tall } from "@expen/linalg";
import { fillNormal, random } from "@expen/linalg";
import { jsEngine } from "@expen/linalg/engine";

function filled<M extends Tall | Small>(M: M, seed: number): M {
  fillNormal(M, random(seed, "test"));
  return M;
}

export const normal = (E: Engine, rows: number, cols: number, seed: number): Tall => filled(E.tall(rows, cols), seed);
export const normalSmall = (E: Engine, rows: number, cols: number, seed: number): Small =>
  filled(E.small(rows, cols), seed);

/** Zeros in the kind and shape of A */
export const like = <M extends Tall | Small>(E: Engine, A: M): M =>
  E[(A as unknown as Tall | Small).kind](A.rows, A.cols) as unknown as M;

/** f(X) = Σ a_ij·sin(b_ij·X_ij) + ½⟨X, BX⟩ */
export function wavy(E: Engine, n: number, p: number, seed = 1): Objective {
  const [a, b, S] = [normal(E, n, p, seed), normal(E, n, p, seed + 1), normalSmall(E, n, n, seed + 2)];
  E.symmetrize(S);
  const B = E.operator(S);
  const each = (Y: Tall, f: (a: number, b: number, i: number) => number): void => {
    for (let i = 0; i < Y.data.length; i++) Y.data[i]! += f(a.data[i]!, b.data[i]!, i);
  };
  const fg = (G: Tall, X: Tall): number => {
    B.apply(G, X);
    let value = 0.5 * E.dot(X, G);
    each(G, (a, b, i) => {
      value += a * Math.sin(b * X.data[i]!);
      return a * b * Math.cos(b * X.data[i]!);
    });
    return value;
  };
  const scratch = E.tall(n, p);
  return {
    n,
    p,
    fg,
    f: (X) => fg(scratch, X),
    hvp(H, X, D) {
      B.apply(H, D);
      each(H, (a, b, i) => -a * b * b * Math.sin(b * X.data[i]!) * D.data[i]!);
    },
  };
}

/** f(X) = ⟨L, X⟩ */
export function linear(E: Engine, L: Tall): Objective {
  return {
    n: L.rows,
    p: L.cols,
    f: (X) => E.dot(L, X),
    fg(G, X) {
      E.copy(G, L);
      return E.dot(L, X);
    },
    hvp: (H) => E.fill(H, 0),
  };
}

/** f(X) = ½⟨X, AX⟩ */
export function rayleigh(E: Engine, S: Small, p: number): Objective {
  const [A, n] = [E.operator(S), S.rows];
  const scratch = E.tall(n, p);
  const fg = (G: Tall, X: Tall): number => {
    A.apply(G, X);
    return 0.5 * E.dot(X, G);
  };
  return { n, p, fg, f: (X) => fg(scratch, X), hvp: (H, _X, D) => A.apply(H, D) };
}

/** A feasible point plus a random matrix of Frobenius norm `distance` */
export function near(E: Engine, n: number, p: number, distance: number, seed = 1): Tall {
  const [X, D] = [randomStart(E, n, p, seed), normal(E, n, p, seed + 50)];
  E.combine(X, distance / Math.sqrt(E.dot(D, D)), D, 1, X);
  return X;
}

/** The slope of log error(t) against log t between t and t/2, at the first t where the error is above its rounding. */
export function slope(error: (t: number) => number, t = 1e-2): number {
  return Math.log2(error(t) / error(t / 2));
}

export const js = jsEngine();
