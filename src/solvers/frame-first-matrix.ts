import { chain } from "../engines/elementwise/chain.js";
import { eigenSolver } from "../linalg/eigh.js";
import type { Engine, Small } from "../types.js";
import type { Tangent } from "./frame.js";
import { multiplierModel } from "./frame-multiplier.js";

/** What a pair weighs against the one after it. */
const DECAY = 0.8;
/** What the prior weighs against the mean of the moments: of columns of Z, and of entries of Ω, which are met less evenly. */
const [COLUMN_PRIOR, ENTRY_PRIOR] = [0.3, 0.1];
/** No curvature is taken to be below this part of the largest. */
const FLOOR = 0.03;
/** The basis follows S in each of the first steps, where S changes much, and every so often later. */
const [FIRST, PERIOD] = [8, 3];
/** Less than this part of a pair says nothing. */
const NOTHING = 1e-10;

export interface FrameFirstMatrix {
  learned(): boolean;
  /** R ← H₀·Q */
  apply(R: Tangent, Q: Tangent): void;
  /** From the pair (s, y), ⟨s, y⟩ = sy > 0, at a point with multiplier S. */
  learn(S: Small, s: Tangent, y: Tangent, sy: number): void;
  /** Back to the identity. */
  forget(): void;
}

/**
 * The first matrix of the updates, diagonal in the eigenbasis U of the multiplier S = sym(Xᵀ∇f), learned from the pairs s = (Z_s, Ω_s),
 * y = (Z_y, Ω_y) alone:
 *
 *     Z ↦ γ·Z·U·Diag(1/d)·Uᵀ,     Ω ↦ γ·U·(UᵀΩU ⊘ h)·Uᵀ.
 *
 * d_j is the curvature of column j of Z·U, h_ij that of entry ij of UᵀΩU. Each is a ratio of decayed moments, ‖y‖/‖s‖ of its own part
 * of the pairs, with a prior for parts that were hardly met: for d the multiplier's model σ − τ·s_j (frame-multiplier.ts), for h the mean
 * of d_i and d_j times what all of Ω says. γ makes ⟨y, H₀y⟩ = ⟨s, y⟩.
 *
 * Adding c/2·‖X‖² to f, scaling f, and rotating X from the left or the right together with f all leave the steps as they are.
 */
