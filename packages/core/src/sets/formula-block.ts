import type { Domain, View } from "../contracts/manifold.js";
import type { Formula } from "../contracts/user-objective.js";
import type { Block } from "./block.js";
import type { FunctionSubject } from "./subject.js";

/** The constraints of a formula; value, gradient and V come from one run of its program. */
export function formulaBlock(
  domain: Domain<View>,
  { kind, text, bound, g }: FunctionSubject,
  sizes?: Float64Array,
): Block {
  const { base, E: algebra, on } = domain;
  const { rows, cols, fg } = (g as Formula).penalty!(domain, kind, bound, sizes);
  const [theta, V] = [base.tall(rows, cols), base.tall(rows, cols)];
  const H = algebra.tall(on.shape.n, on.shape.p);
  return {
    text,
    kind,
    sizes,
    E: base,
    shifts: [theta],
    changes: [V],
    add(G, X, rho) {
      const value = fg(H, V, X, theta);
      algebra.combine(G, 1, G, rho, H);
      return rho * value;
    },
    multipliers(rho) {
      const change = base.read(V);
      return base.read(theta).map((t, i) => (rho * (t + change[i]!)) / (sizes?.[i] ?? 1));
    },
  };
}
