import type { Engine, Small } from "@expen/linalg";
import { entrywiseProduct } from "@expen/linalg/engine";
import type { Tangent } from "../frame.js";
import type { Rotation } from "./coupling.js";
import { columnCurvatures, entryCurvatures } from "./curvatures.js";
import { deviation, multiplierModel, sum } from "./multiplier.js";
import { pairProducts } from "./pair-products.js";

/** Fits in which the eigenbasis of S is computed anew: the first ones, in which S changes much, and every fifth */
const BASIS = { first: 4, period: 5 };
/** Fits in which the model of the multiplier is computed anew, likewise */
const MODEL = { first: 6, period: 3 };
/** ‖offdiag UᵀSU‖ up to which U stays the eigenbasis of S, against the deviation of the diagonal times √p */
const DIAGONAL = 0.03;
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

/**
 * The first matrix of the updates, diagonal in the eigenbasis U of the multiplier S = sym(Xᵀ∇f), learned from the pairs s = (Z_s, Ω_s),
 * y = (Z_y, Ω_y) alone:
 *
 *     Z ↦ γ·Z·U·Diag(1/d)·Uᵀ,     Ω ↦ γ·U·(UᵀΩU ⊘ h)·Uᵀ.
 *
 * d_j is the curvature of column j of Z·U, h_ij that of entry ij of UᵀΩU (curvatures.ts), with the multiplier's model σ − τ·s_j
 * (multiplier.ts) as prior. γ makes ⟨y, H₀y⟩ = ⟨s, y⟩. Of complex matrices ᵀ is ᴴ, and the numbers that are read
 * and written are those of Re and then those of Im.
 *
 * Adding c/2·‖X‖² to f, scaling f, and rotating X from the left or the right together with f all leave the steps as they are.
 */
