/** Ways back to K(X) = 0 for constraints in any algebra, and with any B: made of K, products and small systems alone. */
import { EPS } from "../arrays/scale.js";
import { inverseRoot } from "../linalg/inverse-root.js";
import { tracer } from "../linalg/trace.js";
import { random } from "../random.js";
import type { Engine, Small, Tall } from "../types.js";
import type { Constraint } from "./constraint.js";
import { normalStep } from "./stiefel/normal-step.js";

/** ‖K‖ from which the dissolving map is applied a last time: it leaves ¾ of its square. */
export const DISSOLVED = 1e-5;
/** σ ↦ 2σ/(1 + σ²) doubles small singular values: after so many steps those that are left are zero. */
const STEPS = 64;

/** The parts of a constraint that the ways back are made of */
type Local = Pick<Constraint, "n" | "p" | "residual" | "multiplier" | "normal">;

/**
 * Y ← X·(XᵀBX)^(−1/2) to a tolerance: Newton–Schulz on the small matrix where that converges. `made`: told of Y = X·Z where
 * `residual` was asked for X last.
 */
export function restorer(
  E: Engine,
  on: Local,
  tolerance = DISSOLVED,
  made?: (Y: Tall, X: Tall, Z: Small) => void,
): (Y: Tall, X: Tall) => void {
  const { p } = on;
  const [K, Z] = [E.small(p, p), E.small(p, p)];
  const root = inverseRoot(E, p, tolerance);
  let general: ReturnType<typeof projector> | undefined;
  return (Y, X) => {
    on.residual(K, X);
    E.addDiagonal(K, 1);
    if (root(Z, K)) {
      E.mul(Y, X, Z);
      made?.(Y, X, Z);
    } else {
      general ??= projector(E, on);
      general(Y, X);
    }
  };
}

/**
 * Y ← X·(XᵀBX)^(−1/2) to rounding, from anywhere, by normal steps (stiefel/normal-step.ts), which keep singular vectors. X is scaled so
 * that no singular value is above 1, and every system I + XᵀBX has a condition below 2. Returns the rank; the missing directions of a
 * deficient X are random ones, seeded.
 */
export function projector(E: Engine, on: Local): (Y: Tall, X: Tall) => number {
  const { n, p } = on;
  const [K, Z] = [E.small(p, p), E.tall(n, p)];
  const approach = normalStep(E, p, on);
  const trace = tracer(E, p);

  /** Y ← the limit of normal steps from X, by way of Z, which X may be; false where a singular value is zero */
  function limit(Y: Tall, X: Tall): boolean {
    let from = X;
    // near the manifold A alone converges, and needs no scale
    if (!(on.residual(K, X) < 0.5)) {
      E.addDiagonal(K, 1);
      const scale = Math.sqrt(Math.sqrt(E.dot(K, K)));
      E.combine(Z, 1 / Math.max(1, scale), X, 0, X);
      from = Z;
    }
    let violation = 1;
    for (let step = 0; step < STEPS; step++) {
      violation = approach(Y, from);
      if (!(violation > 1e-8)) return true;
      E.copy(Z, Y);
      from = Z;
    }
    return violation < 0.5;
  }

  /** Z ← Y + W(I − YᵀBY) with a random W, YᵀBW = 0: of full rank where Y is a partial isometry */
  function complete(Y: Tall): void {
    const [W, BW, M, S, I] = [E.tall(n, p), E.tall(n, p), E.small(p, p), E.small(p, p), E.small(p, p)];
    E.addDiagonal(I, 1);
    E.write(W, random(1, "completion").normal);
    on.normal(BW, W, I);
    on.multiplier(S, Y, BW, M);
    E.mul(W, Y, M, -1, 1);
    on.residual(K, Y);
    E.copy(Z, Y);
    E.mul(Z, W, K, -1, 1);
  }

  return (Y, X) => {
    const size = Math.sqrt(E.dot(X, X));
    if (!Number.isFinite(size)) {
      E.copy(Y, X);
      return p;
    }
    let rank = p;
    if (!limit(Y, X)) {
      on.residual(K, Y);
      rank = Math.round(p + trace(K));
      complete(Y);
      limit(Y, Z);
    }
    // what rounding left
    if (on.residual(K, Y) > 4 * EPS * Math.sqrt(p)) {
      E.copy(Z, Y);
      approach(Y, Z);
    }
    return rank;
  };
}

/** X ← the nearest feasible point to normal numbers */
export function randomPoint(E: Engine, on: Local): Constraint["random"] {
  return (X, r) => {
    const Z = E.tall(on.n, on.p);
    E.write(Z, r.normal);
    projector(E, on)(X, Z);
  };
}
