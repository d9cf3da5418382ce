import { expm } from "../linalg/expm.js";
import { linearSolver } from "../linalg/solve.js";
import type { Engine, Matrix, Objective } from "../types.js";

/** F(Ω) = f(R(Ω)·X_b) as a function of skew n×n matrices; X and G = ∇f(X) belong to the last Ω. */
export interface Lift extends Objective {
  readonly X: Matrix;
  readonly G: Matrix;
  /** X_b ← X */
  rebase(X: Matrix): void;
}

/**
 * R(Ω) = (I − Ω/2)⁻¹(I + Ω/2). With Z = (I + Ω/2)⁻¹G
 *
 *     ∇F(Ω) = skew(½·Z·(X_b + X)ᵀ) = ¼(Z(X_b + X)ᵀ − (X_b + X)Zᵀ):
 *
 * two n×n systems with p right-hand sides, and no n×n product.
 */
export function cayleyLift(E: Engine, f: Objective, X0: Matrix): Lift {
  const { n, p } = f;
  const [Xb, X, G, Z] = [E.from(X0), E.matrix(n, p), E.matrix(n, p), E.matrix(n, p)];
  const T = E.matrix(n, n);
  const solve = linearSolver(E, n, p);

  /** T ← I + s·Ω */
  const affine = (Omega: Matrix, s: number): void => {
    E.axpby(T, s, Omega, 0);
    E.addDiagonal(T, 1);
  };
  const move = (Omega: Matrix): void => {
    affine(Omega, 0.5);
    E.mul(Z, T, Xb);
    affine(Omega, -0.5);
    solve(X, T, Z);
  };
  return {
    n,
    p: n,
    X,
    G,
    rebase: (Y) => E.copy(Xb, Y),
    f(Omega) {
      move(Omega);
      return f.f(X);
    },
    fg(H, Omega) {
      move(Omega);
      const value = f.fg(G, X);
      if (!Number.isFinite(value + E.dot(G, G))) return Number.NaN;
      affine(Omega, 0.5);
      solve(Z, T, G);
      E.mulT(H, Z, Xb, 0.25);
      E.mulT(H, Z, X, 0.25, 1);
      E.mulT(H, Xb, Z, -0.25, 1);
      E.mulT(H, X, Z, -0.25, 1);
      return value;
    },
  };
}

/**
 * R(Ω) = exp(Ω). The gradient is skew(L(Ωᵀ, G·X_bᵀ)), L the Fréchet derivative of exp, which is the upper right block of
 * exp([Ωᵀ  G·X_bᵀ; 0  Ωᵀ]) [Al-Mohy, Higham 2009].
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
