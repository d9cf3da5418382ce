import type { Engine, Tall } from "@expen/linalg";

/**
 * Y ← the Cayley curve through X along the tangent D at t: with W = (I − ½XXᵀ)DXᵀ − XDᵀ(I − ½XXᵀ) skew,
 *
 *     Y(t) = (I − t/2·W)⁻¹(I + t/2·W)X,   Y(0) = X,   Y'(0) = D,   Y(t)ᵀY(t) = I for all t.
 *
 * W has rank 2p. Elimination of one half of the 2p×2p system of [Wen, Yin, Math. Program. 142, 2013, Lemma 4] gives the p×p form of
 * [Jiang, Dai, Math. Program. 153, 2015]
 *
 *     Y(t) = (2X + t·Z)·J⁻¹ − X,   J = I − t/2·A + t²/4·ZᵀZ,   A = XᵀD (skew),   Z = D − X·A,
 *
 * so the curves of the two papers are the same, and only a p×p system is solved.
 */
export function cayley(E: Engine, n: number, p: number): (Y: Tall, X: Tall, t: number, D: Tall) => void {
  const [A, J, ZZ, R, I] = [E.small(p, p), E.small(p, p), E.small(p, p), E.small(p, p), E.small(p, p)];
  const Z = E.tall(n, p);
  E.addDiagonal(I, 1);
  return (Y, X, t, D) => {
    E.tmul(R, X, D);
    // A ← skew(XᵀD); the symmetric part of XᵀD is rounding error
    E.copy(A, R);
    E.symmetrize(R);
    E.combine(A, -1, R, 1, A);
    E.copy(Z, D);
    E.mul(Z, X, A, -1, 1);
    E.gram(ZZ, Z);
    E.combine(J, -t / 2, A, (t * t) / 4, ZZ);
    E.addDiagonal(J, 1);
    E.factor.solve(R, J, I);
    E.combine(Z, 2, X, t, Z);
    E.copy(Y, X);
    E.mul(Y, Z, R, 1, -1);
  };
}
