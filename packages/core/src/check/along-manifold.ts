/** A gradient that differs from ∇f by normal vectors alone: f or it lacks terms that are constant on the manifold. */

import type { Engine, Tall } from "@expen/linalg";
import { random } from "@expen/linalg";
import type { Constraint } from "../contracts/constraint.js";
import type { Objective } from "../contracts/objective.js";
import { pointOf } from "../manifolds/point.js";
import { derivativeAlong } from "../objective/derivative-along.js";
import { weights } from "./directions.js";

/** Tangent directions of the test */
const DRAWS = 4;
/**
 * Relative to ‖P_X(G)‖‖D‖: the difference up to which ⟨G, D⟩ and ⟨∇f, D⟩ agree, and the error from which a difference quotient shows
 * nothing
 */
const RELATIVE = 1e-5;
const SHOWN = 1e-3;
/** ‖S‖/‖G‖ below which G has no normal part */
const TANGENT = 1e-6;

/**
 * A sentence if ⟨G, D⟩ agrees with differences of f along random tangent D at a feasible X, else undefined. Steepest descent on the
 * manifold needs no more of G, nor does the Riemannian Hessian: P_X(DG(X)[D] − D·sym(XᵀG)) is the same for every G with P_X(G) = grad f on
 * the manifold.
 */
export function describeTangentGradient(
  E: Engine,
  f: Objective,
  X: Tall,
  G: Tall,
  on: Constraint,
  seed: number,
): { name: "riemannian" | "along"; text: string } | undefined {
  const { n, p } = f;
  const [D, Y, R, S] = [E.tall(n, p), E.tall(n, p), E.tall(n, p), E.small(p, p)];
  const norm = (A: Tall): number => Math.sqrt(E.dot(A, A));
  E.copy(R, G);
  const x = pointOf(E, on)(X);
  const along = pointOf(E, on);
  on.dissolver.tangent(R, x, S);
  const r = random(seed, "along the manifold");
  for (let draw = 0; draw < DRAWS; draw++) {
    E.write(D, weights(n, r));
    on.dissolver.direction(Y, x, along(D));
    E.copy(D, Y);
    const scale = norm(R) * norm(D);
    const { value, error } = derivativeAlong(E, f, X, D, Y);
    if (!(error <= SHOWN * scale && Math.abs(E.dot(G, D) - value) <= error + RELATIVE * scale)) return undefined;
  }
  const right = "the gradient is right along the manifold";
  if (Math.sqrt(E.dot(S, S)) > TANGENT * norm(G)) {
    return { name: "along", text: `${right}, not off it: f or the gradient lacks terms that are constant there` };
  }
  const better = "give the Euclidean one, without the projection, for fewer steps";
  return { name: "riemannian", text: `${right} but has no normal part: it is the Riemannian gradient; ${better}` };
}
