import { Cell } from "../scalar.js";
import type { Search } from "../types.js";
import { moreThuente } from "./more-thuente.js";
import { zoom } from "./zoom.js";

/** The part of φ'(0) that SciPy's search for conjugate gradients lets be left. */
export const CURVATURE = 0.4;

/** The search of SciPy's `minimize(method="CG")`: Moré–Thuente, and where that fails or its point is not acceptable, zoom. */
export function scipySearch({ c1 = 1e-4, c2 = CURVATURE } = {}): Search {
  const [first, second] = [moreThuente({ c1, c2 }), zoom({ c1, c2 })];
  // kept in a field: a number in a variable of a closure is an object each time it changes
  const from = new Cell();
  return (ray) => {
    from.value = ray.t;
    if (first(ray) && (ray.acceptable?.() ?? true)) return true;
    ray.t = from.value;
    return second(ray);
  };
}
