import type { Space } from "@expen/linalg";
import { amount, chosenOptions, func, object, type SchemaOf, whole } from "@expen/linalg";
import type { Precondition, Search } from "../../contracts/method.js";
import type { Method } from "../../contracts/ray.js";
import { hagerZhang } from "../../search/hager-zhang.js";
import { flat } from "../vectors.js";
import type { FirstMatrix } from "./first/first-matrix.js";
import { scaledIdentity, scaledPreconditioner } from "./first/scaled.js";
import { quasiNewton } from "./quasi-newton.js";

export interface LbfgsOptions {
  memory?: number;
  search?: Search;
  /** ‖t·D‖ ≤ stepCap */
  stepCap?: number;
  /** a pair is stored only if ⟨s, y⟩ > caution·‖g‖·⟨s, s⟩ (Li and Fukushima) */
  caution?: number;
  /** first matrix of each update, up to a factor, on the tangent space */
  precondition?: Precondition;
  /** the first matrix itself, in place of a preconditioner */
  first?: FirstMatrix;
}

const SCHEMA: SchemaOf<LbfgsOptions> = {
  memory: whole(0),
  search: func,
  stepCap: amount,
  caution: amount,
  precondition: func,
  first: object,
};

/**
 * Limited-memory BFGS on ℝⁿˣᵖ or on a manifold: `quasiNewton` with blocks of one pair. Holds 2·memory n×p matrices beyond the 5 of its ray
 * and those of its first matrix.
 */
export function lbfgs(E: Space, n: number, p: number, options: LbfgsOptions = {}): Method {
  const {
    memory = 4,
    search = hagerZhang(),
    stepCap: longestStep,
    caution,
    precondition,
    first,
  } = chosenOptions("lbfgs", options, SCHEMA);
  const methodWith = (H0: FirstMatrix): Method =>
    quasiNewton(flat(E, n, p), H0, { memory, search, longestStep, caution });
  if (first || !precondition) return methodWith(first ?? scaledIdentity(E));
  let method: Method | undefined;
  return (ray) => {
    method ??= methodWith(scaledPreconditioner(E, n, p, ray.geometry, precondition));
    return method(ray);
  };
}
