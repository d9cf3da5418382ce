import type { State } from "@expen/core";
import { quadraticObjective } from "@expen/core";
import { stagedExpen } from "@expen/core/expen";
import { lbfgs } from "@expen/core/methods";
import type { Engine, Small } from "@expen/linalg";
import { polar } from "@expen/linalg/dense";
import { alone, smallAlone, tallAlone } from "@expen/linalg/engine";
import { pairing } from "../krylov/pairing.js";

/** min ½⟨Z, A·Z·C⟩ + ⟨L, Z⟩ over Z ∈ ℝ^{bp×p} with ZᵀZ = I, assembled block by block; C = I by default. */
export interface SubspaceProblem {
  /** the minimiser, as b blocks of p×p */
  readonly Z: Small[];
  /** A[i, j] ← S and A[j, i] ← Sᵀ, blocks of p×p */
  setBlock(i: number, j: number, S: Small): void;
  setLinear(i: number, S: Small): void;
  /** Z ← the minimiser: exact, or iterated to `drop` of the first gradient or for `length` steps */
  minimise(drop: number, length: number): void;
}

export function subspaceProblem(
  E: Engine,
  b: number,
  p: number,
  C: Small | undefined,
  linear: boolean,
): SubspaceProblem {
  const m = b * p;
  const [A, Y] = [E.small(m, m), E.small(m, p)];
  const L = linear ? E.small(m, p) : undefined;
  const Z = Array.from({ length: b }, () => E.small(p, p));
  /** the entries of A, of Y and of a block */
  const [a, y, s] = [new Float64Array(m * m), new Float64Array(m * p), new Float64Array(p * p)];
  const l = new Float64Array(linear ? m * p : 0);
  // without L the minimiser has a closed form, which is cheaper than steps even without LAPACK
  const solve = L ? byExpen(E, A, C, L, p) : byEigenvalues(E, A, C, p);
  return {
    Z,
    setBlock(i, j, S) {
      if (i === j) E.symmetrize(S);
      E.read(S, s);
      for (let r = 0; r < p; r++) {
        for (let c = 0; c < p; c++) {
          a[(i * p + r) * m + j * p + c] = s[r * p + c]!;
          a[(j * p + c) * m + i * p + r] = s[r * p + c]!;
        }
      }
    },
    setLinear(i, S) {
      l.set(E.read(S, s), i * p * p);
    },
    minimise(drop, length) {
      E.write(A, a);
      if (L) E.write(L, l);
      solve(Y, drop, length);
      E.read(Y, y);
      for (let i = 0; i < b; i++) E.write(Z[i]!, y.subarray(i * p * p, (i + 1) * p * p));
    },
  };
}

/** Z ← the minimiser */
export type SubspaceSolver = (Z: Small, drop: number, length: number) => void;

/** The closed form of min ½⟨Z, AZC⟩ (krylov/pairing.ts), with the signs nearest to [I, 0, 0] */
function byEigenvalues(E: Engine, A: Small, C: Small | undefined, p: number): SubspaceSolver {
  const m = A.rows;
  const [V, coefficients] = [E.small(m, m), E.small(m, p)];
  const [v, z] = [new Float64Array(m * m), new Float64Array(m * p)];
  const lambda = new Float64Array(m);
  const { U, place } = pairing(E, p, C);
  const u = U ? E.read(U) : identityOnTop(p, p);
  return (Z) => {
    E.factor.eigh(V, lambda, A);
    E.read(V, v);
    for (let j = 0; j < p; j++) {
      const k = place(j, m);
      let overlap = 0;
      for (let i = 0; i < p; i++) overlap += v[i * m + k]! * u[i * p + j]!;
      const sign = overlap < 0 ? -1 : 1;
      for (let i = 0; i < m; i++) z[i * p + j] = sign * v[i * m + k]!;
    }
    E.write(coefficients, z);
    if (U) E.mulT(Z, coefficients, U);
    else E.copy(Z, coefficients);
  };
}

/** ExPen, from Z = [I, 0, 0], on small matrices; the result is projected to ZᵀZ = I. */
function byExpen(E: Engine, A: Small, C: Small | undefined, L: Small, p: number): SubspaceSolver {
  const m = A.rows;
  const small = alone(E);
  const Z0 = E.small(m, p, identityOnTop(m, p));
  const f = quadraticObjective(small, m, p, {
    apply: (Y, Z) => E.mul(smallAlone(Y), A, smallAlone(Z)),
    C,
    L: tallAlone(L),
  });
  const project = polar(small, m, p);
  const run = stagedExpen(small, f, () => lbfgs(small, m, p, { stepCap: Math.sqrt(p) }));
  return (Z, drop, length) => {
    const steps = run(tallAlone(Z0));
    const state = steps.next().value as State;
    const first = state.gnorm;
    // the solver updates one state in place
    while (state.gnorm > drop * first && state.k < length) if (steps.next().done) break;
    project(tallAlone(Z), state.X);
  };
}

/** [I, 0, 0], by rows */
function identityOnTop(m: number, p: number): Float64Array {
  const numbers = new Float64Array(m * p);
  for (let i = 0; i < p; i++) numbers[i * (p + 1)] = 1;
  return numbers;
}
