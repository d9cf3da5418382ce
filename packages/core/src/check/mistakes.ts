/** Mistakes in derivatives that can be named from outside, and the entry with the largest error. */

import type { Engine, Tall } from "@expen/linalg";
import { random } from "@expen/linalg";
import type { Constraint } from "../contracts/constraint.js";
import type { Objective } from "../contracts/objective.js";
import { centralDifference, centralHessian } from "../objective/differences.js";
import { describeTangentGradient } from "./along-manifold.js";
import { type Suspect, whereIs, worstEntryByBisection } from "./worst-entry.js";

/** Entries up to which each is compared by itself; in larger gradients bisection finds the worst */
const MOST_ENTRIES = 3000;

/** The entry of G that is furthest from the difference quotient of f. */
export function worstGradientEntry(E: Engine, f: Objective, X: Tall, G: Tall, seed: number): Suspect {
  const { n, p } = f;
  if (n * p > MOST_ENTRIES) {
    const { error: _, position: __, ...suspect } = worstEntryByBisection(E, f, X, G, seed);
    return suspect;
  }
  const [D, Y, d] = [E.tall(n, p), E.tall(n, p), E.read(G)];
  return worst(E, G, (entry) => {
    d.fill(0)[entry] = 1;
    E.write(D, d);
    return centralDifference(E, f, X, D, Y);
  });
}

/** The entry of H = ∇²f(X)[D] that is furthest from the difference quotient of ∇f. */
export function worstHessianEntry(E: Engine, f: Objective, X: Tall, D: Tall, H: Tall): Suspect {
  const [Y, G, difference] = [E.tall(f.n, f.p), E.tall(f.n, f.p), E.tall(f.n, f.p)];
  centralHessian(E, f, { H: difference, X, D, Y, G });
  const expected = E.read(difference);
  return worst(E, H, (entry) => expected[entry]!);
}

function worst(E: Engine, M: Tall, expectedAt: (entry: number) => number): Suspect {
  const numbers = E.read(M);
  let suspect: Suspect | undefined;
  let most = -1;
  for (let entry = 0; entry < numbers.length; entry++) {
    const [own, expected] = [numbers[entry]!, expectedAt(entry)];
    const error = Math.abs(own - expected);
    if (error > most || Number.isNaN(error)) {
      most = Number.isNaN(error) ? Number.POSITIVE_INFINITY : error;
      suspect = { ...whereIs(M, entry), given: own, expected };
    }
  }
  return suspect!;
}

/** The name of the mistake in G ≈ ∇f(X), if it is a known one. `on`: the manifold, if X is feasible. */
export function nameGradientMistake(
  E: Engine,
  f: Objective,
  X: Tall,
  G: Tall,
  seed: number,
  on?: Constraint,
): { name: string; text: string } | undefined {
  const { n, p } = f;
  const [D, Y] = [E.tall(n, p), E.tall(n, p)];
  const norm = (A: Tall): number => Math.sqrt(E.dot(A, A));
  const size = norm(G);
  if (size === 0)
    return { name: "zero", text: "the gradient is 0 everywhere; it must be written into its first argument" };

  const r = random(seed, "mistake");
  const ratios: number[] = [];
  for (let k = 0; k < 6; k++) {
    E.write(D, r.normal);
    E.combine(D, 1 / norm(D), D, 0, D);
    // a part of G keeps ⟨G, D⟩ away from 0, as a random direction of ℝⁿˣᵖ is nearly orthogonal to G
    E.combine(D, 0.5 / size, G, 0.5, D);
    ratios.push(centralDifference(E, f, X, D, Y) / E.dot(G, D));
  }
  const mean = ratios.reduce((a, b) => a + b, 0) / ratios.length;
  const spread = Math.max(...ratios.map((q) => Math.abs(q - mean)));
  if (spread <= 1e-4 * Math.abs(mean) && Math.abs(mean - 1) > 1e-4) {
    return {
      name: "factor",
      text: `the gradient is ${factorInWords(1 / mean)} the right one; multiply it by ${Number(mean.toPrecision(4))}`,
    };
  }
  return on && describeTangentGradient(E, f, X, G, on, seed);
}

function factorInWords(c: number): string {
  const rounded = Number(c.toPrecision(4));
  if (rounded === -1) return "minus";
  if (rounded === 0.5) return "half";
  return `${rounded} times`;
}
