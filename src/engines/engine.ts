/**
 * An engine is made of raw kernels and a memory. Everything that all engines share stands here, once: ownership, shapes, aliasing,
 * empty matrices, the meaning of a = 0 and b = 0, and the counters. Raw kernels may rely on checked arguments.
 */
import { Cell } from "../scalar.js";
import type { Chain, Engine, Lapack, Matrix, Scalar, Tridiagonal } from "../types.js";

/** A wrong argument or a missing resource, said in one sentence: what, which value, what to do. */
export class EngineError extends Error {
  override name = "EngineError";
}

/** A matrix that knows its engine. `at` is where its numbers lie in the engine's memory, for engines that have one. */
export interface Owned extends Matrix {
  readonly owner: object;
  readonly at: number;
}

/**
 * The numbers of one call: coefficients a and b, and the result. They pass in the fields of one record because V8 overwrites a field in place,
 * while a number that is an argument or a result of a call that is not inlined is an object of 16 bytes (docs/decisions/0006).
 */
export class Scalars extends Cell {
  a = Number.NaN;
  b = Number.NaN;
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
  /** S (p×p) ← AᵀB + b·S for symmetric AᵀB and S, both triangles; A and B, perhaps the same, are n×p */
  gemmt(n: number, p: number, A: Owned, B: Owned, b: number, S: Owned): void;
  /** s.value ← ⟨X, Y⟩ */
  dot(size: number, X: Owned, Y: Owned, s: Scalars): void;
  /** r_i ← ⟨X_i, Y⟩, i < count */
  dots(size: number, count: number, Xs: readonly Owned[], Y: Owned, r: Float64Array): void;
  /** brings X into cache */
  fetch(size: number, X: Owned): void;
  copy(size: number, X: Owned, Y: Owned): void;
  fill(size: number, a: number, Y: Owned): void;
  /** Y ← s.a·X + s.b·Y */
  axpby(size: number, s: Scalars, X: Owned, Y: Owned): void;
  /** Z ← s.a·X + s.b·Y */
  combine(size: number, s: Scalars, X: Owned, Y: Owned, Z: Owned): void;
  /** Z ← Σ c_i·X_i + b·Z, i < count */
  combination(size: number, count: number, c: Float64Array, Xs: readonly Owned[], b: number, Z: Owned): void;
  /** Z ← a·X∘Y + b·Z */
  hadamard(size: number, a: number, X: Owned, Y: Owned, b: number, Z: Owned): void;
  /** outputs ← chain(inputs); returns the sum */
  map(size: number, chain: Chain, inputs: readonly Owned[], outputs: readonly Owned[]): number;
  symmetrize(p: number, S: Owned): void;
  /** S_ij ← S_ji for j < i */
  mirror(p: number, S: Owned): void;
  addDiagonal(p: number, a: number, S: Owned): void;
  rowDots(n: number, p: number, X: Owned, Y: Owned, r: Owned): void;
  /** Y ← a·Diag(r)·X + b·Y */
  scaleRows(n: number, p: number, a: number, r: Owned, X: Owned, b: number, Y: Owned): void;
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
  allocate(rows: number, cols: number, owner: object): Owned;
  /** The numbers of A from number `first` on as a rows×cols matrix, which keeps A alive */
  view(A: Owned, first: number, rows: number, cols: number): Owned;
  dispose(): void;
}

export interface EngineParts {
  name: string;
  description: string;
  memory: Memory;
  kernels: Kernels;
  lapack?: Lapack;
  /** among which the operations are shared */
  threads?: number;
}

/** Half a megabyte: a few of them stay in the caches of a core, and calls are not felt. */
const BLOCK = 2 ** 16;

const shape = (A: Matrix): string => `${A.rows}×${A.cols}`;

