import type { Objective } from "@expen/core";
import type { Engine, Small, Tall } from "@expen/linalg";
import { alone, smallAlone } from "@expen/linalg/engine";
import { expm } from "./expm.js";

/** F = f∘R as a function on a vector space of moves from the base X_b; X and G = ∇f(X) belong to the last one. */
export interface Lift extends Objective {
  /** the engine of the moves */
  readonly engine: Engine;
  readonly X: Tall;
  readonly G: Tall;
  /** ‖move‖/‖X − X_b‖ of small moves */
  readonly length: number;
  /** X_b ← X */
  rebase(X: Tall): void;
}

/**
 * The Cayley map of the skew n×n matrices that move X_b, Ω = (I − ½X_bX_bᵀ)D·X_bᵀ − X_b·Dᵀ(I − ½X_bX_bᵀ), with D in ℝⁿˣᵖ for the variable:
 * R(D) = (I − Ω/2)⁻¹(I + Ω/2)X_b is the Cayley curve (constraints/stiefel/cayley.ts),
 *
 *     R(D) = N·J⁻¹ − X_b,   N = 2X_b + Z,   J = I − ½A + ¼ZᵀZ,   A = skew(X_bᵀD),   Z = D − X_b·X_bᵀD.
 *
 * Differentiated backwards, with T = J⁻ᵀ(NᵀG)J⁻ᵀ and Q = G·J⁻ᵀ − ¼Z(T + Tᵀ) the derivatives of f by J (negative) and by Z,
 *
 *     ∇F(D) = Q − X_b·X_bᵀQ + ½X_b·skew(T).
 *
 * F does not depend on the symmetric part of X_bᵀD, and ∇F has none.
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
 * X(Ω) = exp(Ω)·X_b for skew n×n matrices Ω. The gradient is skew(L(Ωᵀ, G·X_bᵀ)), L the Fréchet derivative of exp,
 * which is the upper right block of exp([Ωᵀ  G·X_bᵀ; 0  Ωᵀ]) [Al-Mohy, Higham 2009].
 * The n×n matrices are small ones, the same in every process; X and G cross to them and back.
 */
export function exponentialLift(E: Engine, f: Objective, X0: Tall): Lift {
  const { n, p } = f;
  const [X, G] = [E.tall(n, p), E.tall(n, p)];
  const [Xb, Xs, Gs, R] = [E.small(n, p), E.small(n, p), E.small(n, p), E.small(n, n)];
  const [C, expC] = [E.small(2 * n, 2 * n), E.small(2 * n, 2 * n)];
  const [x, m, o, c] = [n * p, n * n, n * n, 4 * n * n].map((size) => new Float64Array(size)) as FourArrays;
  const small = expm(E, n);
  const large = expm(E, 2 * n);
  /** B ← A, between tall and small */
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
    // an entry of X moves as one entry of Ω does, which stands there twice
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
