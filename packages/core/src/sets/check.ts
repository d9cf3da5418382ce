import type { Tall } from "@expen/linalg";
import { digits, random } from "@expen/linalg";
import { norm } from "@expen/linalg/dense";
import { ContractError } from "../check/contract-error.js";
import type { Domain, View } from "../contracts/manifold.js";
import type { Block } from "./block.js";

/** Step of the central differences, and the part of their size up to which the two derivatives are one */
const [STEP, AGREE] = [1e-5, 1e-5];

/**
 * Throws a sentence where the adjoint of constraints does not belong to their values: ⟨Jᵀa, D⟩ is compared with the difference of the
 * penalty term along a random D, with Θ so large that every constraint counts. Evaluates no f.
 */
export function requireAdjoints({ E, on }: Domain<View>, blocks: readonly Block[], X: Tall, seed: number): void {
  const { n, p } = on.shape;
  const [D, Y, G] = [E.tall(n, p), E.tall(n, p), E.tall(n, p)];
  E.write(D, random(seed, "constraints").normal);
  E.combine(D, Math.sqrt(E.dot(X, X) / E.dot(D, D)), D, 0, D);
  for (const block of blocks) {
    if (block.along) continue;
    const { E: own, shifts, changes } = block;
    block.add(G, X, 1);
    // Θ + g is of the size of g, and positive
    const weights = random(seed, "weights");
    const start = shifts.map((theta, k) => {
      const size = Math.max(1, norm(own, changes[k]!));
      const before = own.read(theta);
      own.write(theta, () => size * (2 + weights.normal() / 8));
      return before;
    });
    E.fill(G, 0);
    block.add(G, X, 1);
    const slope = E.dot(G, D);
    // onto what is there
    E.copy(Y, D);
    block.add(Y, X, 1);
    E.combine(Y, 1, Y, -1, D);
    E.combine(Y, 1, Y, -1, G);
    if (norm(E, Y) > AGREE * (norm(E, G) + norm(E, D))) {
      throw new ContractError(
        `${block.text}: adjoint overwrites G; it must add Jᵀw to it (check: false runs without this check).`,
      );
    }
    const at = (t: number): number => {
      E.combine(Y, 1, X, t, D);
      E.fill(G, 0);
      return block.add(G, Y, 1);
    };
    const difference = (at(STEP) - at(-STEP)) / (2 * STEP);
    const finer = (at(STEP / 4) - at(-STEP / 4)) / (STEP / 2);
    for (const [k, theta] of shifts.entries()) own.write(theta, start[k]!);
    if (!Number.isFinite(slope + difference)) {
      throw new RangeError(`${block.text}: g or its adjoint is not finite at the start; give a start where it is.`);
    }
    const size = Math.abs(slope) + Math.abs(difference);
    const error = Math.min(Math.abs(slope - difference), Math.abs(slope - finer));
    // roundoff of the differences
    const noise = (1e-15 * Math.abs(at(0))) / STEP;
    if (error <= AGREE * size + 100 * noise) continue;
    const what = `along a random direction Jᵀw gives ${digits(slope)}, differences of the values ${digits(difference)}`;
    throw new ContractError(
      `${block.text}: adjoint does not belong to value: ${what} (check: false runs without this check).`,
    );
  }
}
