import { polar } from "../linalg/polar.js";
import { orthonormalizer } from "../linalg/qr.js";
import { EPS } from "../linalg/scale.js";
import { rightDivider } from "../linalg/triangular.js";
import type { Engine, Evaluations, Matrix, Objective, QuadraticForm, Solver } from "../types.js";
import { lbfgs } from "./lbfgs.js";
import { stagedExpen } from "./staged-expen.js";
import { advance, newState, notFinite, roundingFloor } from "./state.js";

export interface SubspaceOptions {
  /** the inner problem is solved to this part of its first gradient, */
  drop?: number;
  /** or for so many steps */
  length?: number;
  evaluations?: Evaluations;
}

/** Steps after which BX is computed afresh. */
const REFRESH = 25;

/**
 * For f(X) = ½⟨X, BXC⟩ + ⟨L, X⟩ with an expensive B: one product with B a step. Let W = [X, Q, P] be an orthonormal basis of the current
 * point, the part of the gradient normal to X, and the last move. Over X = WZ, ZᵀZ = I, the problem is again of this form,
 *
 *     min ½⟨Z, (WᵀBW)·Z·C⟩ + ⟨WᵀL, Z⟩,   Z ∈ ℝ³ᵖˣᵖ,
 *
 * and is minimised by ExPen itself, from Z = [I, 0, 0], so that f never increases. BX, BP follow by linearity; only BQ is new. It is the
 * idea of LOBPCG (Knyazev 2001) for any such f. Pays where 3p is well below n. Holds 10 n×p matrices and small ones.
 */
export function* subspaceExpen(
  E: Engine,
  f: Objective & { quadratic: QuadraticForm },
  X0: Matrix,
  { drop = 0.05, length = 30, evaluations }: SubspaceOptions = {},
): Solver {
  const { n, p, quadratic } = f;
  const { C, L, constant = 0 } = quadratic;
  const tall = (): Matrix => E.matrix(n, p);
  const small = (): Matrix => E.matrix(p, p);
  const orthonormalize = orthonormalizer(E, n, p);
  const divide = rightDivider(E, p);
  const project = polar(E, n, p);
  let [X, BX, Xnew, BXnew] = [E.from(X0), tall(), tall(), tall()];
  const [Q, BQ, P, BP, G, W] = [tall(), tall(), tall(), tall(), tall(), tall()];
  const [S, T, R] = [small(), small(), small()];
  const inner = { 2: innerProblem(E, 2, p, C, L !== undefined), 3: innerProblem(E, 3, p, C, L !== undefined) };

  quadratic.apply(BX, X);
  let value = gradient();
  const state = newState({ X, f: value, evaluations: evaluations ?? { f: 0, grad: 0, hvp: 0 } }, riemannian());
  yield state;
  if (!Number.isFinite(value + state.gnorm)) return notFinite("f or its gradient is not finite at the start");

  let moved = false;
  let [flat, best] = [0, Number.POSITIVE_INFINITY];
  for (;;) {
    if (state.k % REFRESH === 0 && state.k > 0) refresh();
    // Q ← basis of the gradient off X
    E.copy(Q, G);
    off(Q, X);
    orthonormalize(W, Q);
    while (off(W, X) > 1e-13) {
      E.copy(Q, W);
      orthonormalize(W, Q);
    }
    E.copy(Q, W);
    quadratic.apply(BQ, Q);
    const blocks = moved ? 3 : 2;
    if (moved) basisOfMove();
    const problem = inner[blocks];
    const basis = blocks === 3 ? [X, Q, P] : [X, Q];
    const images = blocks === 3 ? [BX, BQ, BP] : [BX, BQ];
    for (let i = 0; i < blocks; i++) {
      for (let j = i; j < blocks; j++) {
        E.tmul(S, basis[i]!, images[j]!);
        problem.setBlock(i, j, S);
      }
      if (L) {
        E.tmul(S, basis[i]!, L);
        problem.setLinear(i, S);
      }
    }
    problem.minimise(drop, length);
    // P ← Q·Z₂ + P·Z₃, X ← X·Z₁ + P, and the same for the images
    move(Xnew, basis, problem.Z);
    move(BXnew, images, problem.Z);
    [X, Xnew] = [Xnew, X];
    [BX, BXnew] = [BXnew, BX];
    // what was moved off the old X: the next P
    E.copy(P, W);
    E.copy(BP, G);
    moved = true;
    const before = value;
    value = gradient();
    const gnorm = riemannian();
    if (!Number.isFinite(value + gnorm)) return notFinite("f or its gradient is not finite");
    advance(state, { X, f: value }, gnorm, Math.sqrt(E.dot(P, P)));
    yield state;
    flat = Math.abs(before - value) <= 4 * EPS * Math.abs(value) && gnorm > 0.5 * best ? flat + 1 : 0;
    best = Math.min(best, gnorm);
    if (flat >= 10) return roundingFloor(gnorm);
  }

  /** G ← BX·C + L; returns f */
  function gradient(): number {
    if (C) E.mul(G, BX, C);
    else E.copy(G, BX);
    const quadraticPart = 0.5 * E.dot(X, G);
    if (!L) return quadraticPart + constant;
    E.axpby(G, 1, L, 1);
    return quadraticPart + E.dot(L, X) + constant;
  }

  /** ‖G − X·sym(XᵀG)‖ */
  function riemannian(): number {
    E.tmul(S, X, G);
    E.symmetrize(S);
    E.copy(W, G);
    E.mul(W, X, S, -1, 1);
    return Math.sqrt(E.dot(W, W));
  }

  /** A ← A − Y·(YᵀA), and the image with it; returns ‖YᵀA‖ */
  function off(A: Matrix, Y: Matrix, image?: Matrix, BY?: Matrix): number {
    E.tmul(T, Y, A);
    E.mul(A, Y, T, -1, 1);
    if (image) E.mul(image, BY!, T, -1, 1);
    return Math.sqrt(E.dot(T, T));
  }

  /**
   * P ← orthonormal basis of the last move off [X, Q], BP along with it by linearity. Where a column nearly vanishes in that, linearity
   * would magnify rounding (the weak point of LOBPCG): then BP is computed afresh.
   */
  function basisOfMove(): void {
    E.gram(S, P);
    for (let pass = 0; pass < 2; pass++) {
      off(P, X, BP, BX);
      off(P, Q, BP, BQ);
    }
    let trusted = orthonormalize(W, P, R) === p && remains(R, S) > 1e-3;
    if (trusted) divide(G, BP, R);
    for (let pass = 0; pass < 3; pass++) {
      const overlap = Math.hypot(off(W, X), off(W, Q));
      if (overlap <= 1e-13) break;
      trusted &&= overlap <= 1e-11;
      E.copy(P, W);
      orthonormalize(W, P);
    }
    E.copy(P, W);
    if (trusted) E.copy(BP, G);
    else quadratic.apply(BP, P);
  }

  /** Takes out what rounding has summed up in X and BX. */
  function refresh(): void {
    project(W, X);
    E.copy(X, W);
    quadratic.apply(BX, X);
    gradient();
  }

  /** dest ← Σ basis_i·Z_i; the part off the first block stays in W (basis) or G (images) */
  function move(dest: Matrix, basis: Matrix[], Z: Matrix[]): void {
    const rest = dest === Xnew ? W : G;
    E.mul(rest, basis[1]!, Z[1]!);
    if (basis[2]) E.mul(rest, basis[2], Z[2]!, 1, 1);
    E.copy(dest, rest);
    E.mul(dest, basis[0]!, Z[0]!, 1, 1);
  }
}

