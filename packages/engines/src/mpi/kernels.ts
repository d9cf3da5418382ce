/** Every operation on the rows of this rank, by the inner engine; those that sum over rows add what the ranks have. */

import type { Engine, Factorizations, Matrix, Small, Tall } from "@expen/linalg";
import { EngineError } from "@expen/linalg";
import type { Kernels, Owned } from "@expen/linalg/engine";
import type { Contraction } from "./contraction.js";
import type { Reductions } from "./reductions.js";
import type { Spread } from "./spread.js";

/** State that kernels and operators share */
export interface Parts {
  readonly inner: Engine;
  readonly sums: Reductions;
  readonly rank: number;
  /** The rows of this rank, or a small matrix with its sum in it, to be read */
  reads(A: Owned): Inside;
  /** The same, to be written */
  writes(A: Owned): Inside;
}

/** A matrix of the inner engine, tall or small as the operation needs it: the outer one has checked that. */
export type Inside = never;

const isTall = (A: Owned): boolean => A.kind === "tall";

export function mpiKernels(parts: Parts): Kernels {
  const { inner, sums, rank, reads, writes } = parts;
  const scratch = smallScratch(inner);

  const product = (C: Small, A: Tall, B: Tall, a: number, b: number): void =>
    A === B && a === 1 ? inner.gram(C, A, b) : inner.tmul(C, A, B, a, b);

  /** This rank's part of a·AᵀB; apart from `contract`, whose matrices it must not hold */
  const partOf =
    (a: number): Contraction["part"] =>
    ([A, B], into, at) => {
      const C = scratch(A!.cols, B!.cols);
      product(C, A!.inner as Tall, B!.inner as Tall, a, 0);
      inner.read(C, into.subarray(at, at + C.rows * C.cols));
    };

  /** S ← a·AᵀB + b·S over all rows; b·S is added by one rank, or, where S itself still waits to be summed, each rank adds to its part. */
  function contract(S: Owned, A: Owned, B: Owned, a: number, b: number): void {
    const grows = b !== 0 && (S as Spread).pending;
    const [s, x, y] = [grows ? ((S as Spread).inner as Inside) : writes(S), reads(A), reads(B)];
    const c: Contraction = {
      op: b === 0 ? `tmul ${a}` : "",
      inputs: [A as Spread, B as Spread],
      size: S.rows * S.cols,
      part: partOf(a),
    };
    sums.later(
      S as Spread,
      c,
      (numbers) => inner.write(s, numbers),
      () => product(s, x, y, a, rank === 0 || grows ? b : 0),
    );
  }

  /** ⟨X_i, Y⟩ for the first `count` of Xs */
  const innerProducts = (count: number, Xs: readonly Owned[], Y: Owned): Contraction => ({
    op: "dots",
    inputs: [...Xs.slice(0, count), Y] as Spread[],
    size: count,
    part(inputs, into, at) {
      const list = inputs.slice(0, -1).map((A) => A.inner);
      inner.dots(into.subarray(at, at + count), list, count, inputs.at(-1)!.inner);
    },
  });

  const all = (Xs: readonly Owned[], count = Xs.length): Inside[] => Xs.slice(0, count).map(reads);
  /** Sources are read before the destination counts as written: what waits for one of them may be sent with sums of the other. */
  const onRows = (Y: Owned, A: Owned, B: Owned, op: (y: Inside, a: Inside, b: Inside) => void): void => {
    const [a, b] = [reads(A), reads(B)];
    op(writes(Y), a, b);
  };
  const apart = (): never => {
    throw new EngineError("mpi: the rows lie on several ranks; use an operator.");
  };
  return {
    gemm(_m, _n, _k, a, A, tA, B, tB, b, C) {
      const product = tA ? inner.tmul : tB ? inner.mulT : inner.mul;
      if (tA && isTall(A)) contract(C, A, B, a, b);
      else onRows(C, A, B, (y, x, s) => product(y, x, s, a, b));
    },
    gram(_n, _p, A, b, S) {
      if (isTall(A)) contract(S, A, A, 1, b);
      else onRows(S, A, A, (s, x) => inner.gram(s, x, b));
    },
    dot(_size, X, Y) {
      if (!isTall(X)) return inner.dot(reads(X), reads(Y));
      return sums.numbers({
        op: "dot",
        inputs: [X as Spread, Y as Spread],
        size: 1,
        part([X, Y], into, at) {
          into[at] = inner.dot(X!.inner, Y!.inner);
        },
      })[0]!;
    },
    dots(_size, count, Xs, Y, r) {
      if (!isTall(Y)) return inner.dots(r, all(Xs, count), count, reads(Y));
      const numbers = sums.numbers(innerProducts(count, Xs, Y));
      for (let i = 0; i < count; i++) r[i] = numbers[i]!;
    },
    requests: {
      add: (_size, Xs, Y, take) => sums.request(innerProducts(Xs.length, Xs, Y), take),
      arrive: sums.send,
    },
    copy: (_size, X, Y) => onRows(Y, X, X, (y, x) => inner.copy(y, x)),
    fill: (_size, a, Y) => inner.fill(writes(Y), a),
    axpby: (_size, a, X, b, Y) => onRows(Y, X, Y, (y, x, old) => inner.combine(y, a, x, b, old)),
    combine: (_size, a, X, b, Y, Z) => onRows(Z, X, Y, (z, x, y) => inner.combine(z, a, x, b, y)),
    combination(_size, count, c, Xs, b, Z) {
      const xs = all(Xs, count);
      inner.combination(writes(Z), c, xs, count, b);
    },
    map(_size, chain, inputs, outputs) {
      const from = all(inputs);
      const sum = inner.map(outputs.map(writes), chain, from);
      if (chain.sum === undefined || !isTall(outputs[0] ?? inputs[0]!)) return sum;
      const part: Contraction["part"] = (_inputs, into, at) => {
        into[at] = sum;
      };
      return sums.numbers({ op: "", inputs: [], size: 1, part })[0]!;
    },
    symmetrize: (_p, S) => inner.symmetrize(writes(S)),
    mirror: apart,
    addDiagonal: (_p, a, S) => inner.addDiagonal(writes(S), a),
    rowDots: (_n, _p, X, Y, r) => onRows(r, X, Y, (d, x, y) => inner.rowDots(d, x, y)),
    scaleRows: (_n, _p, a, r, X, b, Y) => onRows(Y, r, X, (y, d, x) => inner.scaleRows(y, d, x, a, b)),
    tridiagonal: apart,
    tridiagonalSolve: apart,
  };
}

