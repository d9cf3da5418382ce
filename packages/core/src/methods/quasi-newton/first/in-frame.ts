import type { Engine, Small } from "@expen/linalg";
import type { Tangent } from "../tangent.js";
import type { Basis } from "./basis.js";
import type { Rotation } from "./coupling.js";
import { curvatures, PRIOR } from "./curvatures.js";
import { multiplierModel, sum } from "./multiplier.js";
import type { PairProducts } from "./pair-products.js";
import { rotationCurvatures } from "./rotation-curvatures.js";

/** Fits in which the basis follows S: the first ones, in which S changes much, and every fifth */
const BASIS = { first: 4, period: 5 };
/** Fits in which the model of the multiplier is computed anew, likewise */
const MODEL = { first: 6, period: 3 };
export const due = (k: number, { first, period }: typeof BASIS): boolean => k < first || k % period === 0;

/** A curvature pair as a part of a product sees it: the step s = t·D and the change y of its gradient */
export interface LearnedPair {
  readonly t: number;
  readonly D: Tangent;
  readonly y: Tangent;
  /** ⟨s, y⟩ of this part */
  readonly sy: number;
  /** divides the squares of the pair before they are added to those of others; left out: ‖y‖² */
  readonly unit?: number;
}

/** A first matrix up to a factor γ, which `scale` sets */
export interface FrameShape {
  /** R ← H₀·Q. `withRotation`: the Ω of R is written too */
  apply(R: Tangent, Q: Tangent, withRotation?: boolean): void;
  /** Requests the products of `learn`, so that they travel with others. */
  prepare(pair: Pick<LearnedPair, "D" | "y">): void;
  /** From a pair that ends at the point of the last multiplier; returns ⟨y, H₀y⟩ with γ = 1 */
  learn(pair: LearnedPair): number;
  /** γ, to be called after `learn` */
  scale(gamma: number): void;
  /** Back to the identity. */
  forget(): void;
  /** its Ω, for the coupling with other parts of a product; absent where it has none */
  readonly rotation?: Rotation;
}

/** A first matrix that is diagonal in a basis of the columns */
export interface ShapeInBasis extends FrameShape {
  /**
   * log ⟨s, H₀⁻¹s⟩⟨y, H₀y⟩ of the last pair, with H₀ before it was learned from: 2·log ⟨s, y⟩ where H₀y is a multiple of s, else more;
   * NaN of the first pair
   */
  readonly misfit: number;
  readonly rotation: Rotation;
}

/**
 * The first matrix of the updates, diagonal in a basis U of the columns, learned from the pairs s = (Z_s, Ω_s), y = (Z_y, Ω_y) alone:
 *
 *     Z ↦ γ·Z·U·Diag(1/d)·Uᵀ,     Ω ↦ γ·U·(UᵀΩU ⊘ h)·Uᵀ.
 *
 * d_j is the curvature of column j of Z·U, h_ij that of entry ij of UᵀΩU (curvatures.ts), with the multiplier's model σ − τ·s_j,
 * s = diag UᵀSU (multiplier.ts), as prior. γ makes ⟨y, H₀y⟩ = ⟨s, y⟩. Of complex matrices ᵀ is ᴴ, and the numbers that are read
 * and written are those of Re and then those of Im.
 *
 * Adding c/2·‖X‖² to f, scaling f, and rotating X from the left together with f all leave the steps as they are; with the eigenbasis of S
 * rotating X from the right does too.
 */