/** The least part of a column's length that orthogonalisation has left: min R_jj/√S_jj, S the Gram matrix before it. */
function remains(R: Matrix, S: Matrix): number {
  let least = 1;
  for (let j = 0; j < R.rows; j++) {
    const at = j * (R.rows + 1);
    least = Math.min(least, R.data[at]! / Math.sqrt(S.data[at]!));
  }
  return least;
}

/** The problem over Z ∈ ℝ^{bp×p} and its solver, made once for a number b of blocks. */
function innerProblem(E: Engine, b: number, p: number, C: Matrix | undefined, linear: boolean) {
  const m = b * p;
  const [A, AZ, Z0, zero] = [E.matrix(m, m), E.matrix(m, p), E.matrix(m, p), E.matrix(m, p)];
  const ell = linear ? E.matrix(m, p) : undefined;
  const Z = Array.from({ length: b }, () => E.matrix(p, p));
  for (let i = 0; i < p; i++) Z0.data[i * p + i] = 1;
  const fg = (G: Matrix, Y: Matrix): number => {
    let value: number;
    if (C) {
      E.mul(AZ, A, Y);
      E.mul(G, AZ, C);
    } else E.mul(G, A, Y);
    value = 0.5 * E.dot(Y, G);
    if (ell) {
      E.axpby(G, 1, ell, 1);
      value += E.dot(ell, Y);
    }
    return value;
  };
  const f: Objective = { n: m, p, fg, f: (Y) => fg(zero, Y) };
  const project = polar(E, m, p);
  const run = stagedExpen(E, f, () => lbfgs(E, m, p, { stepCap: Math.sqrt(p) }));
  return {
    Z,
    /** A[i, j] ← S and A[j, i] ← Sᵀ, block by block; symmetric on the diagonal */
    setBlock(i: number, j: number, S: Matrix): void {
      if (i === j) E.symmetrize(S);
      const [a, s] = [A.data, S.data];
      for (let r = 0; r < p; r++) {
        for (let c = 0; c < p; c++) {
          a[(i * p + r) * m + j * p + c] = s[r * p + c]!;
          a[(j * p + c) * m + i * p + r] = s[r * p + c]!;
        }
      }
    },
    setLinear(i: number, S: Matrix): void {
      ell!.data.set(S.data, i * p * p);
    },
    /** Z ← the minimiser, to the given part of the first gradient or after so many steps, made feasible */
    minimise(drop: number, length: number): void {
      let first = 0;
      let last = Z0;
      for (const s of run(Z0)) {
        if (s.k === 0) first = s.gnorm;
        last = s.X;
        if (s.gnorm <= drop * first || s.k >= length) break;
      }
      project(AZ, last);
      for (let i = 0; i < b; i++) Z[i]!.data.set(AZ.data.subarray(i * p * p, (i + 1) * p * p));
    },
  };
}
