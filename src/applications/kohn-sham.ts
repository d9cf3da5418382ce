import { withEngine } from "../engines/open.js";
import { tallOf } from "../engines/own-matrix.js";
import { requireMemory } from "../memory/require.js";
import { solverParts } from "../minimize.js";
import { finite, whole } from "../options.js";
import { noeig, noeigParts } from "../problems/noeig.js";
import { checkSizes } from "../problems/problem.js";
import { drain, solveStiefel } from "../stiefel.js";
import type { Matrix } from "../types.js";
import { type Application, type ApplicationOptions, columns, optionsOf, ritz } from "./application.js";

export interface KohnShamOptions extends ApplicationOptions {
  /** grid points */
  n: number;
  /** orbitals */
  p: number;
  /** strength of the Hartree-like term */
  alpha?: number;
}

export interface KohnShamAnswer extends Application {
  /** f(X) = ½ tr(XᵀLX) + (α/4) ρᵀL⁻¹ρ */
  energy: number;
  /** eigenvalues of H(ρ) = L + α·Diag(L⁻¹ρ) on the occupied orbitals, rising */
  orbitalEnergies: number[];
  /** n×p, the eigenvectors that belong to them */
  orbitals: Matrix;
  /** ρ_i = Σ_j X_ij² */
  density: Float64Array;
  /** ‖H(ρ)X − X·Diag(orbital energies)‖: how self-consistent the orbitals are */
  residual: number;
}

/**
 * The discretised Kohn–Sham-like total energy in one dimension, minimised directly instead of by self-consistent iteration. As
 * ∇f(X) = H(ρ)X, a stationary X spans eigenvectors of its own Hamiltonian; they come from the p×p matrix XᵀHX.
 */
export async function kohnSham(given: KohnShamOptions = {} as KohnShamOptions): Promise<KohnShamAnswer> {
  const { n, p, alpha = 1, ...o } = optionsOf("kohn-sham", given, { n: whole(1), p: whole(1), alpha: finite });
  return withEngine(o.engine, async (E) => {
    checkSizes("kohn-sham", n, p);
    requireMemory(n, p, [...noeigParts({ n, p }), ...solverParts(n, p, o)], E);
    const { objective, optimum } = noeig(E, { n, p, alpha });
    const run = await drain(solveStiefel(E, objective, { ...o, optimum }));
    const [G, X, S] = [E.tall(n, p), tallOf(E, run.X), E.small(p, p)];
    objective.fg(G, X);
    E.tmul(S, X, G);
    const { basis, values } = ritz(E, run.X, S);
    const rising = Array.from({ length: p }, (_, j) => p - 1 - j);
    const orbitals = columns(basis, rising);
    const orbitalEnergies = rising.map((j) => values[j]!);
    objective.fg(G, tallOf(E, orbitals));
    const square = E.read(G).reduce((s, g, k) => s + (g - orbitals.data[k]! * orbitalEnergies[k % p]!) ** 2, 0);
    const density = new Float64Array(n);
    orbitals.data.forEach((x, k) => {
      density[Math.floor(k / p)]! += x * x;
    });
    return { energy: run.fval, orbitalEnergies, orbitals, density, residual: Math.sqrt(square), run };
  });
}
