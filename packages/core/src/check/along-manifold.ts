/** A gradient that differs from ∇f by normal vectors alone: f or it lacks terms that are constant on the manifold. */

import type { Engine, Tall } from "@expen/linalg";
import { random } from "@expen/linalg";
import type { Constraint } from "../contracts/constraint.js";
import type { Objective } from "../contracts/objective.js";
import { pointOf } from "../manifolds/point.js";
import { derivativeAlong } from "../objective/derivative-along.js";
import { weights } from "./directions.js";
import type { Suspect } from "./worst-entry.js";

/** Tangent directions of the test */
const DRAWS = 4;
/**
 * The difference up to which ⟨G, D⟩ and ⟨∇f, D⟩ agree, relative to ‖P_X(G)‖‖D‖; the error from which a difference quotient shows
 * nothing, relative to ‖G‖‖D‖
 */
const RELATIVE = 1e-5;
/** largest error of the differences, relative to ‖G‖‖D‖, with which an agreement counts */
const PRECISE = 1e-3;
/** ‖S‖/‖G‖ below which G has no normal part */
const TANGENT = 1e-6;

/**
 * A sentence if ⟨G, D⟩ agrees with differences of f along random tangent D at a feasible X, else undefined. Steepest descent on the
 * manifold needs no more of G, nor does the Riemannian Hessian: P_X(DG(X)[D] − D·sym(XᵀG)) is the same for every G with P_X(G) = grad f on
 * the manifold. `suspect`: an entry that differs from differences of f; the tangent part of its unit matrix is one more D, along which a
 * mistake in this entry alone is as large as off the manifold.
 */
export function describeTangentGradient(
  E: Engine,
  f: Objective,
  X: Tall,
  G: Tall,
  on: Constraint,
  seed: number,
  { suspect, position }: { suspect?: Suspect; position?: number } = {},
): { name: "riemannian" | "along"; text: string } | undefined {
  const { n, p } = f;
  const [D, Y, R, S] = [E.tall(n, p), E.tall(n, p), E.tall(n, p), E.small(p, p)];
  const norm = (A: Tall): number => Math.sqrt(E.dot(A, A));
  E.copy(R, G);
  const x = pointOf(E, on)(X);
  const along = pointOf(E, on);
  on.dissolver.tangent(R, x, S);
  const [size, tangentSize] = [norm(G), norm(R)];
  const r = random(seed, "along the manifold");
  for (let draw = 0; draw < DRAWS; draw++) {
    E.write(D, weights(n, r));
    if (!agreesAlong(tangentSize)) return undefined;
  }
  if (suspect) {
    let k = 0;
    const unit = 1 / Math.sqrt(n);
    E.write(D, () => (k++ === position ? unit : 0));
    if (!agreesAlong(Math.max(Math.abs(suspect.given), Math.abs(suspect.expected)))) return undefined;
  }
  const right = "the gradient is right along the manifold";
  if (Math.sqrt(E.dot(S, S)) > TANGENT * size) {
    return { name: "along", text: `${right}, not off it: f or the gradient lacks terms that are constant there` };
  }
  const better = "give the Euclidean one, without the projection, for fewer steps";
  return { name: "riemannian", text: `${right} but has no normal part: it is the Riemannian gradient; ${better}` };

  /** along the tangent part of D, up to RELATIVE·of·‖D‖ */
  function agreesAlong(of: number): boolean {
    on.dissolver.direction(Y, x, along(D));
    E.copy(D, Y);
    const length = norm(D);
    const { value, error } = derivativeAlong(E, f, X, D, Y);
    const gap = Math.abs(E.dot(G, D) - value);
    return error <= PRECISE * size * length && gap <= error + RELATIVE * of * length;
  }
}
