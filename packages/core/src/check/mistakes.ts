/** Why a derivative is wrong: mistakes that are seen from outside, and the entry that is furthest off. */

import type { Engine, Tall } from "@expen/linalg";
import { random } from "@expen/linalg";
import type { Constraint } from "../contracts/constraint.js";
import type { Objective } from "../contracts/objective.js";
import { centralDifference, centralHessian } from "../objective/differences.js";
import { rightAlongManifold } from "./along-manifold.js";
import { type Suspect, whereIs, worstEntryByHalves } from "./worst-entry.js";

/** Entries of a gradient looked at one by one; in larger ones the worst is found by halving. */
const MOST_ENTRIES = 3000;

/** The entry of G that is furthest from the difference quotient of f. */
export function worstGradientEntry(E: Engine, f: Objective, X: Tall, G: Tall, seed: number): Suspect {
  const { n, p } = f;
  if (n * p > MOST_ENTRIES) {
    const { error: _, ...suspect } = worstEntryByHalves(E, f, X, G, seed);
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
    const [given, expected] = [numbers[entry]!, expectedAt(entry)];
    const off = Math.abs(given - expected);
    if (off > most || Number.isNaN(off)) {
      most = Number.isNaN(off) ? Number.POSITIVE_INFINITY : off;
      suspect = { ...whereIs(M, entry), given, expected };
    }
  }
  return suspect!;
}

/** A mistake in G ≈ ∇f(X) that has a name; undefined where it has none that is known. `on`: X is feasible there. */
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
    // a random direction of ℝⁿˣᵖ can be nearly orthogonal to G: a share of G keeps ⟨G, D⟩ away from 0
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
  return on && rightAlongManifold(E, f, X, G, on, seed);
}

function factorInWords(c: number): string {
  const rounded = Number(c.toPrecision(4));
  if (rounded === -1) return "minus";
  if (rounded === 0.5) return "half";
  return `${rounded} times`;
}
