import type { Engine, Tall } from "@expen/linalg";
import { norm } from "@expen/linalg/dense";
import type { Equations } from "./equations.js";

/**
 * The same set by equations with gradients of length 1/unit at X, so that ‖c‖ is about a distance in that unit whatever theirs are; 0 stays
 * 0.
 */
export function equilibrated(E: Engine, c: Equations, X: Tall, unit: number): Equations {
  const m = c.size;
  const rows = Array.from({ length: m }, () => E.tall(X.rows, X.cols));
  c.jacobian(rows, X);
  const factors = Float64Array.from(rows, (row) => {
    const length = unit * norm(E, row);
    return length > 0 && length < Number.POSITIVE_INFINITY ? 1 / length : 1;
  });
  const scaled = new Float64Array(m);
  return {
    size: m,
    value(out, X) {
      c.value(out, X);
      for (let i = 0; i < m; i++) out[i]! *= factors[i]!;
    },
    adjoint(G, X, w) {
      for (let i = 0; i < m; i++) scaled[i] = factors[i]! * w[i]!;
      c.adjoint(G, X, scaled);
    },
    jacobian(rows, X) {
      c.jacobian(rows, X);
      for (let i = 0; i < m; i++) E.combine(rows[i]!, factors[i]!, rows[i]!, 0, rows[i]!);
    },
  };
}
