import type { Engine } from "@expen/linalg";
import type { Constraint } from "../contracts/constraint.js";
import type { Manifold } from "../contracts/manifold.js";
import { itself } from "./view.js";

/** Real matrices: a point is the matrix itself. `algebra`: of the engine, itself if nothing is said */
export function real(
  text: string,
  { n, p }: { n: number; p: number },
  constraint: (E: Engine, n: number, p: number) => Constraint,
  algebra: (E: Engine) => Engine = (E) => E,
): Manifold {
  return {
    text,
    n,
    p,
    shapes: [{ name: "", n, p, complex: false }],
    bind(base) {
      const E = algebra(base);
      return { base, E, on: constraint(E, n, p), view: itself };
    },
  };
}
