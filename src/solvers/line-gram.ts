import type { Engine, Matrix, Scalar } from "../types.js";

/**
 * The Gram matrix along a line, X(t)ᵀX(t) = XᵀX + 2t·S + t²·DᵀD for X(t) = X + tD with S = sym(XᵀD). After a step t to X₊ a new D₊ = −G₊ + τ·D has
 *
 *     S₊ = −sym(X₊ᵀG₊) + τ·(S + t·DᵀD),
 *
 * which takes no product of tall matrices where the ray knows sym(X₊ᵀG₊) from p×p ones. X₊ᵀX₊ must then be computed from X₊: if it were carried along
 * too, its error would come back by way of X₊ᵀG₊ and grow like 2.5ᵏ in k steps (noeig 1000×50).
 */
export class LineGram {
  /** sym(XᵀD) */
  readonly S: Matrix;
  readonly DD: Matrix;
  private readonly E: Engine;
  /** of K, S and DᵀD */
  private readonly weights = Float64Array.of(1, 0, 0);
  private readonly terms: Matrix[];
  /** S belongs to the D of the next search */
  private known = false;

  constructor(E: Engine, p: number) {
    this.E = E;
    [this.S, this.DD] = [E.matrix(p, p), E.matrix(p, p)];
    this.terms = [this.S, this.S, this.DD];
  }

  /** A search along D begins. What follows from the last one is used if `exact` says that it is good enough. */
  begin(X: Matrix, D: Matrix, exact: boolean): void {
    const { E, S, DD } = this;
    if (!(this.known && exact)) {
      E.tmul(S, X, D);
      E.symmetrize(S);
    }
    this.known = false;
    E.gram(DD, D);
  }

  /** Kt ← K + 2t·S + t²·DᵀD */
  at(Kt: Matrix, K: Matrix, { value: t }: Scalar): void {
    this.terms[0] = K;
    this.weights[1] = 2 * t;
    this.weights[2] = t * t;
    this.E.combination(Kt, this.weights, this.terms, 3);
  }

  /** X ← X + t·D */
  advance(t: Scalar): void {
    this.E.axpby(this.S, t, this.DD, 1);
  }

  /** D ← −G + τ·D, the D of the last step; XG = sym(XᵀG) */
  turn(XG: Matrix, tau: Scalar): void {
    this.E.axpby(this.S, -1, XG, tau);
    this.known = true;
  }
}