export function frameFirstMatrix(E: Engine, n: number, p: number): FrameFirstMatrix {
  const [U, A, B, C, T, inverse, shrink] = Array.from({ length: 7 }, () => E.small(p, p)) as SevenMatrices;
  /** numbers of small matrices */
  const [u, v, r] = [new Float64Array(p * p), new Float64Array(p * p), new Float64Array(p * p)];
  const eigen = eigenSolver(E, p);
  const w = new Float64Array(p);
  const [a, b, e, d, prior] = Array.from({ length: 5 }, () => new Float64Array(p)) as FiveRows;
  const columns = moments(p);
  const entries = moments(p * p);
  const h = new Float64Array(p * p);
  const model = multiplierModel(p);
  let known = false;
  let gamma = 1;
  let steps = 0;
  return { learned: () => known, apply, learn, forget };

  function apply(R: Tangent, Q: Tangent): void {
    if (!known) {
      E.copy(R.Z, Q.Z);
      E.copy(R.O, Q.O);
      return;
    }
    E.mul(R.Z, Q.Z, inverse);
    turn(T, Q.O);
    E.map([A], product, [T, shrink]);
    turnBack(R.O, A);
  }

  function learn(S: Small, s: Tangent, y: Tangent, sy: number): void {
    if (steps < FIRST || steps % PERIOD === 0) basis(S);
    else diagonalOf(w, S);
    steps++;
    const ss = E.dot(s.Z, s.Z) + E.dot(s.O, s.O);
    const yy = E.dot(y.Z, y.Z) + E.dot(y.O, y.O);
    // where n = p there is no Z: the columns of Ω stand for it
    const [part, change] = n > p ? [s.Z, y.Z] : [s.O, y.O];
    E.gram(A, part);
    E.gram(B, change);
    E.tmul(C, part, change);
    diagonalOf(a, A);
    diagonalOf(b, B);
    diagonalOf(e, C);
    if (sum(e) > 1e-3 * Math.sqrt(sum(a) * sum(b))) model.fit(prior, a, b, e, w, yy);
    else if (!known) prior.fill(yy / sy);
    if (n > p) {
      columns.add(a, b, yy);
      columns.curvature(d, prior, (COLUMN_PRIOR * sum(columns.s)) / p);
      raise(d, FLOOR * largest(d));
    } else d.set(prior);

    turn(A, s.O);
    turn(B, y.O);
    square(E.read(A, v));
    square(E.read(B, r));
    for (let i = 0, k = 0; i < p; i++) for (let j = 0; j < p; j++, k++) h[k] = (d[i]! + d[j]!) / 2;
    entries.add(v, r, yy);
    const top = largest(h);
    const met = sum(entries.s);
    if (met > (NOTHING * ss) / yy) {
      const pooled = Math.sqrt(quotients(entries.y, h) / products(entries.s, h));
      const factor = Math.min(Math.max(pooled, FLOOR), 1 / FLOOR);
      for (let k = 0; k < h.length; k++) h[k]! *= factor;
    }
    entries.curvature(h, h, (ENTRY_PRIOR * met) / (p * Math.max(1, p - 1)));
    raise(h, FLOOR * top);

    gamma = sy / ((n > p ? quotients(b, d) : 0) + quotients(r, h));
    for (let i = 0, k = 0; i < p; i++) for (let j = 0; j < p; j++, k++) v[k] = (u[k]! * gamma) / d[j]!;
    E.write(T, v);
    for (let k = 0; k < h.length; k++) v[k] = gamma / h[k]!;
    E.write(shrink, v);
    E.mulT(inverse, T, U);
    known = true;
  }

  function forget(): void {
    known = false;
    steps = 0;
    columns.clear();
    entries.clear();
    model.clear();
  }

  /** S = U·Diag(w)·Uᵀ */
  function basis(S: Small): void {
    eigen(U, w, S);
    E.read(U, u);
  }

  /** Y ← UᵀOU */
  function turn(Y: Small, O: Small): void {
    E.mul(C, O, U);
    E.tmul(Y, U, C);
  }

  /** Y ← U·O·Uᵀ */
  function turnBack(Y: Small, O: Small): void {
    E.mul(C, U, O);
    E.mulT(Y, C, U);
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

type SevenMatrices = [Small, Small, Small, Small, Small, Small, Small];
type FiveRows = [Float64Array, Float64Array, Float64Array, Float64Array, Float64Array];

/** Decayed sums of squares of parts of s and of y, each pair divided by ‖y‖². */
function moments(count: number) {
  const [s, y] = [new Float64Array(count), new Float64Array(count)];
  return {
    s,
    y,
    add(a: Float64Array, b: Float64Array, yy: number): void {
      for (let k = 0; k < count; k++) {
        s[k] = DECAY * s[k]! + a[k]! / yy;
        y[k] = DECAY * y[k]! + b[k]! / yy;
      }
    },
    /** c_k ← √((y_k + κ·prior_k²)/(s_k + κ)) */
    curvature(c: Float64Array, prior: Float64Array, kappa: number): void {
      for (let k = 0; k < count; k++) {
        const weight = kappa + Number.MIN_VALUE;
        c[k] = Math.sqrt((y[k]! + weight * prior[k]! ** 2) / (s[k]! + weight));
      }
    },
    clear(): void {
      s.fill(0);
      y.fill(0);
    },
  };
}

/** a_k ← a_k² */
function square(a: Float64Array): void {
  for (let k = 0; k < a.length; k++) a[k]! *= a[k]!;
}

function sum(a: Float64Array): number {
  let total = 0;
  for (let k = 0; k < a.length; k++) total += a[k]!;
  return total;
}

/** Σ a_k·b_k */
function products(a: Float64Array, b: Float64Array): number {
  let total = 0;
  for (let k = 0; k < a.length; k++) total += a[k]! * b[k]!;
  return total;
}

/** Σ a_k/b_k */
function quotients(a: Float64Array, b: Float64Array): number {
  let total = 0;
  for (let k = 0; k < a.length; k++) total += a[k]! / b[k]!;
  return total;
}

function largest(a: Float64Array): number {
  let top = Number.NEGATIVE_INFINITY;
  for (let k = 0; k < a.length; k++) top = Math.max(top, a[k]!);
  return top;
}

/** No entry stays below `least`. */
function raise(a: Float64Array, least: number): void {
  for (let k = 0; k < a.length; k++) a[k] = Math.max(a[k]!, least);
}
