import type { Engine, Small } from "@expen/linalg";
import { entrywiseProduct } from "@expen/linalg/engine";
import { deviation } from "./multiplier.js";

/** ‖offdiag UᵀSU‖ up to which U stays the eigenbasis of S, against the deviation of the diagonal times √p */
const DIAGONAL = 0.03;

/**
 * A basis U of the columns, in which a first matrix is diagonal. Of complex matrices ᵀ is ᴴ, and numbers are those of Re and then those
 * of Im.
 */
export interface Basis {
  /** numbers of a small matrix */
  readonly size: number;
  /** U follows the multiplier S; `isFirst`: whatever it was before */
  follow(isFirst: boolean): void;
  /** r_j ← factor·Re (UᵀMU)_jj */
  diagonalOf(r: Float64Array, M: Small, factor?: number): void;
  /** numbers ← UᵀOU, and back */
  toBasis(numbers: Float64Array, O: Small): void;
  fromBasis(O: Small, numbers: Float64Array): void;
  /** R ← U·(UᵀOU ∘ W)·Uᵀ */
  weigh(R: Small, O: Small, W: Small): void;
  /** M ← U·Diag(e)·Uᵀ */
  withDiagonal(M: Small, e: Float64Array): void;
}

/** The columns of X as they are, U = I: near to what is diagonal where f is a sum over columns */
export function columnsAsBasis(E: Engine, p: number): Basis {
  const I = E.small(p, p);
  const size = E.read(I).length;
  const numbers = new Float64Array(size);
  return {
    size,
    follow() {},
    diagonalOf(r, M, factor = 1) {
      E.read(M, numbers);
      for (let j = 0; j < p; j++) r[j] = factor * numbers[j * (p + 1)]!;
    },
    toBasis: (c, O) => void E.read(O, c),
    fromBasis: (O, c) => E.write(O, c),
    weigh: (R, O, W) => void E.map([R], entrywiseProduct, [O, W]),
    withDiagonal(M, e) {
      numbers.fill(0);
      for (let j = 0; j < p; j++) numbers[j * (p + 1)] = e[j]!;
      E.write(M, numbers);
    },
  };
}

/** The eigenvectors of the multiplier S: the basis that belongs to an f with f(XQ) = f(X) for rotations Q */
export function eigenbasis(E: Engine, p: number, S: Small): Basis {
  const [U, A, C, T] = [E.small(p, p), E.small(p, p), E.small(p, p), E.small(p, p)];
  const size = E.read(U).length;
  const [u, v, w] = [new Float64Array(size), new Float64Array(size), new Float64Array(p)];
  return { size, follow, diagonalOf, toBasis, fromBasis, weigh, withDiagonal };

  /** S = U·Diag(w)·Uᵀ; each column has the sign, or phase, with which it is nearest to that of the U before (coupling.ts) */
  function follow(isFirst: boolean): void {
    if (!isFirst && isStillDiagonal()) return;
    v.set(u);
    E.factor.eigh(U, w, S);
    E.read(U, u);
    if (isFirst) return;
    alignColumns(u, v, p);
    E.write(U, u);
  }

  /** Is UᵀSU of the U before nearly diagonal, against the spread of its eigenvalues? */
  function isStillDiagonal(): boolean {
    toBasis(v, S);
    let squares = 0;
    for (let k = 0; k < size; k++) squares += v[k]! ** 2;
    for (let j = 0; j < p; j++) {
      w[j] = v[j * (p + 1)]!;
      squares -= w[j]! ** 2;
    }
    return squares <= DIAGONAL ** 2 * p * deviation(w) ** 2;
  }

  function diagonalOf(r: Float64Array, M: Small, factor = 1): void {
    E.mul(T, M, U);
    E.read(T, v);
    r.fill(0);
    for (let k = 0; k < size; ) for (let j = 0; j < p; j++, k++) r[j]! += u[k]! * v[k]!;
    for (let j = 0; j < p; j++) r[j]! *= factor;
  }

  function toBasis(c: Float64Array, O: Small): void {
    rotate(A, O);
    E.read(A, c);
  }

  function fromBasis(O: Small, c: Float64Array): void {
    E.write(A, c);
    rotateBack(O, A);
  }

  function weigh(R: Small, O: Small, W: Small): void {
    rotate(T, O);
    E.map([A], entrywiseProduct, [T, W]);
    rotateBack(R, A);
  }

  function withDiagonal(M: Small, e: Float64Array): void {
    for (let k = 0; k < size; ) for (let j = 0; j < p; j++, k++) v[k] = u[k]! * e[j]!;
    E.write(T, v);
    E.mulT(M, T, U);
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
