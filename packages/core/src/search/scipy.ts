import { chosenNumbers } from "@expen/linalg";
import type { Search } from "../contracts/method.js";
import { moreThuente } from "./more-thuente.js";
import { zoom } from "./zoom.js";

/** the Wolfe constants of SciPy's conjugate gradients */
const USUAL = { c1: 1e-4, c2: 0.4 };

/**
 * The search of SciPy's `minimize(method="CG")`, with which the experiments of the paper's section 4.2 ran: Moré–Thuente, and where that
 * fails or its point is not acceptable, zoom.
 */
export function scipySearch(options: Partial<typeof USUAL> = {}): Search {
  const { c1, c2 } = chosenNumbers("scipySearch", USUAL, options);
  const [first, second] = [moreThuente({ c1, c2 }), zoom({ c1, c2 })];
  return (ray) => {
    const from = ray.t;
    if (first(ray) && (ray.acceptable?.() ?? true)) return true;
    ray.t = from;
    return second(ray);
  };
}
