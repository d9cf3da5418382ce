/** Ways back to K(X) = 0 for constraints in any algebra, and with any B: made of K, products and small systems alone. */

import type { Engine, Tall } from "@expen/linalg";
import { random } from "@expen/linalg";
import { EPS } from "@expen/linalg/arrays";
import { inverseRoot, tracer } from "@expen/linalg/dense";
import type { Constraint } from "../contracts/constraint.js";
import type { Point } from "../contracts/point.js";
import { normalStep } from "./normal-step.js";

/** ‖K‖ from which A is applied a last time: it leaves ¾ of its square, which is less than the default method can see. */
export const DISSOLVED = 1e-5;
/** σ ↦ 2σ/(1 + σ²) doubles small singular values: after so many steps those that are left are zero. */
const STEPS = 64;

/** The part of a constraint from which the ways back are made */
type Local = Pick<Constraint, "shape" | "dissolver" | "point" | "update">;
type WaysBack = Pick<Constraint, "restore" | "project" | "random">;

/** The three ways back; `hasMetric`: B ≠ I. The scratch of `project` is made at its first call. */
export function waysBack(E: Engine, on: Local, hasMetric = false): WaysBack {
  const { n, p } = on.shape;
  const [K, W, BZ] = [E.small(p, p), E.small(p, p), hasMetric ? E.tall(n, p) : undefined];
  const root = inverseRoot(E, p);
  let general: Constraint["project"] | undefined;
  const project: Constraint["project"] = (y, Z) => {
    general ??= projector(E, on);
    return general(y, Z);
  };
  return {
    /** y ← Z·W with W = (ZᵀBZ)^(−1/2), by Newton–Schulz on the small matrix where that converges */
    restore(y, Z, tolerance = DISSOLVED) {
      const z = { X: Z, BX: BZ ?? Z };
      on.update(z);
      on.dissolver.K(K, z);
      E.addDiagonal(K, 1);
      if (!root(W, K, tolerance)) return void project(y, Z);
      E.mul(y.X, Z, W);
      // no product with B
      if (BZ) E.mul(y.BX, BZ, W);
    },
    project,
    random: randomBy(E, project),
  };
}

/** The point of Z, with BX in scratch where B ≠ I */
const beside = (scratch: Point, Z: Tall): Point => ({ X: Z, BX: scratch.BX === scratch.X ? Z : scratch.BX });

/**
 * y ← Z·(ZᵀBZ)^(−1/2) to rounding, from anywhere, by normal steps (manifolds/normal-step.ts), which keep singular vectors. Z is scaled so
 * that no singular value is above 1, and every system I + ZᵀBZ has a condition below 2. Returns the rank; the missing directions of a
 * deficient Z are random ones, seeded.
 */
export function projector(E: Engine, on: Local): Constraint["project"] {
  const { n, p } = on.shape;
  const { dissolver } = on;
  const [K, scratch] = [E.small(p, p), on.point()];
  const approach = normalStep(E, p, dissolver);
  const trace = tracer(E, p);
  const put = (X: Tall): void => {
    E.copy(scratch.X, X);
    on.update(scratch);
  };

  /** y.X ← the limit of normal steps from Z; false where a singular value is zero */
  function limit(y: Point, Z: Tall): boolean {
    let from = beside(scratch, Z);
    on.update(from);
    // near the manifold A alone converges, and needs no scale
    if (!(dissolver.K(K, from) < 0.5)) {
      E.addDiagonal(K, 1);
      const scale = Math.sqrt(Math.sqrt(E.dot(K, K)));
      E.combine(scratch.X, 1 / Math.max(1, scale), Z, 0, Z);
      on.update(scratch);
      from = scratch;
    }
    let violation = 1;
    for (let step = 0; step < STEPS; step++) {
      violation = approach(y.X, from);
      if (!(violation > 1e-8)) return true;
      put(y.X);
      from = scratch;
    }
    return violation < 0.5;
  }

  /** scratch.X ← Y + W(I − YᵀBY) with a random W, YᵀBW = 0: of full rank where Y is a partial isometry; K is that of y */
  function complete(y: Point): void {
    const [w, M, S] = [on.point(), E.small(p, p), E.small(p, p)];
    E.write(w.X, random(1, "completion").normal);
    on.update(w);
    dissolver.S(S, y, w.BX, M);
    E.mul(w.X, y.X, M, -1, 1);
    E.copy(scratch.X, y.X);
    E.mul(scratch.X, w.X, K, -1, 1);
  }

  return (y, Z) => {
    const size = Math.sqrt(E.dot(Z, Z));
    if (!Number.isFinite(size)) {
      E.copy(y.X, Z);
      on.update(y);
      return p;
    }
    let rank = p;
    if (!limit(y, Z)) {
      on.update(y);
      dissolver.K(K, y);
      rank = Math.round(p + trace(K));
      complete(y);
      const completed = E.tall(n, p);
      E.copy(completed, scratch.X);
      limit(y, completed);
    }
    on.update(y);
    if (dissolver.K(K, y) > 4 * EPS * Math.sqrt(p)) {
      // roundoff alone is left
      put(y.X);
      approach(y.X, scratch);
      on.update(y);
    }
    return rank;
  };
}

/** y ← the nearest feasible point to normal numbers */
export function randomBy(E: Engine, project: (y: Point, Z: Tall) => unknown): Constraint["random"] {
  return (y, r) => {
    const Z = E.tall(y.X.rows, y.X.cols);
    E.write(Z, r.normal);
    project(y, Z);
  };
}
