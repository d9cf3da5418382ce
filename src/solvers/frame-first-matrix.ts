import { chain } from "../engines/elementwise/chain.js";
import { eigenSolver } from "../linalg/eigh.js";
import type { Engine, Small, Tall } from "../types.js";
import type { Tangent } from "./frame.js";
import { columnCurvatures, entryCurvatures } from "./frame-curvatures.js";
import type { FramePair } from "./frame-memory.js";
import { multiplierModel } from "./frame-multiplier.js";

/** It learns from each of the first pairs, then from every third one: as few evaluations, and less algebra. */
const LEARNS = { first: 30, period: 3 };
/** Of these, the basis follows S in the first ones, where S changes much, and every so often later; so does the model. */
const BASIS = { first: 4, period: 5 };
const MODEL = { first: 6, period: 3 };
const due = (k: number, { first, period }: typeof BASIS): boolean => k < first || k % period === 0;

export interface FrameFirstMatrix {
  learned(): boolean;
  /** R ← H₀·Q */
  apply(R: Tangent, Q: Tangent): void;
  /** From a pair with ⟨s, y⟩ > 0 that ends at a point with multiplier S. */
  learn(S: Small, pair: Omit<FramePair, "gg" | "free">): void;
  /** Back to the identity. */
  forget(): void;
}

/**
 * The first matrix of the updates, diagonal in the eigenbasis U of the multiplier S = sym(Xᵀ∇f), learned from the pairs s = (Z_s, Ω_s),
 * y = (Z_y, Ω_y) alone:
 *
 *     Z ↦ γ·Z·U·Diag(1/d)·Uᵀ,     Ω ↦ γ·U·(UᵀΩU ⊘ h)·Uᵀ.
 *
 * d_j is the curvature of column j of Z·U, h_ij that of entry ij of UᵀΩU (frame-curvatures.ts), with the multiplier's model σ − τ·s_j
 * (frame-multiplier.ts) where little is known. γ makes ⟨y, H₀y⟩ = ⟨s, y⟩.
 *
 * Adding c/2·‖X‖² to f, scaling f, and rotating X from the left or the right together with f all leave the steps as they are.
 */
export function frameFirstMatrix(E: Engine, p: number): FrameFirstMatrix {
  const [U, A, C, T, inverse, shrink] = Array.from({ length: 6 }, () => E.small(p, p)) as SixMatrices;
  /** numbers of small matrices */
  const [u, v, entriesS, entriesY] = Array.from({ length: 4 }, () => new Float64Array(p * p)) as FourLists;
  const eigen = eigenSolver(E, p);
  const w = new Float64Array(p);
  const [a, b, e, prior] = Array.from({ length: 4 }, () => new Float64Array(p)) as FourLists;
  const columns = columnCurvatures(p);
  const entries = entryCurvatures(p);
  const model = multiplierModel(p);
  let known = false;
  /** pairs seen, and those of them that were learned from */
  let [steps, fits] = [0, 0];
  return { learned: () => known, apply, learn, forget };

  function apply(R: Tangent, Q: Tangent): void {
    if (!known) {
      if (R.Z) E.copy(R.Z, Q.Z!);
      E.copy(R.O, Q.O);
      return;
    }
    if (R.Z) E.mul(R.Z, Q.Z!, inverse);
    turn(T, Q.O);
    E.map([A], product, [T, shrink]);
    // U·A·Uᵀ
    E.mul(C, U, A);
    E.mulT(R.O, C, U);
  }

  function learn(S: Small, { t, D, y, sy }: FramePair): void {
    if (!due(steps++, LEARNS)) return;
    if (due(fits, BASIS)) basis(S);
    entriesOf(entriesS, D.O);
    entriesOf(entriesY, y.O);
    // where n = p there is no Z: the columns of Ω stand for it
    const [part, change] = D.Z && y.Z ? [D.Z, y.Z] : [D.O, y.O];
    columnSquares(a, part, t * t);
    columnSquares(b, change, 1);
    const yy = (D.Z ? sum(b) : 0) + entries.meet(entriesS, t, entriesY);
    if (due(fits, MODEL)) {
      diagonalOf(w, S);
      E.tmul(A, part, change, t);
      diagonalOf(e, A);
      if (sum(e) > 1e-3 * Math.sqrt(sum(a) * sum(b))) model.fit(prior, a, b, e, w, yy);
      else if (!known) prior.fill(yy / sy);
    }
    fits++;
    const d = D.Z ? columns.learn(a, b, yy, prior) : prior;
    const h = entries.learn(d, yy);

    let yHy = entries.quotients();
    if (D.Z) for (let j = 0; j < p; j++) yHy += b[j]! / d[j]!;
    const gamma = sy / yHy;
    for (let k = 0; k < h.length; k++) v[k] = gamma * h[k]!;
    E.write(shrink, v);
    known = true;
    if (!D.Z) return;
    for (let j = 0; j < p; j++) e[j] = gamma / d[j]!;
    for (let i = 0, k = 0; i < p; i++) for (let j = 0; j < p; j++, k++) v[k] = u[k]! * e[j]!;
    E.write(T, v);
    E.mulT(inverse, T, U);
  }

  function forget(): void {
    known = false;
    [steps, fits] = [0, 0];
    columns.clear();
    entries.clear();
    model.clear();
  }

  /** S = U·Diag(w)·Uᵀ */
  function basis(S: Small): void {
    eigen(U, w, S);
    E.read(U, u);
  }

  /** c ← UᵀOU */
  function entriesOf(c: Float64Array, O: Small): void {
    turn(A, O);
    E.read(A, c);
  }

  /** r_j ← factor·‖column j of ZU‖² */
  function columnSquares(r: Float64Array, Z: Tall | Small, factor: number): void {
    E.gram(A, Z);
    diagonalOf(r, A);
    for (let j = 0; j < p; j++) r[j]! *= factor;
  }

  /** Y ← UᵀOU */
  function turn(Y: Small, O: Small): void {
    E.mul(C, O, U);
    E.tmul(Y, U, C);
  }

  /** r_j ← (UᵀMU)_jj */
  function diagonalOf(r: Float64Array, M: Small): void {
    E.mul(T, M, U);
    E.read(T, v);
    r.fill(0);
    for (let i = 0, k = 0; i < p; i++) for (let j = 0; j < p; j++, k++) r[j]! += u[k]! * v[k]!;
  }
}

/** X∘Y, entry by entry */
const product = chain(2, ({ mul }, x, y) => ({ outputs: [mul(x, y)] }));

type SixMatrices = [Small, Small, Small, Small, Small, Small];
type FourLists = [Float64Array, Float64Array, Float64Array, Float64Array];

function sum(a: Float64Array): number {
  let total = 0;
  for (let k = 0; k < a.length; k++) total += a[k]!;
  return total;
}
