import type { ComplexMatrix } from "../constraints/manifold.js";
import { complexStiefel, product } from "../constraints/manifolds.js";
import { withEngine } from "../engines/open.js";
import { numbersOf } from "../engines/own-matrix.js";
import type { UserObjective } from "../objective/objective.js";
import { whole } from "../options.js";
import { checkData, ProblemError, requireMatrices } from "../problems/problem.js";
import type { Result } from "../run/result.js";
import type { Engine, Matrix, Tall } from "../types.js";
import { type Application, type ApplicationOptions, optionsOf, randomStarts, runOn } from "./application.js";
import {
  adjoint,
  CNOT,
  type Complex4,
  fromParts,
  IDENTITY,
  kronecker,
  partialTrace,
  times,
  traceOf,
} from "./two-qubits.js";

/** A0, B0, A1, B1, …: a unitary 2×2 matrix each */
type Circuit<M extends Matrix = Matrix> = { readonly [name: string]: ComplexMatrix<M> };

export interface GateSynthesisOptions extends ApplicationOptions {
  /** how many CNOT gates; 3 are enough for every gate */
  cnots?: number;
  /** starts that are tried until the fidelity is 1 */
  starts?: number;
}

export interface GateSynthesisAnswer extends Application<Circuit> {
  /** target = phase·(A0⊗B0)·CNOT·(A1⊗B1)·CNOT·… */
  gates: { A: ComplexMatrix; B: ComplexMatrix }[];
  /** |tr GᴴV|²/16 of target G and circuit V: 1 where they are equal up to a phase */
  fidelity: number;
}

/** From here on a circuit counts as exact. */
const EXACT = 1 - 1e-10;

/**
 * A gate G on two qubits as a circuit of CNOTs and gates on one qubit: min 1 − |tr GᴴV|²/16 over 2(k + 1) unitary 2×2 matrices,
 * V = L₀·C·L₁·C⋯L_k, L_j = A_j⊗B_j. Every G has such a circuit with k = 3 [Vidal, Dawson 2004]. With M_j the other factors of the trace,
 * tr GᴴV = tr M_jL_j, which is linear in A_j and in B_j.
 */
export async function gateSynthesis(
  gate: ComplexMatrix,
  given: GateSynthesisOptions = {},
): Promise<GateSynthesisAnswer> {
  const { cnots = 3, starts = 10, ...o } = optionsOf("gate-synthesis", given, { cnots: whole(0), starts: whole(1) });
  const { re, im } = gate ?? {};
  requireMatrices("gate-synthesis", { "Re G": re, "Im G": im });
  checkData("gate-synthesis", "Re G", re, 4, 4);
  checkData("gate-synthesis", "Im G", im, 4, 4);
  if (!Number.isInteger(cnots) || cnots < 0) {
    throw new ProblemError(`gate-synthesis: cnots is ${cnots}; it must be a whole number, 0 or more.`);
  }
  return withEngine(o.engine, async (E) => {
    const G = fromParts(numbersOf(E, re), numbersOf(E, im));
    if (Math.abs(traceOf(times(adjoint(G), G))[0] - 4) > 1e-6) {
      throw new ProblemError("gate-synthesis: the gate is not unitary; take the nearest unitary matrix first.");
    }
    const layers = Array.from({ length: cnots + 1 }, (_, j) => j);
    const on = product(
      Object.fromEntries(layers.flatMap((j) => [`A${j}`, `B${j}`].map((q) => [q, complexStiefel(2, 2)]))),
    );
    const known = cnots >= 3 ? { optimum: 0 } : {};
    let best: Result<Circuit> | undefined;
    for (const i of randomStarts("gate-synthesis", starts).keys()) {
      const options = { ...o, seed: (o.seed ?? 1) + i };
      const run = await runOn<Circuit<Tall>>(E, infidelity(E, G, layers.length), on, options, known);
      if (!best || run.fval < best.fval) best = run;
      if (1 - best.fval >= EXACT || run.reason.kind === "aborted") break;
    }
    const run = best!;
    return { gates: layers.map((j) => ({ A: run.X[`A${j}`]!, B: run.X[`B${j}`]! })), fidelity: 1 - run.fval, run };
  });
}

function infidelity(E: Engine, G: Complex4, layers: number): UserObjective<Circuit<Tall>> {
  const read = ({ re, im }: ComplexMatrix<Tall>): Complex4 => fromParts(E.read(re), E.read(im));
  return {
    fg(gradient, X) {
      const A = Array.from({ length: layers }, (_, j) => read(X[`A${j}`]!));
      const B = Array.from({ length: layers }, (_, j) => read(X[`B${j}`]!));
      const L = A.map((a, j) => kronecker(a, B[j]!));
      /** L₀·C⋯ before layer j, C·L_{j+1}⋯ after it */
      const before: Complex4[] = [IDENTITY];
      for (let j = 1; j < layers; j++) before.push(times(times(before[j - 1]!, L[j - 1]!), CNOT));
      let after = IDENTITY;
      let value = 0;
      for (let j = layers - 1; j >= 0; j--) {
        const M = times(times(after, adjoint(G)), before[j]!);
        const t = traceOf(times(M, L[j]!));
        value = 1 - (t[0] ** 2 + t[1] ** 2) / 16;
        for (const [name, other, side] of [
          ["A", B[j]!, 0],
          ["B", A[j]!, 1],
        ] as const) {
          // t = Σ T_ab·A_ab, so ∂f/∂Re A = −Re(t̄T)/8 and ∂f/∂Im A = Im(t̄T)/8
          const T = partialTrace(M, other, side);
          const into = gradient[`${name}${j}`]!;
          E.write(
            into.re,
            T.re.map((x, k) => -(t[0] * x + t[1] * T.im[k]!) / 8),
          );
          E.write(
            into.im,
            T.im.map((y, k) => (t[0] * y - t[1] * T.re[k]!) / 8),
          );
        }
        after = times(CNOT, times(L[j]!, after));
      }
      return value;
    },
  };
}
