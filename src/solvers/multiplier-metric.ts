import { cholesky } from "../linalg/cholesky.js";
import { type Blocks, fetcher } from "../linalg/tall.js";
import { trace } from "../linalg/trace.js";
import { invertTriangular } from "../linalg/triangular.js";
import { Cell } from "../scalar.js";
import type { Engine, Matrix, Scalar } from "../types.js";
import type { FirstMatrix } from "./secant-memory.js";

export interface MultiplierMetricOptions {
  /** p×p, nobody's while it learns */
  small?: [Matrix, Matrix, Matrix];
  /** the multiplier is used only where it explains this part, 0 … 1, of what σI alone leaves of the pairs */
  share?: number;
}

/** What a pair weighs against the one after it */
const DECAY = 0.5;
/** A smaller part of the multiplier is not worth a product. */
const LEAST = 0.3;
/** σ is kept above τ·λmax(S) by this part of the spread of τ·S. */
const MARGIN = 0.035;

/**
 * The first matrix of a quasi-Newton method from the Lagrangian. The Riemannian Hessian at X with multiplier S = sym(Xᵀ∇f) is
 *
 *     D ↦ P(∇²f[D] − D·S),
 *
 * whose second term is known: p×p numbers that are computed anyway. A number σ stands for what is not known, and the model D(σI − τS) is
 * fitted to the pairs met so far, y ≈ σs − τsS by least squares. Where ∇²f acts from the left alone (eigenvalue problems, noeig, PCA) τ is
 * near 1 and the spread of the multiplier no longer counts towards the condition; where it does not (Brockett), τ falls to 0 and what is left is
 * the usual γ·I. Then
 *
 *     H₀ = γ·(σI − τS)⁻¹ from the right,   γ = ⟨s, y⟩/⟨y, y(σI − τS)⁻¹⟩.
 *
 * Adding c/2·‖X‖² to f adds c to S and τc to σ, and changes nothing. [Mishra and Sepulchre, SIAM J. Optim. 26, 2016, take metrics from the
 * Lagrangian in this way.] Scratch: of one block of rows for each block, and three p×p matrices.
 */
export class MultiplierMetric implements FirstMatrix {
  gamma = Number.NaN;
  C: Matrix | undefined;
  /** part of the multiplier in use, 0 … 1 */
  tau = Number.NaN;
  private readonly inverse: Matrix;
  private readonly A: Matrix;
  private readonly R: Matrix;
  private readonly YY: Matrix;
  private readonly share: number;
  private readonly fetch: (A: Matrix) => void;
  /** normal equations of the fit: ⟨s, s⟩, −⟨s, sS⟩, ⟨sS, sS⟩ and ⟨s, y⟩, −⟨sS, y⟩, ⟨y, y⟩, each pair divided by ⟨y, y⟩ */
  private readonly sums = new Float64Array(6);
  /** ⟨D, DS⟩, ⟨DS, DS⟩, ⟨gNew, DS⟩, ⟨g, DS⟩ */
  private readonly products = new Float64Array(4);
  private readonly part = new Float64Array(4);
  private readonly list: Matrix[] = [];
  // of σI − τS
  private readonly sigma = new Cell();
  private readonly minusTau = new Cell();

  constructor(
    private readonly E: Engine,
    private readonly p: number,
    private readonly scratch: readonly Matrix[],
    { small = [E.matrix(p, p), E.matrix(p, p), E.matrix(p, p)], share = 0 }: MultiplierMetricOptions = {},
  ) {
    [this.A, this.R, this.YY] = small;
    this.share = share;
    this.fetch = fetcher(E, scratch);
    this.inverse = E.matrix(p, p);
    this.forget();
  }

  /** Fits to the pair s = t·D, y = gNew − g with ⟨D, D⟩ = dd, ⟨D, y⟩ = dy at a point with multiplier S. */
  learn(
    S: Matrix,
    { value: t }: Scalar,
    D: Blocks,
    { value: dd }: Scalar,
    { value: dy }: Scalar,
    g: Blocks,
    gNew: Blocks,
  ): void {
    const { E, YY, scratch, products, part, list, sums, fetch } = this;
    products.fill(0);
    for (let b = 0; b < scratch.length; b++) {
      const W = scratch[b]!;
      E.combine(W, 1, gNew.blocks[b]!, -1, g.blocks[b]!);
      E.gram(YY, W, b === 0 ? 0 : 1);
      const Db = D.blocks[b]!;
      fetch(Db);
      E.mul(W, Db, S);
      list[0] = Db;
      list[1] = W;
      list[2] = gNew.blocks[b]!;
      list[3] = g.blocks[b]!;
      E.dots(part, list, 4, W);
      for (let i = 0; i < 4; i++) products[i]! += part[i]!;
    }
    const yy = trace(YY);
    const ds = products[0]!;
    for (let i = 0; i < 6; i++) sums[i]! *= DECAY;
    sums[0]! += (t * t * dd) / yy;
    sums[1]! -= (t * t * ds) / yy;
    sums[2]! += (t * t * products[1]!) / yy;
    sums[3]! += (t * dy) / yy;
    sums[4]! -= (t * (products[2]! - products[3]!)) / yy;
    sums[5]! += 1;

    this.weigh();
    this.gamma = (t * dy) / yy;
    this.C = undefined;
    if (this.tau === 0) return;
    this.sigma.value = (dy / t + this.tau * ds) / dd;
    if (this.invert(S)) {
      this.C = this.inverse;
      this.gamma = (t * dy) / E.inner(YY, this.inverse).value;
    }
  }

  /** Back to the identity. */
  forget(): void {
    this.gamma = 1;
    this.C = undefined;
    this.tau = 0;
    this.sums.fill(0);
  }

  /** τ ← that of the least-squares fit, cut to [0, 1], and 0 where it is small or explains too little */
  private weigh(): void {
    const { sums } = this;
    this.tau = 0;
    const ss = sums[0]!;
    const sy = sums[3]!;
    const determinant = ss * sums[2]! - sums[1]! * sums[1]!;
    if (!(determinant > 1e-12 * ss * sums[2]!)) return;
    const tau = (ss * sums[4]! - sums[1]! * sy) / determinant;
    // the squares of what is left with σ alone, and of what τ takes away from it
    const left = sums[5]! - (sy * sy) / ss;
    const explained = (tau * tau * determinant) / ss;
    if (tau >= LEAST && explained >= this.share * left) this.tau = Math.min(1, tau);
  }

  /** The inverse of σI − τS, σ raised until the matrix is positive definite with a margin; false where S has no finite spread */
  private invert(S: Matrix): boolean {
    const { E, p, tau, sigma } = this;
    this.minusTau.value = -tau;
    const mean = trace(S) / p;
    const spread = Math.sqrt(Math.max(0, E.inner(S, S).value / p - mean * mean));
    const margin = MARGIN * tau * spread;
    sigma.value -= margin;
    for (let raise = margin; !this.definite(S); raise *= 2) {
      if (!(raise > 0 && raise < 100 * spread)) return false;
      sigma.value += raise;
    }
    sigma.value += margin;
    if (!this.definite(S)) return false;
    invertTriangular(E, this.A, this.R);
    E.mulT(this.inverse, this.A, this.A);
    return true;
  }

  /** R ← the Cholesky factor of σI − τS; false where there is none */
  private definite(S: Matrix): boolean {
    const { E, A, R, minusTau, sigma } = this;
    E.fill(A, 0);
    E.addDiagonal(A, 1);
    E.axpby(A, minusTau, S, sigma);
    return cholesky(E, R, A);
  }
}