export function frameFirstMatrix(E: Engine, p: number, S: Small): FrameShape {
  const [U, A, C, T, inverse, shrink] = Array.from({ length: 6 }, () => E.small(p, p)) as SixMatrices;
  const size = E.read(U).length;
  /** numbers of small matrices */
  const [u, v, entriesS, entriesY] = Array.from({ length: 4 }, () => new Float64Array(size)) as FourLists;
  const products = pairProducts(E, p, A);
  const w = new Float64Array(p);
  const [a, b, e, prior] = Array.from({ length: 4 }, () => new Float64Array(p)) as FourLists;
  const columns = columnCurvatures(p);
  const entries = entryCurvatures(p, size > p * p);
  const model = multiplierModel(p);
  let isScaled = false;
  let fits = 0;
  /** 1/h and d of the last fit; absent without an Ω or a Z */
  let h: Float64Array | undefined;
  let d: Float64Array | undefined;
  const rotation: Rotation = {
    p,
    complex: size > p * p,
    D: entriesS,
    y: entriesY,
    inverse: () => h!,
    quotients: entries.quotients,
    toEigenbasis: (numbers, O) => entriesOf(numbers, O!),
    fromEigenbasis(O, numbers) {
      E.write(A, numbers);
      rotateBack(O!, A);
    },
  };
  return { apply, prepare, learn, scale, forget, rotation };

  function apply(R: Tangent, Q: Tangent, withRotation = true): void {
    if (!isScaled) {
      if (R.Z) E.copy(R.Z, Q.Z!);
      if (R.O) E.copy(R.O, Q.O!);
      return;
    }
    if (R.Z) E.mul(R.Z, Q.Z!, inverse);
    if (!withRotation || !R.O) return;
    rotate(T, Q.O!);
    E.map([A], entrywiseProduct, [T, shrink]);
    rotateBack(R.O, A);
  }

  function prepare(pair: Pick<LearnedPair, "D" | "y">): void {
    if (pair.D.Z) products.prepare(pair, due(fits, MODEL));
  }

  function learn({ t, D, y, sy, unit }: LearnedPair): number {
    const anew = due(fits, BASIS);
    if (anew) updateBasis();
    if (D.O) {
      entriesOf(entriesS, D.O);
      entriesOf(entriesY, y.O!);
    }
    if (D.Z) {
      diagonalOf(a, products.DD(D), t * t);
      diagonalOf(b, products.yy(y), 1);
    }
    const own = (D.Z ? sum(b) : 0) + (D.O ? entries.setPair(entriesS, t, entriesY) : 0);
    const yy = unit ?? own;
    if (due(fits, MODEL)) {
      if (!anew) diagonalOf(w, S);
      if (D.Z) {
        diagonalOf(e, products.Dy(D, y), t);
      } else {
        // n = p: the columns of Ω take the place of those of Z
        columnSums(a, entriesS, entriesS, t * t);
        columnSums(b, entriesY, entriesY, 1);
        columnSums(e, entriesS, entriesY, t);
      }
      if (sum(e) > 1e-3 * Math.sqrt(sum(a) * sum(b))) model.fit(prior, a, b, e, w, yy);
      else if (!isScaled) prior.fill(sy > 0 ? own / sy : Math.sqrt(sum(b) / sum(a)));
    }
    fits++;
    products.forget();
    d = D.Z && columns.learn(a, b, yy, prior);
    h = D.O && entries.learn(d ?? prior, yy);
    let yHy = h ? entries.quotients() : 0;
    if (d) for (let j = 0; j < p; j++) yHy += b[j]! / d[j]!;
    return yHy;
  }

  function scale(gamma: number): void {
    isScaled = true;
    if (h) {
      for (let from = 0; from < size; from += p * p) for (let k = 0; k < p * p; k++) v[from + k] = gamma * h[k]!;
      E.write(shrink, v);
    }
    if (!d) return;
    for (let j = 0; j < p; j++) e[j] = gamma / d[j]!;
    for (let k = 0; k < size; ) for (let j = 0; j < p; j++, k++) v[k] = u[k]! * e[j]!;
    E.write(T, v);
    E.mulT(inverse, T, U);
  }

  function forget(): void {
    isScaled = false;
    fits = 0;
    columns.clear();
    entries.clear();
    model.clear();
  }

  /** S = U·Diag(w)·Uᵀ; each column has the sign, or phase, with which it is nearest to that of the U before */
  function updateBasis(): void {
    if (fits > 0 && isStillDiagonal()) return;
    v.set(u);
    E.factor.eigh(U, w, S);
    E.read(U, u);
    if (fits === 0) return;
    alignColumns(u, v, p);
    E.write(U, u);
  }

  /** Is UᵀSU of the U before nearly diagonal, against the spread of its eigenvalues? Then w ← its diagonal. */
  function isStillDiagonal(): boolean {
    entriesOf(v, S);
    let squares = 0;
    for (let k = 0; k < size; k++) squares += v[k]! ** 2;
    for (let j = 0; j < p; j++) {
      w[j] = v[j * (p + 1)]!;
      squares -= w[j]! ** 2;
    }
    return squares <= DIAGONAL ** 2 * p * deviation(w) ** 2;
  }

  /** c ← UᵀOU */
  function entriesOf(c: Float64Array, O: Small): void {
    rotate(A, O);
    E.read(A, c);
  }

  /** Y ← UᵀOU */
  function rotate(Y: Small, O: Small): void {
    E.mul(C, O, U);
    E.tmul(Y, U, C);
  }

  /** O ← U·Y·Uᵀ */
  function rotateBack(O: Small, Y: Small): void {
    E.mul(C, U, Y);
    E.mulT(O, C, U);
  }

  /** r_j ← factor·Re (UᵀMU)_jj */
  function diagonalOf(r: Float64Array, M: Small, factor = 1): void {
    E.mul(T, M, U);
    E.read(T, v);
    columnSums(r, u, v, factor);
  }

  /** r_j ← factor·⟨column j of x, that of y⟩ */
  function columnSums(r: Float64Array, x: Float64Array, y: Float64Array, factor: number): void {
    r.fill(0);
    for (let k = 0; k < size; ) for (let j = 0; j < p; j++, k++) r[j]! += x[k]! * y[k]!;
    for (let j = 0; j < p; j++) r[j]! *= factor;
  }
}

/** Each column of U, complex where there are twice p² numbers, is multiplied by a number of modulus 1 such that ⟨old_j, u_j⟩ ≥ 0. */
function alignColumns(u: Float64Array, old: Float64Array, p: number): void {
  const square = p * p;
  const complex = u.length > square;
  for (let j = 0; j < p; j++) {
    let re = 0;
    let im = 0;
    for (let k = j; k < square; k += p) {
      re += old[k]! * u[k]!;
      if (!complex) continue;
      re += old[square + k]! * u[square + k]!;
      im += old[k]! * u[square + k]! - old[square + k]! * u[k]!;
    }
    const size = Math.sqrt(re * re + im * im);
    if (!(size > 0)) continue;
    for (let k = j; k < square; k += p) {
      const x = u[k]!;
      const y = complex ? u[square + k]! : 0;
      u[k] = (re * x + im * y) / size;
      if (complex) u[square + k] = (re * y - im * x) / size;
    }
  }
}

type SixMatrices = [Small, Small, Small, Small, Small, Small];
type FourLists = [Float64Array, Float64Array, Float64Array, Float64Array];
