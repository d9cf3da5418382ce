/** The parts of an engine: its matrices, raw kernels on them, and a memory */
import type { Chain } from "../contracts/engine.js";
import type { Matrix } from "../contracts/matrix.js";

/** tall: the rows may be distributed over processes; small: every process has all */
export type Kind = "tall" | "small";

/** A matrix with its engine; `at`: its address in the memory of the engine, if that has one */
export interface Owned extends Matrix {
  readonly owner: object;
  readonly at: number;
  readonly kind: Kind;
  /** equal to its transpose and larger than the cache, so that kernels may read one triangle for both */
  symmetric?: boolean;
  /** its data is the array of the caller, not a copy */
  readonly lent?: boolean;
}

/** A sparse matrix in the memory of the engine; two 32-bit pointers or indices take the place of one number. */
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
  /** Y ← a·A·X + b·Y for a sparse A of n rows, p columns of X; default: plain loops, for any memory */
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

/** The memory of matrices; `allocate` returns zeros. */
export interface Memory {
  allocate(rows: number, cols: number, owner: object, kind: Kind): Owned;
  /** An array of the caller as a matrix, without a copy; absent if kernels cannot read JavaScript memory */
  lend?(rows: number, cols: number, owner: object, kind: Kind, numbers: Float64Array): Owned;
  /** whether A has not been freed */
  alive(A: Owned): boolean;
  /** into ← the entries of A */
  read(A: Owned, into: Float64Array): void;
  /** A ← the numbers; a function is called once for each entry, in order */
  write(A: Owned, numbers: ArrayLike<number> | (() => number)): void;
  /** How often the growth of the memory has detached the `data` of all matrices; absent if that never happens */
  emptied?(): number;
  dispose(): void;
}
