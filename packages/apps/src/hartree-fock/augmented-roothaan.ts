/**
 * Self-consistent iteration with a model of the energy: the energy is quadratic in P, E(P) = 2⟨h, P⟩ + ⟨P, G(P)⟩ + E_nuc, and every build
 * gives G on one more P, exactly. With G̃ in place of G (`response-model.ts`) it is minimised over all projectors P by the library's
 * trust region, without a build; the next build is at the minimiser. G̃ = 0 is Roothaan's step, one diagonalization of F. This is the
 * augmented Roothaan–Hall method of Høst et al. (J. Chem. Phys. 129, 2008, 124106) with a symmetric G̃ that is exact at all previous P.
 */

import { drain } from "@expen/core";
import type { Engine, Tall } from "@expen/linalg";
import { eigh } from "@expen/linalg/dense";
import { tallOf } from "@expen/linalg/engine";
import { solveStiefel } from "@expen/solvers";
import { type Energy, hartreeFockEnergy } from "./energy.js";
import type { Fock } from "./fock.js";
import { orbitalPrecondition } from "./orbital-precondition.js";
import type { ResponseModel } from "./response-model.js";

/** Predicted decrease, hartree, below which the energy is converged: below the 1e-9 that the default tolerance allows */
const GAIN = 1e-9;
/** Gradient tolerance of the model's minimisation over the current gradient */
const INNER = 1e-3;
/** Most iterations of that minimisation */
const INNER_ITERATIONS = 60;
/** Weight of ‖P − P_best‖² in the model, hartree, after a build that did not decrease E */
const FIRST_SHIFT = 0.1;
/** Growth of that weight after each further such build */
const SHIFT_GROWTH = 4;
/** Relative difference of energies below which they are equal to rounding, and the gradients are compared instead */
const ROUNDING = 1e-13;
/** Consecutive builds without progress beyond rounding after which the iteration ends */
const IDLE = 3;

interface ScfStep {
  k: number;
  /** canonical orbitals with the lowest energy so far; N×p, updated in place */
  X: Tall;
  value: number;
  /** ‖4(FX − X·XᵀFX)‖ at X */
  gnorm: number;
  /** decrease of the energy predicted by the model */
  gain: number;
}

interface Best {
  readonly X: Tall;
  readonly P: Tall;
  readonly F: Tall;
  value: number;
  gnorm: number;
}

/**
 * Yields after each build, from the orbitals `start` (N×p); ends when the gradient is within `tol` and the predicted decrease negligible,
 * or at the rounding floor.
 */
export async function* augmentedRoothaan(
  E: Engine,
  fock: Fock,
  energy: Energy,
  model: ResponseModel,
  start: Tall,
  tol: number,
): AsyncGenerator<ScfStep, void> {
  const { N } = fock;
  const p = start.cols;
  const best: Best = {
    ...{ X: E.tall(N, p), P: E.tall(N, N), F: E.tall(N, N) },
    ...{ value: Number.POSITIVE_INFINITY, gnorm: Number.POSITIVE_INFINITY },
  };
  const [dP, dF] = [E.tall(N, N), E.tall(N, N)];
  let [X, shift, idle] = [start, 0, 0];
  for (let k = 0; ; k++) {
    const { P, F, value } = energy.at(E.read(X));
    if (k > 0) {
      E.combine(dP, 1, P, -1, best.P);
      E.combine(dF, 1, F, -1, best.F);
      model.learn(dP, dF);
    }
    const gnorm = gradientNorm(E, X, F);
    const rounding = ROUNDING * Math.abs(value);
    idle = best.value - value > rounding || gnorm < 0.5 * best.gnorm ? 0 : idle + 1;
    if (value < best.value - rounding || (value < best.value + rounding && gnorm < best.gnorm)) {
      E.copy(best.X, X);
      E.copy(best.P, P);
      E.copy(best.F, F);
      Object.assign(best, { value, gnorm });
      shift = shift > FIRST_SHIFT / SHIFT_GROWTH ? shift / SHIFT_GROWTH : 0;
    } else shift = Math.max(SHIFT_GROWTH * shift, FIRST_SHIFT);

    const orbitalEnergies = canonicalize(E, best);
    const next = await minimizeModel(E, best, model, { shift, tol: INNER * best.gnorm, orbitalEnergies });
    yield { k, X: best.X, value: best.value, gnorm: best.gnorm, gain: next.gain };
    if (best.gnorm <= tol && next.gain <= GAIN) return;
    if (idle >= IDLE && next.gain <= GAIN) return;
    X = next.X;
  }
}

/** ‖4(FX − X·XᵀFX)‖ */
function gradientNorm(E: Engine, X: Tall, F: Tall): number {
  const [R, S] = [E.tall(X.rows, X.cols), E.small(X.cols, X.cols)];
  E.mul(R, F, E.small(X.rows, X.cols, E.read(X)), 4);
  E.tmul(S, X, R);
  E.mul(R, X, S, -1, 1);
  return Math.sqrt(E.dot(R, R));
}

/** X ← X·U for the eigenvectors U of XᵀFX; returns the eigenvalues */
function canonicalize(E: Engine, { X, F }: Best): Float64Array {
  const [N, p] = [X.rows, X.cols];
  const [FX, S, XU] = [E.tall(N, p), E.small(p, p), E.tall(N, p)];
  E.mul(FX, F, E.small(N, p, E.read(X)));
  E.tmul(S, X, FX);
  const { values, vectors } = eigh(E, S);
  E.mul(XU, X, vectors);
  E.copy(X, XU);
  return values;
}

interface ModelOptions {
  shift: number;
  tol: number;
  orbitalEnergies: ArrayLike<number>;
}

/** min over projectors of E_best + 2⟨F_best, P − P_best⟩ + ⟨P − P_best, (G̃ + shift)(P − P_best)⟩ */
async function minimizeModel(
  E: Engine,
  { X, P, F, value }: Best,
  model: ResponseModel,
  { shift, tol, orbitalEnergies }: ModelOptions,
): Promise<{ X: Tall; gain: number }> {
  const [N, p] = [X.rows, X.cols];
  const build = (G: Tall, D: Tall): void => {
    model.apply(G, D);
    E.combine(G, 1, G, shift, D);
  };
  // as an energy: h = F_best − G̃(P_best), and a constant that makes it E_best at P_best
  const h = E.tall(N, N);
  build(h, P);
  E.combine(h, 1, F, -1, h);
  const nuclear = value - E.dot(P, h) - E.dot(P, F);
  const { objective } = hartreeFockEnergy(E, { N, h, build }, { p, nuclear }, () => undefined);
  // if the lowest orbitals of F have a lower model energy, the minimiser is in their basin
  const aufbau = lowestOrbitals(E, F, p);
  const run = await drain(
    solveStiefel(E, objective, {
      solver: "rtr",
      start: objective.f(aufbau) < value ? aufbau : X,
      tol,
      maxIterations: INNER_ITERATIONS,
      certificate: "stationary",
      precondition: orbitalPrecondition(E, E.small(N, N, E.read(F)), orbitalEnergies),
    }),
  );
  return { X: tallOf(E, run.X), gain: value - run.fval };
}

/** The eigenvectors of the p lowest eigenvalues of F */
export function lowestOrbitals(E: Engine, F: Tall, p: number): Tall {
  const N = F.rows;
  const { vectors } = eigh(E, E.small(N, N, E.read(F)));
  const numbers = E.read(vectors);
  return E.tall(
    N,
    p,
    Float64Array.from({ length: N * p }, (_, k) => numbers[Math.floor(k / p) * N + (k % p)]!),
  );
}
