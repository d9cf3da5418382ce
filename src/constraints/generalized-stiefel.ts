import { EPS } from "../arrays/scale.js";
import { entrywiseProduct } from "../engines/elementwise/chain.js";
import { orthonormalizer } from "../linalg/qr.js";
import { leftDivided } from "../linalg/triangular.js";
import { digits } from "../numbers.js";
import { random } from "../random.js";
import type { Engine, Small, Tall } from "../types.js";
import type { Constraint } from "./constraint.js";
import { normalStep } from "./stiefel/normal-step.js";
import { stiefelConstraint } from "./stiefel.js";
import { projector, randomPoint, restorer } from "./ways-back.js";

/** Differences of this part of their terms are rounding of a product with B */
const ASYMMETRY = 1e-10;

/**
 * XᵀBX = I for a symmetric positive definite B, given by its action:
 *
 *     K(X) = XᵀBX − I,   A(X) = X(I − ½K),   ∇h = G(I − ½K) − BX·sym(XᵀG) + βBX·K:   products with B, never with B⁻¹.
 *
 * A'(X) = D − X·sym(XᵀBD) and its adjoint G − BX·sym(XᵀG) differ: `tangent` makes gradients, `direction` makes tangent vectors of them.
 * The ways back are nearest in the norm of B. `factor`: R of B = RᵀR, where it is known. Holds three tall matrices.
 */
export function generalizedStiefelConstraint(
  E: Engine,
  n: number,
  p: number,
  applyB: (Y: Tall, X: Tall) => void,
  factor?: Small,
): Constraint {
  const [N, S] = [E.small(p, p), E.small(p, p)];
  const { byB, derived } = remembered(E, n, p, applyB);
  const stiefel = stiefelConstraint(E, n, p);
  const on: Constraint = {
    // what does not depend on B: the multiplier, and eigenvalues
    ...stiefel,
    name: "generalized-stiefel",
    reach: Number.POSITIVE_INFINITY,
    orthonormal: false,
    // in the coordinates of R
    frame: factor && "basis",
    residual(K, X) {
      E.tmul(K, X, byB(X));
      E.symmetrize(K);
      E.addDiagonal(K, -1);
      return Math.sqrt(E.dot(K, K));
    },
    violation: (X) => on.residual(N, X),
    normal: (Z, X, C, a = 1) => E.mul(Z, byB(X), C, a, 1),
    tangent(Z, X, kept = S) {
      on.multiplier(kept, X, Z);
      on.normal(Z, X, kept, -1);
    },
    hessian(H, D, X, S) {
      on.normal(H, D, S, -1);
      on.tangent(H, X);
    },
    direction(J, X, D) {
      on.multiplier(S, X, byB(D));
      E.copy(J, D);
      E.mul(J, X, S, -1, 1);
    },
    orthogonal: (X) => symmetricPartRemover(E, p, X),

    dissolve(Y, X, K) {
      const violation = on.residual(K, X);
      E.copy(Y, X);
      E.mul(Y, X, K, -0.5, 1);
      return violation;
    },
    push(J, D, X, K, V) {
      on.multiplier(V, X, byB(D));
      E.copy(J, D);
      E.mul(J, D, K, -0.5, 1);
      E.mul(J, X, V, -1, 1);
    },
    pullback(H, G, X, K, C) {
      E.copy(H, G);
      E.mul(H, G, K, -0.5, 1);
      on.normal(H, X, C);
    },
    pullbackAlong(H, G, X, K, C, { D, V, dG, dC }) {
      on.pullback(H, dG, X, K, dC);
      E.mul(H, G, V, -1, 1);
      on.normal(H, D, C);
    },

    restorer: (tolerance) => restorer(E, on, tolerance, derived),
    approacher: () => normalStep(E, p, on),
    projector: () => projector(E, on),
    random: factor && !E.ranks ? inCoordinates(E, n, p, factor) : (X, r) => randomPoint(E, on)(X, r),
    factor,
  };
  // of a B whose factor is known one column tells the size; of another one as many as X has are looked at
  const [X, BX] = factor ? [E.tall(n, 1), E.tall(n, 1)] : [E.tall(n, p), E.tall(n, p)];
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
    E.tmul(N, X, BX);
    if (!E.factor.cholesky(S, N)) {
      throw new RangeError(
        "generalizedStiefel: B is not positive definite; XᵀBX has eigenvalues that are not positive.",
      );
    }
  }
  const size = Math.sqrt(E.dot(BX, BX) / E.dot(X, X));
  return Object.assign(on, {
    radius: Math.sqrt((p * E.dot(X, X)) / square),
    // sums of n terms of random signs
    rounding: (X: Tall) => Math.sqrt(n) * EPS * size * E.dot(X, X),
  });
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
function inCoordinates(E: Engine, n: number, p: number, R: Small): Constraint["random"] {
  return (X, r) => {
    const Z = E.tall(n, p);
    E.write(Z, r.normal);
    orthonormalizer(E, n, p, Z)(X, Z);
    E.write(X, leftDivided(E, R, E.read(X), p));
  };
}

/**
 * B·X, which is not computed again where X is still the matrix, and has the numbers, that it was computed for: seen by one inner product
 * with a random matrix. So a penalty and the step of the default take one product with B each.
 */
function remembered(E: Engine, n: number, p: number, applyB: (Y: Tall, X: Tall) => void) {
  let [BX, other] = [E.tall(n, p), E.tall(n, p)];
  const W = E.tall(n, p);
  const r = random(1, "fingerprint");
  E.write(W, () => r.uniform() - 0.5);
  let last: { X: Tall; print: number } | undefined;
  const remember = (X: Tall, print = E.dot(W, X)): void => {
    last = { X, print };
  };
  return {
    byB(X: Tall): Tall {
      const print = E.dot(W, X);
      if (last?.X === X && last.print === print) return BX;
      applyB(BX, X);
      remember(X, print);
      return BX;
    },
    /** BY = BX·Z for Y = X·Z, X the last one */
    derived(Y: Tall, X: Tall, Z: Small): void {
      if (last?.X !== X) return;
      E.mul(other, BX, Z);
      [BX, other] = [other, BX];
      remember(Y);
    },
  };
}

/**
 * Z ← Z − X·C with sym(XᵀZ) = 0 afterwards: the orthogonal projection to the space in which gradients A'(X)ᵀ[G] lie. C solves
 * MC + CM = 2·sym(XᵀZ), M = XᵀX, entry by entry in the eigenvectors of M.
 */
function symmetricPartRemover(E: Engine, p: number, X: Tall): (Z: Tall) => void {
  const [M, V, T, U, weights] = [E.small(p, p), E.small(p, p), E.small(p, p), E.small(p, p), E.small(p, p)];
  const m = new Float64Array(p);
  E.gram(M, X);
  E.factor.eigh(V, m, M);
  E.write(
    weights,
    Float64Array.from({ length: p * p }, (_, k) => 2 / (m[Math.floor(k / p)]! + m[k % p]!)),
  );
  return (Z) => {
    E.tmul(T, X, Z);
    E.symmetrize(T);
    E.mul(U, T, V);
    E.tmul(T, V, U);
    E.map([U], entrywiseProduct, [weights, T]);
    E.mul(T, V, U);
    E.mulT(U, T, V);
    E.mul(Z, X, U, -1, 1);
  };
}
