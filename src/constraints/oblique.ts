import type { Engine, Small, Tall } from "../types.js";
import type { Constraint } from "./constraint.js";
import { signReflections } from "./reflections.js";
import { stiefelConstraint } from "./stiefel.js";
import { projector } from "./ways-back.js";

/**
 * Columns of length 1, a product of p spheres: the formulas of the Stiefel manifold on an engine whose small matrices are diagonal
 * (engines/algebras/diagonal.ts). K, S and their like have p numbers, and X(XᵀX)^(−1/2) divides columns by their lengths.
 */
export function obliqueConstraint(E: Engine, n: number, p: number): Constraint {
  const stiefel = stiefelConstraint(E, n, p);
  const on: Constraint = {
    ...stiefel,
    name: "oblique",
    dimension: n * p - p,
    orthonormal: false,
    frame: "columns",
    reflections: n === 1 ? signReflections(E, p) : undefined,
    eigenvalues: (S) => entries(E, S).sort(),
    spread(S) {
      const w = on.eigenvalues(S);
      return w[p - 1]! - w[0]!;
    },
    restorer: divider,
    projector: divider,
    random(X, r) {
      const Z = E.tall(n, p);
      E.write(Z, r.normal);
      divider()(X, Z);
    },
  };
  return on;

  /** Y ← X with columns divided by their lengths; returns how many are not zero, for which others take their place */
  function divider(): (Y: Tall, X: Tall) => number {
    const [S, V] = [E.small(p, p), E.small(p, p)];
    const squares = new Float64Array(p);
    const usual = (square: number): boolean => square > LEAST && square < 1 / LEAST;
    let general: ReturnType<typeof projector> | undefined;
    const divide = (Y: Tall, X: Tall, scaled = false): number => {
      E.gram(S, X);
      E.factor.eigh(V, squares, S);
      if (!squares.every(usual)) {
        if (!scaled) return divide(Y, scaledBack(X, squares), true);
        general ??= projector(E, stiefel);
        return general(Y, X);
      }
      for (let j = 0; j < p; j++) squares[j] = 1 / Math.sqrt(squares[j]!);
      E.write(S, squares);
      E.mul(Y, X, S);
      return p;
    };
    return divide;
  }

  /** X with columns whose squares over- or underflow, as given, multiplied by a power of 2 that brings them back */
  function scaledBack(X: Tall, squares: Float64Array): Tall {
    const [Z, S] = [E.tall(n, p), E.small(p, p)];
    E.write(
      S,
      squares.map((square) => (square >= 1 / LEAST ? 2 ** -700 : square <= LEAST ? 2 ** 700 : 1)),
    );
    E.mul(Z, X, S);
    return Z;
  }
}

/** Squares of columns below this may have lost digits to underflow, and those of its reciprocal overflow. */
const LEAST = 1e-290;

/** The diagonal of S, which is all of it */
function entries(E: Engine, S: Small): Float64Array {
  const [V, w] = [E.small(S.rows, S.cols), new Float64Array(S.rows)];
  E.factor.eigh(V, w, S);
  return w;
}
