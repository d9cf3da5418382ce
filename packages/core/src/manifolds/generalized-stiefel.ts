import type { Engine, Tall } from "@expen/linalg";
import { digits, type Random, random } from "@expen/linalg";
import { leftDivided, orthonormalizer } from "@expen/linalg/dense";
import type { Constraint, Metric } from "../contracts/constraint.js";
import type { Point } from "../contracts/point.js";
import { dissolver } from "./dissolver.js";
import type { MetricFactor } from "./metric-factor.js";
import { determinantReflection } from "./reflections.js";
import { waysBack } from "./ways-back.js";

/** Differences of this part of their terms are rounding of a product with B */
const ASYMMETRY = 1e-10;

/**
 * XᵀBX = I for a symmetric positive definite B, given by its action Y ← BX: products with B, never with B⁻¹. The ways back are nearest in
 * the norm of B. `known`: B as a matrix at hand, and R of B = RᵀR.
 */
export function generalizedStiefelConstraint(
  E: Engine,
  n: number,
  p: number,
  applyB: (Y: Tall, X: Tall) => void,
  known: Pick<Metric, "operator" | "factor" | "pairs"> = {},
): Constraint {
  const { factor, operator } = known;
  const { norm, size } = measured(E, n, p, applyB, operator && factor);
  const local = {
    shape: { n, p },
    dissolver: dissolver(E, p),
    point: (X = E.tall(n, p)) => ({ X, BX: E.tall(n, p) }),
    update: ({ X, BX }: Point) => applyB(BX, X),
  };
  const ways = waysBack(E, local, true);
  return {
    ...local,
    ...ways,
    name: "generalized-stiefel",
    dimension: n * p - (p * (p + 1)) / 2,
    size,
    longestStep: Number.POSITIVE_INFINITY,
    traits: {
      orthonormal: false,
      // in the coordinates of R
      ...((factor ?? known.pairs) && { coordinates: "basis" }),
      ...(n === p && { reflections: [determinantReflection(E, p)] }),
      metric: { ...known, norm },
    },
    random(y, r) {
      if (!factor || E.ranks) return ways.random(y, r);
      drawInCoordinates(E, factor, y.X, r);
      local.update(y);
    },
  };
}

/**
 * ‖BX‖/‖X‖ and the ‖X‖ of a feasible X, seen at a random X. Throws a sentence where B is seen not to be symmetric positive definite. Of a
 * B whose factor is known one column tells the size, of another one as many as X has are looked at.
 */
function measured(E: Engine, n: number, p: number, applyB: (Y: Tall, X: Tall) => void, factor?: MetricFactor) {
  const cols = factor ? 1 : p;
  const [X, BX] = [E.tall(n, cols), E.tall(n, cols)];
  E.write(X, random(1, "definite").normal);
  applyB(BX, X);
  const square = E.dot(X, BX);
  if (!(square > 0)) {
    throw new RangeError(
      `generalizedStiefel: B is not positive definite; ⟨X, BX⟩ is ${digits(square)} for a random X, and must be above 0.`,
    );
  }
  if (!factor) {
    requireSymmetric(E, applyB, X, BX);
    const [N, S] = [E.small(p, p), E.small(p, p)];
    E.tmul(N, X, BX);
    if (!E.factor.cholesky(S, N)) {
      throw new RangeError(
        "generalizedStiefel: B is not positive definite; XᵀBX has eigenvalues that are not positive.",
      );
    }
  }
  const xx = E.dot(X, X);
  return { norm: Math.sqrt(E.dot(BX, BX) / xx), size: Math.sqrt((p * xx) / square) };
}

/** ⟨Z, BX⟩ = ⟨X, BZ⟩ at a random X, whose product is given, and a random Z */
function requireSymmetric(E: Engine, applyB: (Y: Tall, X: Tall) => void, X: Tall, BX: Tall): void {
  const [Z, BZ] = [E.tall(X.rows, X.cols), E.tall(X.rows, X.cols)];
  E.write(Z, random(1, "symmetric").normal);
  applyB(BZ, Z);
  const [one, other] = [E.dot(Z, BX), E.dot(X, BZ)];
  const size = Math.sqrt(E.dot(BX, BX) * E.dot(Z, Z));
  if (Math.abs(one - other) <= ASYMMETRY * size) return;
  const values = `⟨Z, BX⟩ is ${digits(one)} and ⟨X, BZ⟩ is ${digits(other)} for random X and Z`;
  throw new RangeError(`generalizedStiefel: B is not symmetric: ${values}; take (B + Bᵀ)/2 if that is meant.`);
}

/** X ← R⁻¹Q, Q a random matrix with orthonormal columns */
function drawInCoordinates(E: Engine, { dense, solve }: MetricFactor, X: Tall, r: Random): void {
  const { rows: n, cols: p } = X;
  const Z = E.tall(n, p);
  E.write(Z, r.normal);
  orthonormalizer(E, n, p, Z)(X, Z);
  if (dense) {
    // once: R⁻¹ is not formed for that
    E.write(X, leftDivided(E, dense, E.read(X), p));
    return;
  }
  E.copy(Z, X);
  solve(X, Z);
}
