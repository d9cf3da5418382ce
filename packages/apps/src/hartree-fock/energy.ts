/** The energy of a closed shell as a function of its orbitals. */

import type { Objective } from "@expen/core";
import type { Engine, Tall } from "@expen/linalg";
import type { Fock } from "./fock.js";

/** Root mean square difference of two P up to which they are equal to rounding; entries of P are at most 1. */
const SAME = 1e-14;

export interface Energy {
  readonly objective: Objective;
  /** number of Fock builds for energies and gradients, and for second derivatives */
  readonly builds: { energy: number; hessian: number };
  /** P = XXᵀ, F(P) and E at X, by its entries; valid until the next evaluation. An unchanged P takes no build. */
  at(X: Float64Array): Readonly<Point>;
}

interface Point {
  P: Tall;
  F: Tall;
  value: number;
}

/**
 * With P = XXᵀ (the density is D = 2P) and F(P) = h + G(P):
 *
 *     E(X) = ½ tr D(h + F) + E_nuc = ⟨P, h⟩ + ⟨P, F⟩ + E_nuc,     ∇E(X) = 4F·X
 *     ∇²E(X)[D] = 4F·D + 4G(DXᵀ + XDᵀ)·X
 *
 * E depends on the span of X alone. `learn` is called with every P and G(P) of a second derivative.
 */
export function hartreeFockEnergy(
  E: Engine,
  { N, h, build }: Pick<Fock, "N" | "h" | "build">,
  { p, nuclear }: { p: number; nuclear: number },
  learn: (P: Tall, G: Tall) => void,
): Energy {
  const [X, Xs, Ds] = [E.tall(N, p), E.small(N, p), E.small(N, p)];
  const [P, F, dP, G] = [E.tall(N, N), E.tall(N, N), E.tall(N, N), E.tall(N, N)];
  const builds = { energy: 0, hessian: 0 };
  const point: Point = { P, F, value: Number.NaN };

  function at(numbers: Float64Array): Point {
    E.write(X, numbers);
    E.write(Xs, numbers);
    E.mulT(G, X, Xs);
    E.combine(dP, 1, G, -1, P);
    if (builds.energy > 0 && Math.sqrt(E.dot(dP, dP)) <= SAME * N) return point;
    E.copy(P, G);
    build(F, P);
    builds.energy++;
    E.combine(F, 1, F, 1, h);
    point.value = E.dot(P, h) + E.dot(P, F) + nuclear;
    return point;
  }

  return {
    builds,
    at,
    objective: {
      n: N,
      p,
      f: (X) => at(E.read(X)).value,
      fg(G, X) {
        const { value } = at(E.read(X));
        E.mul(G, F, Xs, 4);
        return value;
      },
      hvp(H, Y, D) {
        at(E.read(Y));
        E.write(Ds, E.read(D));
        E.mulT(dP, D, Xs);
        E.mulT(dP, X, Ds, 1, 1);
        build(G, dP);
        builds.hessian++;
        learn(dP, G);
        E.mul(H, F, Ds, 4);
        E.mul(H, G, Xs, 4, 1);
      },
    },
  };
}
