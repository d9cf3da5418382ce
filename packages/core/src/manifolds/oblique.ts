import type { Engine, Tall } from "@expen/linalg";
import type { Constraint } from "../contracts/constraint.js";
import { signReflections } from "./reflections.js";
import { unitMetric } from "./stiefel.js";
import { projector, randomBy } from "./ways-back.js";

/** Squares of columns below this may have lost digits to underflow, and those of its reciprocal overflow. */
const LEAST = 1e-290;

/**
 * Columns of length 1, a product of p spheres: the formulas of the Stiefel manifold on an engine whose small matrices are diagonal
 * (linalg/src/algebras/diagonal.ts). K, S and their like have p numbers, and X(XᵀX)^(−1/2) divides columns by their lengths.
 */
export function obliqueConstraint(E: Engine, n: number, p: number): Constraint {
  const unit = unitMetric(E, n, p);
  const [S, V] = [E.small(p, p), E.small(p, p)];
  const squares = new Float64Array(p);
  let general: Constraint["project"] | undefined;

  /** y ← Z with columns divided by their lengths; returns how many are not zero, for which others take their place */
  const project: Constraint["project"] = (y, Z) => {
    squaredLengths(Z);
    if (squares.every(isUsual)) return divide(y.X, Z);
    const W = rescaled(Z);
    squaredLengths(W);
    if (squares.every(isUsual)) return divide(y.X, W);
    general ??= projector(E, unit);
    return general(y, W);
  };
  return {
    ...unit,
    name: "oblique",
    dimension: n * p - p,
    traits: {
      orthonormal: false,
      coordinates: "columns",
      ...(n === 1 && { reflections: signReflections(E, p) }),
    },
    restore: (y, Z) => void project(y, Z),
    project,
    random: randomBy(E, project),
  };

  function squaredLengths(Z: Tall): void {
    E.gram(S, Z);
    E.factor.eigh(V, squares, S);
  }

  /** Y ← Z with columns divided by their lengths, whose squares stand in `squares` */
  function divide(Y: Tall, Z: Tall): number {
    for (let j = 0; j < p; j++) squares[j] = 1 / Math.sqrt(squares[j]!);
    E.write(S, squares);
    E.mul(Y, Z, S);
    return p;
  }

  /** Z with columns whose squares over- or underflow multiplied by a power of 2 that brings them back */
  function rescaled(Z: Tall): Tall {
    const [W, scales] = [E.tall(n, p), E.small(p, p)];
    E.write(
      scales,
      squares.map((square) => (square >= 1 / LEAST ? 2 ** -700 : square <= LEAST ? 2 ** 700 : 1)),
    );
    E.mul(W, Z, scales);
    return W;
  }
}

const isUsual = (square: number): boolean => square > LEAST && square < 1 / LEAST;
