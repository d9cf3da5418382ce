import type { Engine, Tall } from "@expen/linalg";
import { digits } from "@expen/linalg";
import type { Constraint } from "../contracts/constraint.js";
import type { Objective } from "../contracts/objective.js";
import { pointOf } from "../manifolds/point.js";

/**
 * Distances along the negative gradient relative to ‖X‖, and the ratio of the two changes of ∇f that shows a kink: 1/1000 if ∇²f is bounded
 */
const [FAR, NEAR, RATIO] = [1e-4, 1e-7, 0.1];
/** Relative change of ∇f that is above its noise */
const VISIBLE = 1e-2;

/**
 * The end of a sentence if f has a kink at X, where ‖∇f(X − tD) − ∇f(X)‖ does not fall with t and methods for smooth f zigzag; else "".
 * Costs three gradients.
 */
export function kinkAt(E: Engine, f: Objective, on: Constraint, X: Tall): string {
  const [G, D, Y, H] = [E.tall(f.n, f.p), E.tall(f.n, f.p), E.tall(f.n, f.p), E.tall(f.n, f.p)];
  const norm = (A: Tall): number => Math.sqrt(E.dot(A, A));
  f.fg(G, X);
  E.copy(D, G);
  on.dissolver.tangent(D, pointOf(E, on)(X));
  const unit = on.size / norm(D);
  const change = (t: number): number => {
    E.combine(Y, 1, X, -t * unit, D);
    f.fg(H, Y);
    E.combine(H, 1, H, -1, G);
    return norm(H);
  };
  const [far, near, size] = [change(FAR), change(NEAR), norm(G)];
  if (!(near >= RATIO * far && near >= VISIBLE * size)) return "";
  const jump = `the gradient changes by ${digits(near / size, 2)} of its size within ${NEAR} of X`;
  return `; ${jump}: f has a kink or noise there, and needs a smooth form (smoothAbs) or a solver for nonsmooth terms (slpg)`;
}
