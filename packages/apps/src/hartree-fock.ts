import type { Reason, Result, Row } from "@expen/core";
import { drain, noEvaluations } from "@expen/core";
import { newState } from "@expen/core/methods";
import { checkedMolecule, type Molecule } from "@expen/data";
import { withEngine } from "@expen/engines";
import { type Engine, type HostMatrix, hostMatrix, type Tall } from "@expen/linalg";
import { eigh } from "@expen/linalg/dense";
import { tallOf } from "@expen/linalg/engine";
import { requireMemory } from "@expen/linalg/memory";
import { solverParts, solveStiefel } from "@expen/solvers";
import { type Application, type ApplicationOptions, optionsOf, plainOf, withPositivePeaks } from "./application.js";
import { type Description, describe, row } from "./description.js";
import { augmentedRoothaan, lowestOrbitals } from "./hartree-fock/augmented-roothaan.js";
import { type Energy, hartreeFockEnergy } from "./hartree-fock/energy.js";
import { type Fock, fockOperator, fockParts } from "./hartree-fock/fock.js";
import { type ResponseModel, responseModel } from "./hartree-fock/response-model.js";

/** Options of `hartreeFock`: the tolerance and the run */
export interface HartreeFockOptions extends ApplicationOptions {
  /**
   * Norm of the Riemannian gradient at convergence, hartree, twice that of most other programs; default 6e-5, for which energies are
   * correct to about 1e-9.
   */
  tol?: number;
}

/** The energy and the orbitals of `hartreeFock` */
export interface HartreeFockAnswer extends Application {
  /** total energy, hartree, nuclear repulsion included */
  energy: number;
  /** eigenvalues of F, hartree: the occupied ones, then the virtual ones, increasing in each group */
  orbitalEnergies: number[];
  /** N×N: their orbitals, CᵀSC = I */
  orbitals: HostMatrix;
  /** number of doubly occupied orbitals */
  occupied: number;
  /** lowest virtual minus highest occupied orbital energy, hartree; absent if all are occupied */
  gap?: number;
  /** number of Fock builds for energies and gradients, and for the second derivatives of certificates */
  builds: { energy: number; hessian: number };
}

/** Default of `tol`, hartree */
const TOL = 6e-5;
/** Default of `maxIterations`: self-consistent iterations take about ten */
const MOST_ITERATIONS = 200;
/** Most saddle points that a run leaves; after them it returns the last one. */
const MOST_SADDLES = 5;
/** Hessian products of the certificate; core and valence energies differ by orders of magnitude, so that Lanczos needs many. */
const CERTIFICATE_BUDGET = 120;
/**
 * Assumed eigenvalue γ of G, hartree, on directions that no Fock build has explored. It is negative because electron and hole attract:
 * an excitation costs less than the difference of two orbital energies.
 */
const GAMMA = -0.15;

/**
 * Restricted closed-shell Hartree–Fock: min E(C) over CᵀSC = I, from the lowest orbitals of h. `augmented-roothaan.ts` iterates; the
 * certificate looks for directions of negative curvature (an unstable solution) and the iteration goes on below them, all in
 * X = S^(1/2)·C with XᵀX = I. With `solver` that general method runs instead.
 */
export async function hartreeFock(integrals: Molecule, user: HartreeFockOptions = {}): Promise<HartreeFockAnswer> {
  const options = optionsOf("hartree-fock", user, {});
  const molecule = checkedMolecule(integrals);
  return withEngine(options.engine, async (E) => {
    const { size: N, occupied: p, nuclear } = molecule;
    const o = { tol: TOL, certificateBudget: CERTIFICATE_BUDGET, ...options };
    requireMemory(N, p, [...fockParts(N), ...solverParts(N, p, o)], E);
    const fock = fockOperator(E, molecule);
    const model = responseModel(E, N, GAMMA);
    const energy = hartreeFockEnergy(E, fock, { p, nuclear }, model.learn);
    const start = lowestOrbitals(E, fock.h, p);
    const run = await (o.solver
      ? drain(solveStiefel(E, energy.objective, { ...o, start }))
      : selfConsistent(E, { fock, energy, model }, start, o));
    return { ...orbitalsOf(E, fock, energy, run, p), builds: { ...energy.builds }, run };
  });
}

interface Parts {
  readonly fock: Fock;
  readonly energy: Energy;
  readonly model: ResponseModel;
}

