import { eigenSolver, eigh } from "../linalg/eigh.js";
import { polar } from "../linalg/polar.js";
import { quadraticObjective } from "../quadratic-objective.js";
import type { Engine, Matrix, State } from "../types.js";
import { lbfgs } from "./lbfgs.js";
import { stagedExpen } from "./staged-expen.js";

/** min ½⟨Z, A·Z·C⟩ + ⟨L, Z⟩ over Z ∈ ℝ^{bp×p} with ZᵀZ = I, filled block by block; C = I where it is absent. */
export interface SubspaceProblem {
  /** the answer, as b blocks of p×p */
  readonly Z: Matrix[];
  /** A[i, j] ← S and A[j, i] ← Sᵀ, blocks of p×p */
  setBlock(i: number, j: number, S: Matrix): void;
  setLinear(i: number, S: Matrix): void;
  /** Z ← the minimiser: exact, or to `drop` of the first gradient or after `length` steps */
  minimise(drop: number, length: number): void;
}

export function subspaceProblem(
  E: Engine,
  b: number,
  p: number,
  C: Matrix | undefined,
  linear: boolean,
): SubspaceProblem {
  const m = b * p;
  const [A, Y] = [E.matrix(m, m), E.matrix(m, p)];
  const L = linear ? E.matrix(m, p) : undefined;
  const Z = Array.from({ length: b }, () => E.matrix(p, p));
  // without L there is a closed form, and even without LAPACK its eigenvalue problem costs less than steps
  const solve = L ? byExpen(E, A, C, L, p) : byEigenvalues(E, A, C, p);
  return {
    Z,
    setBlock(i, j, S) {
      if (i === j) E.symmetrize(S);
      const a = A.data;
      const s = S.data;
      for (let r = 0; r < p; r++) {
        for (let c = 0; c < p; c++) {
          a[(i * p + r) * m + j * p + c] = s[r * p + c]!;
          a[(j * p + c) * m + i * p + r] = s[r * p + c]!;
        }
      }
    },
    setLinear(i, S) {
      L!.data.set(S.data, i * p * p);
    },
    minimise(drop, length) {
      solve(Y, drop, length);
      for (let i = 0; i < b; i++) Z[i]!.data.set(Y.data.subarray(i * p * p, (i + 1) * p * p));
    },
  };
}

/** Solves into its first argument. */
type SubspaceSolver = (Z: Matrix, drop: number, length: number) => void;

/**
 * The closed form of Brockett's problem: A = VΛVᵀ, C = UΓUᵀ, Z = Σ_j v_{σ(j)}·u_jᵀ, where the positive γ, descending, are paired with the
 * smallest λ and the negative γ, ascending, with the largest λ. Signs are chosen so that Z stays near [I, 0, 0].
 */
function byEigenvalues(E: Engine, A: Matrix, C: Matrix | undefined, p: number): SubspaceSolver {
  const m = A.rows;
  const eigen = eigenSolver(E, m);
  const [V, chosen] = [E.matrix(m, m), E.matrix(m, p)];
  const lambda = new Float64Array(m);
  const identity = E.matrix(p, p);
  E.addDiagonal(identity, 1);
  const { values: gamma, vectors: U } = C ? eigh(E, C) : { values: new Float64Array(p).fill(1), vectors: identity };
  // γ is ascending: the negative ones come first, the most negative with the largest λ
  const partner = Int32Array.from(gamma, (value, j) => (value < 0 ? m - 1 - j : p - 1 - j));
  return (Z) => {
    eigen(V, lambda, A);
    const v = V.data;
    const z = chosen.data;
    const u = U.data;
    for (let j = 0; j < p; j++) {
      const k = partner[j]!;
      let overlap = 0;
      for (let i = 0; i < p; i++) overlap += v[i * m + k]! * u[i * p + j]!;
      const sign = overlap < 0 ? -1 : 1;
      for (let i = 0; i < m; i++) z[i * p + j] = sign * v[i * m + k]!;
    }
    E.mulT(Z, chosen, U);
  };
}

/** ExPen itself, from Z = [I, 0, 0]; the answer is made feasible. */
function byExpen(E: Engine, A: Matrix, C: Matrix | undefined, L: Matrix, p: number): SubspaceSolver {
  const m = A.rows;
  const Z0 = E.matrix(m, p);
  for (let i = 0; i < p; i++) Z0.data[i * p + i] = 1;
  const f = quadraticObjective(E, m, p, { apply: (Y, Z) => E.apply(Y, A, Z), ...(C && { C }), L });
  const project = polar(E, m, p);
  const run = stagedExpen(E, f, () => lbfgs(E, m, p, { stepCap: Math.sqrt(p) }));
  return (Z, drop, length) => {
    const steps = run(Z0);
    const state = steps.next().value as State;
    const first = state.gnorm;
    // one state for all steps
    while (state.gnorm > drop * first && state.k < length) if (steps.next().done) break;
    project(Z, state.X);
  };
}