/** One matrix of each shape, for parts of sums that are sent ahead */
function smallScratch(inner: Engine): (rows: number, cols: number) => Small {
  const cache = new Map<string, Small>();
  return (rows, cols) => {
    const shape = `${rows}×${cols}`;
    let S = cache.get(shape);
    if (!S) cache.set(shape, (S = inner.small(rows, cols)));
    return S;
  };
}

/** Small matrices are the same on every rank, so each factors its own; a tall one is divided row by row. */
export function mpiFactor({ inner: { factor }, reads, writes }: Parts, own: Own): Factorizations {
  const small = (M: Matrix, op: string, letter: string): Owned => {
    const A = own(M, op, letter);
    if (A.kind !== "tall") return A;
    throw new EngineError(`${op}: ${letter} is a tall matrix but must be a small one; see E.tall and E.small.`);
  };
  return {
    cholesky: (R, S) => factor.cholesky(writes(small(R, "cholesky", "R")), reads(small(S, "cholesky", "S"))),
    divide(Y, R) {
      const r = reads(small(R, "divide", "R"));
      factor.divide(writes(own(Y, "divide", "Y")), r);
    },
    eigh: (V, w, S) => factor.eigh(writes(small(V, "eigh", "V")), w, reads(small(S, "eigh", "S"))),
    svd: (U, s, V, A) =>
      factor.svd(writes(small(U, "svd", "U")), s, writes(small(V, "svd", "V")), reads(small(A, "svd", "A"))),
    solve: (X, A, B) =>
      factor.solve(writes(small(X, "solve", "X")), reads(small(A, "solve", "A")), reads(small(B, "solve", "B"))),
  };
}

/** A matrix of this engine, or an error in one sentence */
export type Own = (M: Matrix, op: string, letter: string) => Owned;