export function shapeInBasis(E: Engine, p: number, S: Small, basis: Basis, products: PairProducts): ShapeInBasis {
  const [inverse, shrink] = [E.small(p, p), E.small(p, p)];
  const { size } = basis;
  /** numbers of small matrices */
  const [v, entriesS, entriesY] = [new Float64Array(size), new Float64Array(size), new Float64Array(size)];
  const [w, e, prior] = [new Float64Array(p), new Float64Array(p), new Float64Array(p)];
  const columns = curvatures(p, PRIOR.columns);
  const { ss: a, yy: b } = columns;
  const complex = size > p * p;
  const entries = rotationCurvatures(p, complex);
  const model = multiplierModel(p);
  let isScaled = false;
  let fits = 0;
  let misfit = Number.NaN;
  /** 1/d of the last fit, absent without a Z; is there an Ω? */
  let inverseOfZ: Float64Array | undefined;
  let hasRotation = false;
  const rotation: Rotation = {
    p,
    complex,
    D: entriesS,
    y: entriesY,
    inverse: () => entries.inverse,
    quotients: entries.yHy,
    toBasis: (numbers, O) => basis.toBasis(numbers, O!),
    fromBasis: (O, numbers) => basis.fromBasis(O!, numbers),
  };
  return {
    apply,
    prepare,
    learn,
    scale,
    forget,
    rotation,
    get misfit() {
      return misfit;
    },
  };

  function apply(R: Tangent, Q: Tangent, withRotation = true): void {
    if (!isScaled) {
      if (R.Z) E.copy(R.Z, Q.Z!);
      if (R.O) E.copy(R.O, Q.O!);
      return;
    }
    if (R.Z) E.mul(R.Z, Q.Z!, inverse);
    if (withRotation && R.O) basis.weigh(R.O, Q.O!, shrink);
  }

  function prepare(pair: Pick<LearnedPair, "D" | "y">): void {
    if (pair.D.Z) products.prepare(pair, due(fits, MODEL));
  }

  function learn({ t, D, y, sy, unit }: LearnedPair): number {
    if (due(fits, BASIS)) basis.follow(fits === 0);
    if (D.O) {
      basis.toBasis(entriesS, D.O);
      basis.toBasis(entriesY, y.O!);
    }
    if (D.Z) {
      prepare({ D, y });
      basis.diagonalOf(a, products.DD, t * t);
      basis.diagonalOf(b, products.yy);
    }
    const own = (D.Z ? sum(b) : 0) + (D.O ? entries.setPair(entriesS, t, entriesY) : 0);
    const yy = unit ?? own;
    const sHs = (inverseOfZ ? columns.sHs() : 0) + (hasRotation ? entries.sHs() : 0);
    misfit = fits > 0 ? Math.log(sHs * yHy()) : Number.NaN;
    if (due(fits, MODEL)) {
      basis.diagonalOf(w, S);
      if (D.Z) {
        basis.diagonalOf(e, products.Dy, t);
      } else {
        // n = p: the columns of Ω take the place of those of Z
        columnSums(a, entriesS, entriesS, t * t);
        columnSums(b, entriesY, entriesY, 1);
        columnSums(e, entriesS, entriesY, t);
      }
      if (sum(e) > 1e-3 * Math.sqrt(sum(a) * sum(b))) model.fit(prior, a, b, e, w, yy);
      // of Z and Ω together, as one of them may have moved by roundoff alone
      else if (!isScaled) prior.fill(sy > 0 ? own / sy : Math.sqrt(own / squaresOf(D, t)));
    }
    fits++;
    inverseOfZ = D.Z && columns.learn(prior, yy);
    hasRotation = D.O !== undefined;
    if (hasRotation) entries.learn(inverseOfZ?.map((r) => 1 / r) ?? prior, yy);
    return yHy();
  }

  /** ‖s‖² of the pair, whose moments are written */
  function squaresOf({ Z, O }: Tangent, t: number): number {
    let squares = 0;
    if (O) for (let k = 0; k < size; k++) squares += (t * entriesS[k]!) ** 2;
    return Z ? squares + sum(a) : squares;
  }

  /** ⟨y, H₀y⟩ of the pair */
  function yHy(): number {
    return (inverseOfZ ? columns.yHy() : 0) + (hasRotation ? entries.yHy() : 0);
  }

  function scale(gamma: number): void {
    isScaled = true;
    if (hasRotation) {
      for (let from = 0; from < size; from += p * p)
        for (let k = 0; k < p * p; k++) v[from + k] = gamma * entries.inverse[k]!;
      E.write(shrink, v);
    }
    if (!inverseOfZ) return;
    for (let j = 0; j < p; j++) e[j] = gamma * inverseOfZ[j]!;
    basis.withDiagonal(inverse, e);
  }

  function forget(): void {
    isScaled = false;
    fits = 0;
    inverseOfZ = undefined;
    hasRotation = false;
    columns.clear();
    entries.clear();
    model.clear();
  }

  /** r_j ← factor·⟨column j of x, that of y⟩ */
  function columnSums(r: Float64Array, x: Float64Array, y: Float64Array, factor: number): void {
    r.fill(0);
    for (let k = 0; k < size; ) for (let j = 0; j < p; j++, k++) r[j]! += x[k]! * y[k]!;
    for (let j = 0; j < p; j++) r[j]! *= factor;
  }
}
