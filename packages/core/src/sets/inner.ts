import type { Engine, Tall } from "@expen/linalg";
import type { Constraint } from "../contracts/constraint.js";
import type { Solver } from "../contracts/method.js";
import type { Evaluations, Objective } from "../contracts/objective.js";
import type { RayIn } from "../contracts/ray.js";
import { dissolving } from "../manifolds/dissolving.js";
import { frameMethod } from "../methods/quasi-newton/frame-expen.js";
import { hasFrame } from "../methods/quasi-newton/frame-of.js";
import { lbfgs } from "../methods/quasi-newton/lbfgs.js";
import { trialRay } from "../methods/trial-ray.js";

/** A method that is run again and again on an objective that changes a little between the runs */
export interface Inner {
  /** a run from X */
  run(X: Tall): Solver;
  /** the point of the last run */
  readonly X: Tall;
  /** Drops what was learned of the Hessian. */
  forget(): void;
}

/** The pairs of the fallback, on manifolds without moving frame */
const MEMORY = 10;

/** The default of the core for expensive f, with curvature pairs that outlive a run */
export function innerMethod(E: Engine, f: Objective, on: Constraint, evaluations?: Evaluations): Inner {
  if (hasFrame(E, on)) {
    const { method, ray } = frameMethod(E, f, { on, ...(evaluations && { evaluations }) });
    return innerOf(ray, method);
  }
  const ray = trialRay(E, f, dissolving(E, on), undefined, evaluations);
  return innerOf(ray, lbfgs(E, f.n, f.p, { memory: MEMORY, stepCap: on.longestStep }));
}

function innerOf<V, R extends RayIn<V>>(ray: R, method: (ray: R) => Solver): Inner {
  return {
    run(X) {
      ray.restartAt(X);
      return method(ray);
    },
    get X() {
      return ray.X;
    },
    // as where gradients leave the space of the pairs
    forget: () => ray.onLargerSpace?.(),
  };
}
