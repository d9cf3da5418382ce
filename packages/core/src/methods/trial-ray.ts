import type { Space, Tall } from "@expen/linalg";
import type { Geometry, Start } from "../contracts/method.js";
import type { Evaluations, Objective } from "../contracts/objective.js";
import type { TrialRay } from "../contracts/ray.js";
import { rayIn } from "./ray.js";
import { flatCoordinates } from "./vectors.js";

/** φ(t) = f(R_X(tD)); its slope is ⟨∇f, P(D)⟩ at the trial point, exact for straight lines and for D transported by projection. */
export function trialRay(
  E: Space,
  f: Objective,
  geometry: Geometry,
  X0?: Tall,
  evaluations?: Evaluations,
  keepEuclidean?: boolean,
  start?: Start,
): TrialRay {
  const ray = rayIn(E, f, flatCoordinates(E, geometry, f.n, f.p), { evaluations, keepEuclidean, start });
  if (X0) ray.restartAt(X0, start);
  return Object.assign(ray, { geometry });
}
