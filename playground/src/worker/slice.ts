/** A cut through the penalty along one singular value of the constrained minimiser. */

import { eigh } from "@expen/linalg/dense";
import type { Engine, Objective, Tall } from "expen";
import { measurer, solveStiefel } from "expen/methods";
import { expen, shiftedExpen } from "expen/penalty";
import type { Slice, SliceCurve, SliceSpec, StationaryPoint } from "../protocol.js";
import { openCourse } from "./course.js";

/** range of σ in the cut: a little more than [0, √3], the zeros of A */
const LOW = -0.1;
const HIGH = 1.75;
/** number of points of a curve, about one for two pixels */
const COUNT = 241;

/**
 * X(σ) = X* + (σ − 1)·X*vvᵀ, where X* minimises f on the manifold and v is the eigenvector of S = sym(X*ᵀ∇f) with the largest
 * eigenvalue λ: the direction in which β is needed most. h is cut for every β, without and with the shift M = S.
 */
export async function cut(E: Engine, spec: SliceSpec): Promise<Slice> {
  const { n, p, betas, plain } = spec;
  const { objective: f, optimum } = openCourse(E, spec);
  const steps = await solveStiefel(E, f, { seed: spec.seed, tol: 1e-10, ...(optimum !== undefined && { optimum }) });
  let end = steps.next();
  while (!end.done) end = steps.next();
  const Xs = E.tall(n, p, end.value.X.data);
  const { measure, S } = measurer(E, f);
  const { fval } = measure(Xs);
  const { values, vectors } = eigh(E, S);
  const lambda = values[p - 1]!;
  const v = E.small(
    p,
    1,
    E.read(vectors).filter((_, k) => k % p === p - 1),
  );
  const [u, D, X, G] = [E.tall(n, 1), E.tall(n, p), E.tall(n, p), E.tall(n, p)];
  E.mul(u, Xs, v);
  E.mulT(D, u, v);
  const at = (sigma: number): Tall => {
    E.combine(X, 1, Xs, sigma - 1, D);
    return X;
  };

  const sigmas = Array.from({ length: COUNT }, (_, i) => LOW + ((HIGH - LOW) * i) / (COUNT - 1));
  const slope = (h: Objective, sigma: number): number => {
    h.fg(G, at(sigma));
    return E.dot(G, D);
  };

  /** Zeros of the slope, found between grid points by bisection. */
  function stationary(h: Objective): StationaryPoint[] {
    const points: StationaryPoint[] = [];
    for (let i = 0; i + 1 < COUNT; i++) {
      let [a, b] = [sigmas[i]!, sigmas[i + 1]!];
      const rising = slope(h, a) < 0;
      if (rising === slope(h, b) < 0) continue;
      for (let k = 0; k < 50; k++) {
        const middle = (a + b) / 2;
        if (slope(h, middle) < 0 === rising) a = middle;
        else b = middle;
      }
      const sigma = (a + b) / 2;
      const value = h.fg(G, at(sigma));
      const full = Math.sqrt(E.dot(G, G)) < 1e-6 * (1 + Math.abs(lambda));
      points.push({ sigma, value, minimum: rising, full });
    }
    return points;
  }

  const curve = (kind: SliceCurve["kind"], beta: number, h: Objective): SliceCurve => ({
    kind,
    beta,
    values: sigmas.map((s) => h.f(at(s))),
    stationary: stationary(h),
  });
  const curves: SliceCurve[] = [];
  for (const beta of betas) {
    curves.push(curve("expen", beta, expen(E, f, beta)));
    const h = shiftedExpen(E, f, beta);
    E.copy(h.M, S);
    curves.push(curve("shifted", beta, h));
    if (plain) curves.push(curve("plain", beta, quadraticPenalty(E, f, beta)));
  }
  return { sigmas, curves, fval, lambda };
}

/** f(X) + β/4·‖K‖², ∇ = ∇f + βXK, K = XᵀX − I: the penalty of the textbooks, exact for no finite β. */
function quadraticPenalty(E: Engine, f: Objective, beta: number): Objective {
  const K = E.small(f.p, f.p);
  const penalty = (X: Tall): number => {
    E.gram(K, X);
    E.addDiagonal(K, -1);
    return (beta / 4) * E.dot(K, K);
  };
  return {
    n: f.n,
    p: f.p,
    f: (X) => f.f(X) + penalty(X),
    fg(G, X) {
      const value = f.fg(G, X) + penalty(X);
      E.mul(G, X, K, beta, 1);
      return value;
    },
  };
}
