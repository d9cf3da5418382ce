/** What an engine is made of: matrices, raw kernels on them, and a memory. */
import type { Chain } from "../contracts/engine.js";
import type { Matrix } from "../contracts/matrix.js";

/** Whether rows may lie apart */
export type Kind = "tall" | "small";

/** A matrix that knows its engine. `at` is where its numbers lie in the engine's memory, for engines that have one. */
export interface Owned extends Matrix {
  readonly owner: object;
  readonly at: number;
  readonly kind: Kind;
  /** known to be equal to its transpose and too large for the cache: one triangle may be read for both */
  symmetric?: boolean;
  /** its numbers are the caller's */
  readonly lent?: boolean;
}

/** A sparse matrix in the engine's memory: 32-bit pointers and indices, two in the place of one number */
export interface OwnSparse {
  readonly pointers: Owned;
  readonly indices: Owned;
  readonly values: Owned;
}

/** The unchecked operations. Sizes come first; a ≠ 0 and all sizes ≥ 1 throughout; b = 0 means that the destination is not read. */
export interface Kernels {
  /** C (m×n) ← a·op(A)·op(B) + b·C, inner length k */
  gemm(
    m: number,
    n: number,
    k: number,
    a: number,
    A: Owned,
    tA: boolean,
    B: Owned,
    tB: boolean,
    b: number,
    C: Owned,
  ): void;
  /** S (p×p) ← AᵀA + b·S for a symmetric S, both triangles; A is n×p */
  gram(n: number, p: number, A: Owned, b: number, S: Owned): void;
  /** ⟨X, Y⟩ */
  dot(size: number, X: Owned, Y: Owned): number;
  /** r_i ← ⟨X_i, Y⟩, i < count */
  dots(size: number, count: number, Xs: readonly Owned[], Y: Owned, r: Float64Array): void;
  copy(size: number, X: Owned, Y: Owned): void;
  fill(size: number, a: number, Y: Owned): void;
  /** Y ← a·X + b·Y */
  axpby(size: number, a: number, X: Owned, b: number, Y: Owned): void;
  /** Z ← a·X + b·Y */
  combine(size: number, a: number, X: Owned, b: number, Y: Owned, Z: Owned): void;
  /** Z ← Σ c_i·X_i + b·Z, i < count */
  combination(size: number, count: number, c: Float64Array, Xs: readonly Owned[], b: number, Z: Owned): void;
  /** outputs ← chain(inputs); returns the sum */
  map(size: number, chain: Chain, inputs: readonly Owned[], outputs: readonly Owned[]): number;
  symmetrize(p: number, S: Owned): void;
  /** S_ij ← S_ji for j < i */
  mirror(p: number, S: Owned): void;
  addDiagonal(p: number, a: number, S: Owned): void;
  /** Inner products of tall matrices that travel together; left out: each is computed at its request */
  requests?: {
    /** Requests ⟨X_i, Y⟩ of matrices with `size` entries; `take` gets the values at `arrive`, or before. */
    add(size: number, Xs: readonly Owned[], Y: Owned, take: (values: ArrayLike<number>) => void): void;
    arrive(): void;
  };
  rowDots(n: number, p: number, X: Owned, Y: Owned, r: Owned): void;
  /** Y ← a·Diag(r)·X + b·Y */
  scaleRows(n: number, p: number, a: number, r: Owned, X: Owned, b: number, Y: Owned): void;
  /** Y ← a·A·X + b·Y for a sparse A of n rows, p columns of X; left out: plain loops do it, outside of the engine's memory too */
  sparse?(n: number, p: number, a: number, A: OwnSparse, X: Owned, b: number, Y: Owned): void;
  tridiagonal(
    n: number,
    p: number,
    a: number,
    lower: Owned,
    main: Owned,
    upper: Owned,
    X: Owned,
    b: number,
    Y: Owned,
  ): void;
  tridiagonalSolve(n: number, p: number, lower: Owned, pivot: Owned, upper: Owned, X: Owned, Y: Owned): void;
}

/** Where matrices live. `allocate` returns zeros. */
export interface Memory {
  allocate(rows: number, cols: number, owner: object, kind: Kind): Owned;
  /** Numbers of the caller's as a matrix, without a copy; left out where the kernels cannot read them where they lie */
  lend?(rows: number, cols: number, owner: object, kind: Kind, numbers: Float64Array): Owned;
  /** whether the numbers of A are still there */
  alive(A: Owned): boolean;
  /** into ← the numbers of A */
  read(A: Owned, into: Float64Array): void;
  /** A ← the numbers; a function is called for each in turn */
  write(A: Owned, numbers: ArrayLike<number> | (() => number)): void;
  /** How often the `data` of all matrices was emptied because the memory grew; left out where that never happens */
  emptied?(): number;
  dispose(): void;
}
