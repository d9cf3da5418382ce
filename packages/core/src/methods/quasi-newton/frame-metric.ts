/** The frame where XᵀBX = I, in the coordinates of B = RᵀR: that of Z = RX, ZᵀZ = I. */

import type { Engine, Tall } from "@expen/linalg";
import type { Part } from "@expen/linalg/memory";
import type { Constraint } from "../../contracts/constraint.js";
import type { MetricFactor } from "../../manifolds/metric-factor.js";
import { plainPoint } from "../../manifolds/point.js";
import { stiefelConstraint } from "../../manifolds/stiefel.js";
import type { OriginalCoordinates } from "./first/in-original-coordinates.js";
import { frame } from "./frame.js";
import { usualMemory } from "./memory.js";
import type { Frame, Tangent } from "./tangent.js";

/** Largest n of a dense B whose R⁻¹ is formed: 2/3·n³ flops and 16n² bytes */
const LARGEST = 2000;

/** n×p matrices of a run in pairs (X, BX), and those of a curvature pair */
const [TALL, PER_PAIR] = [42, 4];

/** The usual number of curvature pairs of a run in pairs (X, BX), each as large as two others */
export const memoryInPairs = (n: number, p: number): number => usualMemory(2 * n * p);

/** All matrices of such a run */
export const partsInPairs = (n: number, p: number, memory: number = memoryInPairs(n, p)): readonly Part[] => [
  { count: TALL + PER_PAIR * memory, rows: n, cols: p },
];

/** Whether products with R⁻¹ cost little beside the steps of a run */
export const factorPays = (E: Engine, n: number, R: MetricFactor): boolean => !E.ranks && (!R.dense || n <= LARGEST);

/**
 * Tangent vectors are R·D, gradients R⁻ᵀ·∇f, points are seen as RX and given back as R⁻¹·(RX): two products with n×n matrices an
 * evaluation, and one for ‖grad f‖ in the coordinates of X, by which runs are stopped. The condition of B does not count.
 */
export function metricFrame(
  E: Engine,
  { shape: { n, p } }: Constraint,
  R: MetricFactor,
  rotates?: boolean,
): { frame: Frame; original: OriginalCoordinates } {
  const S = R.space ?? E;
  const inner = frame(S, refreshed(stiefelConstraint(S, n, p), R), rotates);
  const [W, V, N] = [S.tall(n, p), E.tall(n, p), E.small(p, p)];
  /** RX of the points that `retract` has made */
  const images = new WeakMap<Tall, Tall>();
  function inCoordinates(X: Tall): Tall {
    let Z = images.get(X);
    if (!Z) {
      images.set(X, (Z = S.tall(n, p)));
      R.apply(Z, X);
    }
    return Z;
  }
  /** W ← the tangent vector as a matrix */
  function write({ Z, O }: Tangent, X: Tall): void {
    if (O) S.mul(W, inCoordinates(X), O);
    if (Z) S.combine(W, 1, Z, O ? 1 : 0, O ? W : Z);
  }
  function gradientSquared(g: Tangent, X: Tall): number {
    write(g, X);
    R.applyT(V, W);
    return E.dot(V, V);
  }
  const own: Frame = {
    ...inner,
    // the gradient at the start is a matrix of E
    make: (Z) => inner.make(R.space ? undefined : Z),
    points: {
      point: () => plainPoint(E.tall(n, p)),
      // X was written by another hand than `retract`
      update({ X }) {
        images.delete(X);
      },
    },
    gradientBuffer: () => V,
    toGradient(g, { X }, G) {
      if (G !== V) E.copy(V, G);
      const [inside, Z] = [inner.gradientBuffer(g), inCoordinates(X)];
      R.solveT(inside, V, Z);
      return inner.toGradient(g, plainPoint(Z), inside);
    },
    retract({ X: Y }, { X }, t, D) {
      const from = inCoordinates(X);
      const Z = images.get(Y) ?? S.tall(n, p);
      images.set(Y, Z);
      inner.retract(plainPoint(Z), plainPoint(from), t, D);
      R.solve(Y, Z);
      return true;
    },
    normSquared: gradientSquared,
  };
  const original: OriginalCoordinates = {
    gradientSquared,
    stepSquared(s, X) {
      write(s, X);
      R.solve(V, W);
      return E.dot(V, V);
    },
    identity(Q, X) {
      const Z = inCoordinates(X);
      write(Q, X);
      R.applyT(V, W);
      R.apply(W, V);
      S.tmul(N, Z, W);
      if (Q.Z) {
        S.copy(Q.Z, W);
        S.mul(Q.Z, Z, N, -1, 1);
      }
      if (!Q.O) return;
      E.copy(Q.O, N);
      E.symmetrize(N);
      E.combine(Q.O, 1, Q.O, -1, N);
    },
  };
  return { frame: own, original };
}

/** XᵀX = I with ways back that begin at a pair (X, BX) to rounding */
const refreshed = (on: Constraint, { refresh }: MetricFactor): Constraint =>
  refresh
    ? {
        ...on,
        restore(y, Z, tolerance) {
          refresh(Z);
          on.restore(y, Z, tolerance);
        },
      }
    : on;
