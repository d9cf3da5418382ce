/**
 * An engine is made of raw kernels and a memory. Everything that all engines share stands here, once: ownership, shapes, aliasing,
 * empty matrices, the meaning of a = 0 and b = 0, and the counters. Raw kernels may rely on checked arguments.
 */
import { EngineError } from "../errors.js";
import type { Engine, Factorizations, Lapack, Matrix, Operator, Small, Tall, Tridiagonal } from "../types.js";
import { checks, shape } from "./checks.js";
import { factorizations } from "./factorizations.js";
import type { Kernels, Kind, Memory, Owned } from "./kernels.js";
import { hostOperators } from "./operators/host.js";

export type { Kernels, Kind, Memory, Owned };
export { EngineError };

export interface EngineParts {
  name: string;
  description: string;
  memory: Memory;
  kernels: Kernels;
  lapack?: Lapack;
  /** left out: those of host memory, by LAPACK where it is given */
  factor?: Factorizations;
  /** left out: those of host memory */
  operator?: (A: Parameters<Engine["operator"]>[0]) => Operator;
}

export function makeEngine(parts: EngineParts): Engine {
  const { name, description, memory, kernels: k, lapack } = parts;
  const owner = { name };
  const counters = {
    matrices: 0,
    flops: 0,
    entries: 0,
    get emptied() {
      return memory.emptied?.() ?? 0;
    },
  };

  const { own, ownSmall, contracts, rowLocal, same, alike, apart, family, column, diagonals } = checks(owner, memory);

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

  /** S ← a·AᵀB + b·S */
  function tmul(S: Matrix, A: Matrix, B: Matrix, a = 1, b = 0): void {
    contracts(S, A, B, "tmul");
    product("tmul", S, A, true, B, false, a, b);
  }

  /** Y ← b·Y, where b = 0 clears whatever stands there */
  function scale(size: number, b: number, Y: Owned): void {
    if (b === 0) k.fill(size, 0, Y);
    else if (b !== 1) k.axpby(size, b, Y, 0, Y);
  }

  function allocate(rows: number, cols: number, kind?: Kind): Owned {
    for (const [what, size] of [
      ["rows", rows],
      ["cols", cols],
    ] as const) {
      if (!Number.isInteger(size) || size < 0) {
        throw new EngineError(`matrix: ${what} is ${size}; it must be a whole number, 0 or more.`);
      }
    }
    counters.matrices++;
    return memory.allocate(rows, cols, owner, kind);
  }

  const newSmall: Engine["small"] = (rows, cols, numbers) => made(rows, cols, "small", numbers) as Owned & Small;

  function made(rows: number, cols: number, kind: Kind, numbers?: ArrayLike<number>): Owned {
    // a part of a larger buffer may be one of a WebAssembly memory, which is detached when the memory grows
    const part = ArrayBuffer.isView(numbers) && numbers.byteLength < numbers.buffer.byteLength;
    const source = part ? Float64Array.from(numbers) : numbers;
    const A = allocate(rows, cols, kind);
    if (source) write(A, source);
    return A;
  }

  function write(A: Matrix, numbers: ArrayLike<number> | (() => number)): void {
    const x = own(A, "write", "A");
    if (typeof numbers !== "function" && numbers?.length !== A.rows * A.cols) {
      throw new EngineError(`write: A is ${shape(A)} but ${numbers?.length} numbers are given; they must be as many.`);
    }
    memory.write(x, numbers);
  }

  function read(A: Matrix, into = new Float64Array(A.rows * A.cols)): Float64Array {
    const x = own(A, "read", "A");
    if (into.length < A.rows * A.cols) {
      throw new EngineError(`read: A is ${shape(A)} but there is room for ${into.length} numbers only.`);
    }
    memory.read(x, into);
    return into;
  }

  /** Y ← a·T·X + b·Y */
  function tridiagonal(Y: Matrix, T: Tridiagonal, X: Matrix, a = 1, b = 0): void {
    const y = own(Y, "tridiagonal", "Y");
    const x = own(X, "tridiagonal", "X");
    diagonals(T, X.rows, "tridiagonal");
    apart(Y, X, "tridiagonal", "X");
    alike(Y, X, "tridiagonal", "Y", "the shape of X");
    const size = X.rows * X.cols;
    if (size === 0) return;
    counters.entries += 3 * size;
    if (a === 0) scale(size, b, y);
    else k.tridiagonal(X.rows, X.cols, a, T.lower as Owned, T.main as Owned, T.upper as Owned, x, b, y);
  }

  /** Y ← T⁻¹·X for the factors of T */
  function tridiagonalSolve(Y: Matrix, F: Tridiagonal, X: Matrix): void {
    const y = own(Y, "tridiagonalSolve", "Y");
    const x = own(X, "tridiagonalSolve", "X");
    diagonals(F, X.rows, "tridiagonalSolve");
    apart(Y, X, "tridiagonalSolve", "X");
    alike(Y, X, "tridiagonalSolve", "Y", "the shape of X");
    if (X.rows * X.cols > 0) {
      counters.entries += 4 * X.rows * X.cols;
      k.tridiagonalSolve(X.rows, X.cols, F.lower as Owned, F.main as Owned, F.upper as Owned, x, y);
    }
  }

  /** Z ← a·X + b·Y; Z may be X or Y */
  function combine(Z: Matrix, a: number, X: Matrix, b: number, Y: Matrix): void {
    const z = own(Z, "combine", "Z");
    const x = own(X, "combine", "X");
    const y = own(Y, "combine", "Y");
    alike(X, Z, "combine", "X", "the shape of Z");
    alike(Y, Z, "combine", "Y", "the shape of Z");
    const size = Z.rows * Z.cols;
    if (size === 0) return;
    counters.entries += size;
    if (a !== 0 && b !== 0) k.combine(size, a, x, b, y, z);
    else if (a !== 0) k.axpby(size, a, x, 0, z);
    else if (b !== 0) k.axpby(size, b, y, 0, z);
    else k.fill(size, 0, z);
  }

  /** The numbers of a matrix of this engine, in place */
  const numbers = (M: Matrix, op: string, letter: string): Float64Array => own(M, op, letter).data;
  const small = (M: Matrix, op: string, letter: string): Float64Array => ownSmall(M, op, letter).data;

  return {
    name,
    description,
    counters,
    ...(lapack && { lapack }),
    factor: parts.factor ?? factorizations(numbers, small, { small: newSmall, tmul }, lapack),
    operator:
      parts.operator ??
      hostOperators({
        numbers,
        make: (rows, cols, data) => made(rows, cols, undefined, data),
        product,
        combine,
        tridiagonal,
        tridiagonalSolve,
        counters,
      }),
    dispose: () => memory.dispose(),

    tall: (rows, cols, numbers) => made(rows, cols, "tall", numbers) as Owned & Tall,
    small: newSmall,
    read,
    write,
    matrix: (rows, cols) => allocate(rows, cols),

    from(source) {
      if (!(source?.data instanceof Float64Array)) {
        const got = source?.data === undefined ? "no data" : `a ${(source.data as object).constructor?.name}`;
        throw new EngineError(
          `from: the source has ${got}; it needs {rows, cols, data: Float64Array}; convert with Float64Array.from(…).`,
        );
      }
      if (source.data.length !== source.rows * source.cols) {
        throw new EngineError(
          `from: the source says ${source.rows}×${source.cols} but has ${source.data.length} numbers; ` +
            "they must agree (is its buffer detached?).",
        );
      }
      const M = allocate(source.rows, source.cols);
      write(M, source.data);
      return M;
    },

    gram(S, A, b = 0) {
      const s = own(S, "gram", "S");
      const x = own(A, "gram", "A");
      apart(S, A, "gram", "A");
      contracts(S, A, A, "gram");
      same(S, A.cols, A.cols, "gram", "S", "columns of A squared");
      if (A.cols === 0) return;
      if (A.rows === 0) scale(A.cols * A.cols, b, s);
      else {
        counters.flops += A.rows * A.cols * (A.cols + 1);
        k.gram(A.rows, A.cols, x, b, s);
      }
    },
    tmul,
    mul(Y, A, S, a = 1, b = 0) {
      rowLocal(Y, A, S, "mul");
      product("mul", Y, A, false, S, false, a, b);
    },
    mulT(Y, A, S, a = 1, b = 0) {
      rowLocal(Y, A, S, "mulT");
      product("mulT", Y, A, false, S, true, a, b);
    },
    apply: (Y, B, X, a = 1, b = 0) => product("apply", Y, B, false, X, false, a, b),

    dot(X, Y) {
      const x = own(X, "dot", "X");
      const y = own(Y, "dot", "Y");
      alike(Y, X, "dot", "Y", "the shape of X");
      const size = X.rows * X.cols;
      counters.entries += size;
      return size === 0 ? 0 : k.dot(size, x, y);
    },

    dots(r, Xs, count, Y) {
      const y = own(Y, "dots", "Y");
      family(Xs, count, r, Y, "dots");
      const size = Y.rows * Y.cols;
      counters.entries += count * size;
      if (size === 0) r.fill(0, 0, count);
      else if (count > 0) k.dots(size, count, Xs as readonly Owned[], y, r);
    },

    copy(Y, X) {
      const y = own(Y, "copy", "Y");
      const x = own(X, "copy", "X");
      apart(Y, X, "copy", "X");
      alike(Y, X, "copy", "Y", "the shape of X");
      const size = X.rows * X.cols;
      counters.entries += size;
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
      alike(Y, X, "axpby", "Y", "the shape of X");
      const size = X.rows * X.cols;
      if (size === 0) return;
      if (a === 0) scale(size, b, y);
      else k.axpby(size, a, x, b, y);
    },

    combine,

    combination(Z, c, Xs, count, b = 0) {
      const z = own(Z, "combination", "Z");
      family(Xs, count, c, Z, "combination");
      for (let i = 0; i < count; i++) apart(Z, Xs[i]!, "combination", "among the X_i");
      const size = Z.rows * Z.cols;
      if (size === 0) return;
      counters.entries += Math.max(1, count) * size;
      if (count === 0) scale(size, b, z);
      else k.combination(size, count, c, Xs as readonly Owned[], b, z);
    },

    hadamard(Z, X, Y, a = 1, b = 0) {
      const z = own(Z, "hadamard", "Z");
      const x = own(X, "hadamard", "X");
      const y = own(Y, "hadamard", "Y");
      apart(Z, X, "hadamard", "X");
      apart(Z, Y, "hadamard", "Y");
      alike(X, Z, "hadamard", "X", "the shape of Z");
      alike(Y, Z, "hadamard", "Y", "the shape of Z");
      const size = Z.rows * Z.cols;
      if (size === 0) return;
      if (a === 0) scale(size, b, z);
      else k.hadamard(size, a, x, y, b, z);
    },

    map(outputs, chain, inputs) {
      const first = outputs[0] ?? inputs[0];
      if (inputs.length !== chain.inputs || outputs.length !== chain.outputs.length) {
        const given = `${inputs.length} inputs and ${outputs.length} outputs are given`;
        throw new EngineError(`map: ${given}, but the chain has ${chain.inputs} and ${chain.outputs.length}.`);
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
      counters.entries += chain.code.length * size;
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
      alike(Y, X, "rowDots", "Y", "the shape of X");
      column(r, X, "rowDots");
      if (X.rows === 0) return;
      counters.entries += X.rows * X.cols;
      if (X.cols === 0) k.fill(X.rows, 0, d);
      else k.rowDots(X.rows, X.cols, x, y, d);
    },

    scaleRows(Y, r, X, a = 1, b = 0) {
      const y = own(Y, "scaleRows", "Y");
      const d = own(r, "scaleRows", "r");
      const x = own(X, "scaleRows", "X");
      apart(Y, X, "scaleRows", "X");
      apart(Y, r, "scaleRows", "r");
      alike(Y, X, "scaleRows", "Y", "the shape of X");
      column(r, X, "scaleRows");
      const size = X.rows * X.cols;
      if (size === 0) return;
      counters.entries += size;
      if (a === 0) scale(size, b, y);
      else k.scaleRows(X.rows, X.cols, a, d, x, b, y);
    },

    tridiagonal,
    tridiagonalSolve,
  };
}