export function makeEngine({ name, description, memory, kernels: k, lapack, threads = 1 }: EngineParts): Engine {
  const owner = { name };
  const counters = { matrices: 0, flops: 0 };
  const s = new Scalars();

  /** The argument, known to be a living matrix of this engine. */
  function own(M: Matrix, op: string, letter: string): Owned {
    const A = M as Owned;
    if (A?.owner !== owner) throw foreign(A, op, letter);
    if (A.data.length !== A.rows * A.cols) {
      throw new EngineError(
        `${op}: the buffer of ${letter} (${shape(A)}) is detached; it was transferred or the engine was disposed; make a new matrix.`,
      );
    }
    return A;
  }

  function foreign(A: Partial<Owned> | null | undefined, op: string, letter: string): EngineError {
    if (!A?.data) return new EngineError(`${op}: ${letter} is ${A === null ? "null" : typeof A}; a matrix is needed.`);
    const other = (A.owner as { name?: string } | undefined)?.name;
    const origin = other ? `a matrix of another '${other}' engine` : `a plain ${A.data.constructor?.name} matrix`;
    return new EngineError(`${op}: ${letter} is ${origin}; copy it with from() of this '${name}' engine first.`);
  }

  function same(A: Matrix, rows: number, cols: number, op: string, letter: string, rule: string): void {
    if (A.rows !== rows || A.cols !== cols) {
      throw new EngineError(`${op}: ${letter} is ${shape(A)} but must be ${rows}×${cols} (${rule}).`);
    }
  }

  function apart(Y: Matrix, A: Matrix, op: string, letter: string): void {
    if (Y === A) throw new EngineError(`${op}: the destination is also the input ${letter}; use a second matrix.`);
  }

  /** C ← a·op(A)·op(B) + b·C */
  function product(op: string, C: Matrix, A: Matrix, tA: boolean, B: Matrix, tB: boolean, a: number, b: number): void {
    const c = own(C, op, "the destination");
    const x = own(A, op, "the first factor");
    const y = own(B, op, "the second factor");
    apart(C, A, op, "of the first factor");
    apart(C, B, op, "of the second factor");
    const m = tA ? A.cols : A.rows;
    const inner = tA ? A.rows : A.cols;
    const n = tB ? B.rows : B.cols;
    if ((tB ? B.cols : B.rows) !== inner) {
      throw new EngineError(
        `${op}: inner sizes differ, ${shape(A)}${tA ? "ᵀ" : ""} times ${shape(B)}${tB ? "ᵀ" : ""}; check the order and the transposes.`,
      );
    }
    same(C, m, n, op, "the destination", "rows of the first by columns of the second factor");
    if (m === 0 || n === 0) return;
    if (inner === 0 || a === 0) scale(m * n, b, c);
    else {
      counters.flops += 2 * m * n * inner;
      k.gemm(m, n, inner, a, x, tA, y, tB, b, c);
    }
  }

  /** S ← AᵀB + b·S, symmetric */
  function symmetricProduct(op: string, S: Matrix, A: Matrix, B: Matrix, b: number): void {
    const s = own(S, op, "S");
    const x = own(A, op, "A");
    const y = own(B, op, "B");
    apart(S, A, op, "A");
    apart(S, B, op, "B");
    same(S, A.cols, A.cols, op, "S", "columns of A squared");
    same(B, A.rows, A.cols, op, "B", "the shape of A");
    if (A.cols === 0) return;
    if (A.rows === 0) scale(s.data.length, b, s);
    else {
      counters.flops += A.rows * A.cols * (A.cols + 1);
      k.gemmt(A.rows, A.cols, x, y, b, s);
    }
  }

  /** Y ← b·Y, where b = 0 clears whatever stands there */
  function scale(size: number, b: number, Y: Owned): void {
    if (b === 0) k.fill(size, 0, Y);
    else if (b !== 1) for (let i = 0, y = Y.data; i < size; i++) y[i]! *= b;
  }

  function inner(X: Matrix, Y: Matrix): Scalar {
    const x = own(X, "dot", "X");
    const y = own(Y, "dot", "Y");
    same(Y, X.rows, X.cols, "dot", "Y", "the shape of X");
    const size = X.rows * X.cols;
    if (size === 0) s.value = 0;
    else k.dot(size, x, y, s);
    return s;
  }

  /** Without conditional expressions: their two kinds of values would meet in a boxed number. */
  function coefficients(a: number | Scalar, b: number | Scalar): void {
    if (typeof a === "number") s.a = a;
    else s.a = a.value;
    if (typeof b === "number") s.b = b;
    else s.b = b.value;
  }

  function allocate(rows: number, cols: number): Owned {
    for (const [what, size] of [
      ["rows", rows],
      ["cols", cols],
    ] as const) {
      if (!Number.isInteger(size) || size < 0) {
        throw new EngineError(`matrix: ${what} is ${size}; it must be a whole number, 0 or more.`);
      }
    }
    counters.matrices++;
    return memory.allocate(rows, cols, owner);
  }

  return {
    name,
    description,
    counters,
    block: threads === 1 ? BLOCK : Number.POSITIVE_INFINITY,
    ...(lapack && { lapack }),
    dispose: () => memory.dispose(),

    matrix: allocate,

    from(source) {
      if (!(source?.data instanceof Float64Array)) {
        const got = source?.data === undefined ? "no data" : `a ${(source.data as object).constructor?.name}`;
        throw new EngineError(
          `from: the source has ${got}; it needs {rows, cols, data: Float64Array}; convert with Float64Array.from(…).`,
        );
      }
      if (source.data.length !== source.rows * source.cols) {
        throw new EngineError(
          `from: the source says ${source.rows}×${source.cols} but has ${source.data.length} numbers; they must agree (is its buffer detached?).`,
        );
      }
      const M = allocate(source.rows, source.cols);
      M.data.set(source.data);
      return M;
    },

    rows(A, first, count) {
      const x = own(A, "rows", "A");
      if (
        !(Number.isInteger(first) && Number.isInteger(count) && first >= 0 && count >= 0 && first + count <= A.rows)
      ) {
        throw new EngineError(`rows: ${count} rows from ${first} on are asked of a matrix of ${A.rows} rows.`);
      }
      return memory.view(x, first * A.cols, count, A.cols);
    },

    column(A) {
      return memory.view(own(A, "column", "A"), 0, A.rows * A.cols, 1);
    },

    fetch(A) {
      const x = own(A, "fetch", "A");
      k.fetch(A.rows * A.cols, x);
    },

    gram: (S, A, b = 0) => symmetricProduct("gram", S, A, A, b),
    tmulSymmetric: (S, A, B, b = 0) => symmetricProduct("tmulSymmetric", S, A, B, b),
    tmul: (S, A, B, a = 1, b = 0) => product("tmul", S, A, true, B, false, a, b),
    mul: (Y, A, S, a = 1, b = 0) => product("mul", Y, A, false, S, false, a, b),
    mulT: (Y, A, B, a = 1, b = 0) => product("mulT", Y, A, false, B, true, a, b),
    apply: (Y, B, X, a = 1, b = 0) => product("apply", Y, B, false, X, false, a, b),

    dot: (X, Y) => inner(X, Y).value,
    inner,

    dots(r, Xs, count, Y) {
      const y = own(Y, "dots", "Y");
      family(Xs, count, r, Y, "dots");
      const size = Y.rows * Y.cols;
      if (size === 0) r.fill(0, 0, count);
      else if (count > 0) k.dots(size, count, Xs as readonly Owned[], y, r);
    },

    copy(Y, X) {
      const y = own(Y, "copy", "Y");
      const x = own(X, "copy", "X");
      apart(Y, X, "copy", "X");
      same(Y, X.rows, X.cols, "copy", "Y", "the shape of X");
      const size = X.rows * X.cols;
      if (size > 0) k.copy(size, x, y);
    },

    fill(Y, a) {
      const y = own(Y, "fill", "Y");
      const size = Y.rows * Y.cols;
      if (size > 0) k.fill(size, a, y);
    },

    axpby(Y, a, X, b) {
      const y = own(Y, "axpby", "Y");
      const x = own(X, "axpby", "X");
      apart(Y, X, "axpby", "X");
      same(Y, X.rows, X.cols, "axpby", "Y", "the shape of X");
      const size = X.rows * X.cols;
      if (size === 0) return;
      coefficients(a, b);
      if (s.a === 0) scale(size, s.b, y);
      else k.axpby(size, s, x, y);
    },

    combine(Z, a, X, b, Y) {
      const z = own(Z, "combine", "Z");
      const x = own(X, "combine", "X");
      const y = own(Y, "combine", "Y");
      apart(Z, X, "combine", "X");
      apart(Z, Y, "combine", "Y");
      same(X, Z.rows, Z.cols, "combine", "X", "the shape of Z");
      same(Y, Z.rows, Z.cols, "combine", "Y", "the shape of Z");
      const size = Z.rows * Z.cols;
      if (size === 0) return;
      coefficients(a, b);
      if (s.a !== 0 && s.b !== 0) k.combine(size, s, x, y, z);
      else if (s.a !== 0) k.axpby(size, s, x, z);
      else if (s.b !== 0) {
        s.a = s.b;
        s.b = 0;
        k.axpby(size, s, y, z);
      } else k.fill(size, 0, z);
    },

    combination(Z, c, Xs, count, b = 0) {
      const z = own(Z, "combination", "Z");
      family(Xs, count, c, Z, "combination");
      for (let i = 0; i < count; i++) apart(Z, Xs[i]!, "combination", "among the X_i");
      const size = Z.rows * Z.cols;
      if (size === 0) return;
      if (count === 0) scale(size, b, z);
      else k.combination(size, count, c, Xs as readonly Owned[], b, z);
    },

    hadamard(Z, X, Y, a = 1, b = 0) {
      const z = own(Z, "hadamard", "Z");
      const x = own(X, "hadamard", "X");
      const y = own(Y, "hadamard", "Y");
      apart(Z, X, "hadamard", "X");
      apart(Z, Y, "hadamard", "Y");
      same(X, Z.rows, Z.cols, "hadamard", "X", "the shape of Z");
      same(Y, Z.rows, Z.cols, "hadamard", "Y", "the shape of Z");
      const size = Z.rows * Z.cols;
      if (size === 0) return;
      if (a === 0) scale(size, b, z);
      else k.hadamard(size, a, x, y, b, z);
    },

    map(outputs, chain, inputs) {
      const first = outputs[0] ?? inputs[0];
      if (inputs.length !== chain.inputs || outputs.length !== chain.outputs.length) {
        throw new EngineError(
          `map: ${inputs.length} inputs and ${outputs.length} outputs are given, but the chain has ${chain.inputs} and ${chain.outputs.length}.`,
        );
      }
      if (!first) throw new EngineError("map: the chain has neither inputs nor outputs; give it one.");
      for (let i = 0; i < inputs.length; i++) {
        own(inputs[i]!, "map", `input ${i}`);
        same(inputs[i]!, first.rows, first.cols, "map", `input ${i}`, "one shape for all");
      }
      for (let i = 0; i < outputs.length; i++) {
        const Y = outputs[i]!;
        own(Y, "map", `output ${i}`);
        same(Y, first.rows, first.cols, "map", `output ${i}`, "one shape for all");
        if (inputs.includes(Y)) throw new EngineError(`map: output ${i} is also an input; use a second matrix.`);
        if (outputs.indexOf(Y) < i)
          throw new EngineError(`map: output ${i} is also another output; use a second matrix.`);
      }
      const size = first.rows * first.cols;
      return size === 0 ? 0 : k.map(size, chain, inputs as readonly Owned[], outputs as readonly Owned[]);
    },

    symmetrize(S) {
      const s = own(S, "symmetrize", "S");
      same(S, S.rows, S.rows, "symmetrize", "S", "square");
      if (S.rows > 0) k.symmetrize(S.rows, s);
    },

    addDiagonal(S, a) {
      const s = own(S, "addDiagonal", "S");
      same(S, S.rows, S.rows, "addDiagonal", "S", "square");
      if (S.rows > 0) k.addDiagonal(S.rows, a, s);
    },

    rowDots(r, X, Y) {
      const d = own(r, "rowDots", "r");
      const x = own(X, "rowDots", "X");
      const y = own(Y, "rowDots", "Y");
      apart(r, X, "rowDots", "X");
      apart(r, Y, "rowDots", "Y");
      same(Y, X.rows, X.cols, "rowDots", "Y", "the shape of X");
      same(r, X.rows, 1, "rowDots", "r", "one number a row");
      if (X.rows === 0) return;
      if (X.cols === 0) k.fill(X.rows, 0, d);
      else k.rowDots(X.rows, X.cols, x, y, d);
    },

    scaleRows(Y, r, X, a = 1, b = 0) {
      const y = own(Y, "scaleRows", "Y");
      const d = own(r, "scaleRows", "r");
      const x = own(X, "scaleRows", "X");
      apart(Y, X, "scaleRows", "X");
      apart(Y, r, "scaleRows", "r");
      same(Y, X.rows, X.cols, "scaleRows", "Y", "the shape of X");
      same(r, X.rows, 1, "scaleRows", "r", "one number a row");
      const size = X.rows * X.cols;
      if (size === 0) return;
      if (a === 0) scale(size, b, y);
      else k.scaleRows(X.rows, X.cols, a, d, x, b, y);
    },

    tridiagonal(Y, T, X, a = 1, b = 0) {
      const y = own(Y, "tridiagonal", "Y");
      const x = own(X, "tridiagonal", "X");
      diagonals(T, X.rows, "tridiagonal");
      apart(Y, X, "tridiagonal", "X");
      same(Y, X.rows, X.cols, "tridiagonal", "Y", "the shape of X");
      const size = X.rows * X.cols;
      if (size === 0) return;
      if (a === 0) scale(size, b, y);
      else k.tridiagonal(X.rows, X.cols, a, T.lower as Owned, T.main as Owned, T.upper as Owned, x, b, y);
    },

    tridiagonalSolve(Y, F, X) {
      const y = own(Y, "tridiagonalSolve", "Y");
      const x = own(X, "tridiagonalSolve", "X");
      diagonals(F, X.rows, "tridiagonalSolve");
      apart(Y, X, "tridiagonalSolve", "X");
      same(Y, X.rows, X.cols, "tridiagonalSolve", "Y", "the shape of X");
      if (X.rows * X.cols > 0) {
        k.tridiagonalSolve(X.rows, X.cols, F.lower as Owned, F.main as Owned, F.upper as Owned, x, y);
      }
    },
  };

  /** The first `count` of Xs are matrices of this engine with the shape of Y, and `numbers` has room for one number each. */
  function family(Xs: readonly Matrix[], count: number, numbers: Float64Array, Y: Matrix, op: string): void {
    if (!(numbers instanceof Float64Array) || numbers.length < count || Xs.length < count) {
      throw new EngineError(
        `${op}: ${count} matrices asked for, but ${Xs.length} matrices and ${numbers?.length} numbers given.`,
      );
    }
    for (let i = 0; i < count; i++) {
      const X = Xs[i] as Owned | undefined;
      if (X?.owner === owner && X.rows === Y.rows && X.cols === Y.cols && X.data.length === Y.data.length) continue;
      own(Xs[i]!, op, `X_${i}`);
      same(Xs[i]!, Y.rows, Y.cols, op, `X_${i}`, "the shape of the other matrix");
    }
  }

  /** The diagonals are living n×1 matrices of this engine. No tuple and no text is made unless one is wrong. */
  function diagonals({ lower, main, upper }: Tridiagonal, n: number, op: string): void {
    if (column(lower, n) && column(main, n) && column(upper, n)) return;
    for (const [part, d] of Object.entries({ lower, main, upper })) {
      own(d, op, `T.${part}`);
      same(d, n, 1, op, `T.${part}`, "as many rows as X");
    }
  }

  function column(d: Matrix, n: number): boolean {
    return (d as Owned | undefined)?.owner === owner && d.rows === n && d.cols === 1 && d.data.length === n;
  }
}
