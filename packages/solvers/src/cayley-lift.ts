import type { Objective } from "@expen/core";
import type { Engine, Small, Tall } from "@expen/linalg";
import { alone, smallAlone } from "@expen/linalg/engine";
import { expm } from "./expm.js";

/** F = f∘R on a vector space of moves from the base X_b. */
export interface Lift extends Objective {
  /** the engine of the moves */
  readonly engine: Engine;
  /** R(move) of the last evaluation */
  readonly X: Tall;
  /** ∇f(X) of the last call of `fg` */
  readonly G: Tall;
  /** ‖move‖/‖X − X_b‖ as the move tends to 0 */
  readonly length: number;
  /** X_b ← X */
  rebase(X: Tall): void;
}

/**
 * The Cayley map on the skew n×n matrices Ω = (I − ½X_bX_bᵀ)D·X_bᵀ − X_b·Dᵀ(I − ½X_bX_bᵀ), with D in ℝⁿˣᵖ as the variable. These are the Ω
 * that move X_b. R(D) = (I − Ω/2)⁻¹(I + Ω/2)X_b is the Cayley curve of curves/cayley.ts at t = 1,
 *
 *     R(D) = N·J⁻¹ − X_b,   N = 2X_b + Z,   J = I − ½A + ¼ZᵀZ,   A = skew(X_bᵀD),   Z = D − X_b·X_bᵀD.
 *
 * Reverse differentiation, with T = J⁻ᵀ(NᵀG)J⁻ᵀ = −∂f/∂J and Q = G·J⁻ᵀ − ¼Z(T + Tᵀ) = ∂f/∂Z, gives
 *
 *     ∇F(D) = Q − X_b·X_bᵀQ + ½X_b·skew(T).
 *
 * F does not depend on the symmetric part of X_bᵀD, and the symmetric part of X_bᵀ∇F is 0.
 */
export function cayleyLift(E: Engine, f: Objective, X0: Tall): Lift {
  const { n, p } = f;
  const [Xb, X, G, Z, N] = [E.tall(n, p), E.tall(n, p), E.tall(n, p), E.tall(n, p), E.tall(n, p)];
  E.copy(Xb, X0);
  const [A, B, J, Jinv, T] = [E.small(p, p), E.small(p, p), E.small(p, p), E.small(p, p), E.small(p, p)];
  const I = E.small(p, p);
  E.addDiagonal(I, 1);

  const move = (D: Tall): void => {
    E.tmul(A, Xb, D);
    E.copy(Z, D);
    E.mul(Z, Xb, A, -1, 1);
    E.copy(B, A);
    E.symmetrize(B);
    E.gram(J, Z);
    E.combine(J, -0.5, A, 0.25, J);
    E.combine(J, 0.5, B, 1, J);
    E.addDiagonal(J, 1);
    E.factor.solve(Jinv, J, I);
    E.combine(N, 2, Xb, 1, Z);
    E.copy(X, Xb);
    E.mul(X, N, Jinv, 1, -1);
  };
  return {
    engine: E,
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
      E.combine(A, -0.5, T, 1, A);
      E.combine(A, 0.5, B, 1, A);
      E.mul(H, Xb, A, -1, 1);
      return value;
    },
  };
}

/**
 * X(Ω) = exp(Ω)·X_b for skew n×n matrices Ω. The gradient is skew(L(Ωᵀ, G·X_bᵀ)), where L, the Fréchet derivative of exp, is the upper
 * right block of exp([Ωᵀ  G·X_bᵀ; 0  Ωᵀ]) [Al-Mohy, Higham, SIAM J. Matrix Anal. Appl. 30, 2009].
 * The n×n matrices are small matrices, replicated in every process; X and G are copied between the two kinds.
 */
export function exponentialLift(E: Engine, f: Objective, X0: Tall): Lift {
  const { n, p } = f;
  const [X, G] = [E.tall(n, p), E.tall(n, p)];
  const [Xb, Xs, Gs, R] = [E.small(n, p), E.small(n, p), E.small(n, p), E.small(n, n)];
  const [C, expC] = [E.small(2 * n, 2 * n), E.small(2 * n, 2 * n)];
  const [x, m, o, c] = [n * p, n * n, n * n, 4 * n * n].map((size) => new Float64Array(size)) as FourArrays;
  const small = expm(E, n);
  const large = expm(E, 2 * n);
  /** B ← A, of which one is tall and the other small */
  const cross = (B: Tall | Small, A: Tall | Small): void => E.write(B, E.read(A, x));
  cross(Xb, X0);

  const move = (Omega: Small): void => {
    small(R, Omega);
    E.mul(Xs, R, Xb);
    cross(X, Xs);
  };
  return {
    engine: alone(E),
    n,
    p: n,
    X,
    G,
    // Ω holds each of its entries twice, so ‖Ω‖ = √2·‖Ω·X_b‖ for Ω that maps span X_b to its complement
    length: Math.SQRT2,
    rebase: (Y) => cross(Xb, Y),
    f(Omega) {
      move(smallAlone(Omega));
      return f.f(X);
    },
    fg(H, Omega) {
      move(smallAlone(Omega));
      const value = f.fg(G, X);
      if (!Number.isFinite(value + E.dot(G, G))) return Number.NaN;
      cross(Gs, G);
      E.mulT(R, Gs, Xb);
      E.read(Omega, o);
      E.read(R, m);
      c.fill(0);
      for (let i = 0; i < n; i++) {
        for (let j = 0; j < n; j++) {
          c[i * 2 * n + j] = c[(n + i) * 2 * n + n + j] = o[j * n + i]!;
          c[i * 2 * n + n + j] = m[i * n + j]!;
        }
      }
      E.write(C, c);
      large(expC, C);
      E.read(expC, c);
      for (let i = 0; i < n; i++) {
        for (let j = 0; j < n; j++) m[i * n + j] = 0.5 * (c[i * 2 * n + n + j]! - c[j * 2 * n + n + i]!);
      }
      E.write(H, m);
      return value;
    },
  };
}

type FourArrays = [Float64Array, Float64Array, Float64Array, Float64Array];
