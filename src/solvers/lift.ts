import { expm } from "../linalg/expm.js";
import { linearSolver } from "../linalg/solve.js";
import type { Engine, Matrix, Objective } from "../types.js";

/** F = f∘R as a function on a vector space of moves from the base X_b; X and G = ∇f(X) belong to the last one. */
export interface Lift extends Objective {
  readonly X: Matrix;
  readonly G: Matrix;
  /** ‖move‖/‖X − X_b‖ of small moves */
  readonly length: number;
  /** X_b ← X */
  rebase(X: Matrix): void;
}

/**
 * The Cayley map of the skew n×n matrices that move X_b, Ω = (I − ½X_bX_bᵀ)D·X_bᵀ − X_b·Dᵀ(I − ½X_bX_bᵀ), with D in ℝⁿˣᵖ for the variable:
 * R(D) = (I − Ω/2)⁻¹(I + Ω/2)X_b is the Cayley curve (geometry/cayley.ts),
 *
 *     R(D) = N·J⁻¹ − X_b,   N = 2X_b + Z,   J = I − ½A + ¼ZᵀZ,   A = skew(X_bᵀD),   Z = D − X_b·X_bᵀD.
 *
 * Differentiated backwards, with T = J⁻ᵀ(NᵀG)J⁻ᵀ and Q = G·J⁻ᵀ − ¼Z(T + Tᵀ) the derivatives of f by J (negative) and by Z,
 *
 *     ∇F(D) = Q − X_b·X_bᵀQ + ½X_b·skew(T).
 *
 * F does not depend on the symmetric part of X_bᵀD, and ∇F has none.
 */
export function cayleyLift(E: Engine, f: Objective, X0: Matrix): Lift {
  const { n, p } = f;
  const [Xb, X, G, Z, N] = [E.from(X0), E.matrix(n, p), E.matrix(n, p), E.matrix(n, p), E.matrix(n, p)];
  const [A, B, J, Jinv, T] = [E.matrix(p, p), E.matrix(p, p), E.matrix(p, p), E.matrix(p, p), E.matrix(p, p)];
  const I = E.matrix(p, p);
  E.addDiagonal(I, 1);
  const solve = linearSolver(E, p, p);

  const move = (D: Matrix): void => {
    E.tmul(A, Xb, D);
    E.copy(Z, D);
    E.mul(Z, Xb, A, -1, 1);
    E.copy(B, A);
    E.symmetrize(B);
    E.gram(J, Z);
    E.axpby(J, -0.5, A, 0.25);
    E.axpby(J, 0.5, B, 1);
    E.addDiagonal(J, 1);
    solve(Jinv, J, I);
    E.combine(N, 2, Xb, 1, Z);
    E.copy(X, Xb);
    E.mul(X, N, Jinv, 1, -1);
  };
  return {
    n,
    p,
    X,
    G,
    length: 1,
    rebase: (Y) => E.copy(Xb, Y),
    f(D) {
      move(D);
      return f.f(X);
    },
    fg(H, D) {
      move(D);
      const value = f.fg(G, X);
      if (!Number.isFinite(value + E.dot(G, G))) return Number.NaN;
      E.mulT(H, G, Jinv);
      // T = J⁻ᵀ·(NᵀGJ⁻ᵀ)
      E.tmul(B, N, H);
      E.tmul(T, Jinv, B);
      E.copy(B, T);
      E.symmetrize(B);
      E.mul(H, Z, B, -0.5, 1);
      // A = X_bᵀQ − ½skew(T)
      E.tmul(A, Xb, H);
      E.axpby(A, -0.5, T, 1);
      E.axpby(A, 0.5, B, 1);
      E.mul(H, Xb, A, -1, 1);
      return value;
    },
  };
}

/**
 * X(Ω) = exp(Ω)·X_b for skew n×n matrices Ω. The gradient is skew(L(Ωᵀ, G·X_bᵀ)), L the Fréchet derivative of exp,
 * which is the upper right block of exp([Ωᵀ  G·X_bᵀ; 0  Ωᵀ]) [Al-Mohy, Higham 2009].
 */
export function exponentialLift(E: Engine, f: Objective, X0: Matrix): Lift {
  const { n, p } = f;
  const [Xb, X, G] = [E.from(X0), E.matrix(n, p), E.matrix(n, p)];
  const [R, C, expC] = [E.matrix(n, n), E.matrix(2 * n, 2 * n), E.matrix(2 * n, 2 * n)];
  const small = expm(E, n);
  const large = expm(E, 2 * n);

  const move = (Omega: Matrix): void => {
    small(R, Omega);
    E.mul(X, R, Xb);
  };
  return {
    n,
    p: n,
    X,
    G,
    // an entry of X moves as one entry of Ω does, which stands there twice
    length: Math.SQRT2,
    rebase: (Y) => E.copy(Xb, Y),
    f(Omega) {
      move(Omega);
      return f.f(X);
    },
    fg(H, Omega) {
      move(Omega);
      const value = f.fg(G, X);
      if (!Number.isFinite(value + E.dot(G, G))) return Number.NaN;
      E.mulT(R, G, Xb);
      const [c, o, m] = [C.data, Omega.data, R.data];
      c.fill(0);
      for (let i = 0; i < n; i++) {
        for (let j = 0; j < n; j++) {
          c[i * 2 * n + j] = c[(n + i) * 2 * n + n + j] = o[j * n + i]!;
          c[i * 2 * n + n + j] = m[i * n + j]!;
        }
      }
      large(expC, C);
      const [e, h] = [expC.data, H.data];
      for (let i = 0; i < n; i++) {
        for (let j = 0; j < n; j++) h[i * n + j] = 0.5 * (e[i * 2 * n + n + j]! - e[j * 2 * n + n + i]!);
      }
      return value;
    },
  };
}