/** Self-consistent iteration and certificate, repeated below each saddle point */
async function selfConsistent(
  E: Engine,
  { fock, energy, model }: Parts,
  start: Tall,
  o: Omit<HartreeFockOptions, "engine"> & { tol: number },
): Promise<Result> {
  const began = performance.now();
  const elapsed = (): number => (performance.now() - began) / 1000;
  const most = o.maxIterations ?? MOST_ITERATIONS;
  const history: Row[] = [];
  const notes: string[] = [];
  let [X, iterations] = [start, 0];
  for (let saddles = 0; ; saddles++) {
    const state = newState({ X: start, f: 0, evaluations: noEvaluations() }, 0);
    for await (const { k, X: at, value, gnorm } of augmentedRoothaan(E, fock, energy, model, X, o.tol)) {
      Object.assign(state, { k: iterations + k, X: at, f: value, gnorm, gnormMax: Math.max(state.gnormMax, gnorm) });
      state.decrease = k === 0 ? 0 : history.at(-1)!.f - value;
      state.seconds = elapsed();
      state.evaluations = { f: energy.builds.energy, grad: energy.builds.energy, hvp: energy.builds.hessian };
      history.push({ k: state.k, f: value, gnorm, step: 0, seconds: state.seconds, evaluations: energy.builds.energy });
      o.observe?.(state);
      o.events?.iteration?.(state);
      if (state.k >= most || o.signal?.aborted || elapsed() > (o.maxSeconds ?? Infinity) || o.stop?.(state)) break;
    }
    iterations = state.k;
    let left = false;
    const run = await drain(
      solveStiefel(E, energy.objective, {
        ...o,
        start: state.X,
        // no step if the iteration has converged; from a rounding floor above the tolerance the general method continues
        maxIterations: Math.max(0, most - iterations),
        observe: () => undefined,
        // below a saddle the self-consistent iteration takes over
        events: {
          saddle(event) {
            left = true;
            o.events?.saddle?.({ ...event, iterations });
          },
        },
        stop: (s) => (left ? TAKEN_OVER : o.stop?.(s)),
      }),
    );
    notes.push(...run.notes);
    if (!left || saddles === MOST_SADDLES) {
      const { energy: f, hessian: hvp } = energy.builds;
      const evaluations = { f, grad: f, hvp: hvp - run.certificate.evaluations.hvp };
      for (const row of run.history?.slice(1) ?? []) history.push({ ...row, k: iterations + row.k });
      const result = {
        ...{ ...run, iterations: iterations + run.iterations, evaluations, notes, seconds: elapsed() },
        ...(o.history && { history }),
      };
      o.events?.end?.(result);
      return result;
    }
    X = tallOf(E, run.X);
    // the descent from the saddle is a step
    iterations++;
  }
}

const TAKEN_OVER: Reason = { kind: "aborted", converged: false, text: "self-consistent iteration goes on" };

/** Canonical orbitals: the eigenvectors of the final F in the occupied and in the virtual space, in the given basis */
function orbitalsOf(
  E: Engine,
  { N, L }: Fock,
  energy: Energy,
  run: Result,
  p: number,
): Omit<HartreeFockAnswer, "builds" | "run"> {
  const point = energy.at(E.read(tallOf(E, run.X)));
  const [F, P] = [E.small(N, N, E.read(point.F)), E.small(N, N, E.read(point.P))];
  const [PF, blocks] = [E.small(N, N), E.small(N, N)];
  // PFP + (I − P)F(I − P) − spread·P: no occupied orbital mixes with a virtual one, and the occupied ones are the lowest
  E.mul(PF, P, F);
  E.mul(blocks, PF, P, 2);
  E.symmetrize(PF);
  E.combine(blocks, 1, blocks, -2, PF);
  E.combine(blocks, 1, blocks, 1, F);
  const spread = 2 * Math.sqrt(E.dot(F, F)) + 1;
  E.combine(blocks, 1, blocks, -spread, P);
  const { values, vectors } = eigh(E, blocks);
  const C = E.tall(N, N, E.read(vectors));
  if (L) E.mul(C, L, E.small(N, N, E.read(vectors)));
  const orbitalEnergies = Array.from(values, (w, j) => (j < p ? w + spread : w));
  return {
    energy: run.fval,
    orbitalEnergies,
    orbitals: hostMatrix(withPositivePeaks(plainOf(E, C))),
    occupied: p,
    ...(p < N && { gap: orbitalEnergies[p]! - orbitalEnergies[p - 1]! }),
  };
}

export const description: Description = describe({
  name: "hartree-fock",
  summary: "Hartree–Fock energy and orbitals of a closed-shell molecule",
  files: [{ name: "molecule", help: "its integrals, .npz or FCIDUMP", holds: "molecule" }],
  options: [],
  example: "water.fcidump --out orbitals.npy",
  parts: ["orbitals"],
  async solve([molecule]: [Molecule], o: HartreeFockOptions) {
    const { reference } = molecule;
    return { ...(await hartreeFock(molecule, o)), ...(reference !== undefined && { reference }) };
  },
  report({
    orbitals,
    energy,
    orbitalEnergies,
    occupied,
    gap,
    builds,
    ...rest
  }: HartreeFockAnswer & { reference?: number }) {
    const { reference } = rest;
    return {
      saved: { name: "orbitals", matrix: orbitals },
      lines: [
        ["energy", `${energy.toFixed(10)} hartree`],
        ...(reference === undefined
          ? []
          : [["reference energy in the file", `${reference.toFixed(10)} hartree`] as const]),
        ["occupied orbital energies", `${row(orbitalEnergies.slice(0, occupied))} hartree`],
        ["virtual orbital energies", `${row(orbitalEnergies.slice(occupied))} hartree`],
        ["Fock builds", `${builds.energy}, plus ${builds.hessian} for the certificate`],
      ],
      numbers: { energy, ...(reference !== undefined && { reference }), orbitalEnergies, occupied, gap, builds },
    };
  },
});
