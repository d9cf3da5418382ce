/**
 * An engine for tests: the rows of tall matrices lie in several uneven parts, as over MPI ranks, here in one process. Sums over rows are sums
 * over the parts; small matrices are held once; operators gather the rows and scatter them again.
 */

import type { Engine, Factorizations, Matrix, Operator, Tall } from "@expen/linalg";
import { EngineError } from "@expen/linalg";
import {
  type Kernels,
  type Kind,
  type KindlessEngine,
  kindless,
  type Memory,
  makeEngine,
  type Owned,
} from "@expen/linalg/engine";

/** A tall matrix in its parts, a small one in one piece */
class Split implements Owned {
  readonly at = 0;
  constructor(
    readonly rows: number,
    readonly cols: number,
    readonly owner: object,
    readonly kind: Kind,
    readonly pieces: readonly Matrix[],
  ) {}
  get data(): Float64Array {
    throw new EngineError(
      `data: the rows of this ${this.rows}×${this.cols} matrix of a 'split' engine lie apart; copy it with read(), or use engine operations.`,
    );
  }
}

const pieces = (M: Matrix): readonly Matrix[] => (M as Split).pieces;
/** The one piece of a small matrix; what is no matrix of this engine is left for the inner one to refuse */
function whole(M: Matrix): Matrix {
  if (!(M instanceof Split)) return M;
  if (M.kind === "tall")
    throw new EngineError(`split: a ${M.rows}×${M.cols} tall matrix stands where a small one must.`);
  return M.pieces[0]!;
}

function splitMemory(inner: KindlessEngine, parts: number): Memory {
  /** where part i begins: uneven, and the first ones empty where n is small */
  const first = (n: number, i: number): number => Math.floor(n * (i / parts) ** 2);
  return {
    allocate(rows, cols, owner, kind) {
      const heights = Array.from({ length: parts }, (_, i) => first(rows, i + 1) - first(rows, i));
      const made = kind === "small" ? [inner.small(rows, cols)] : heights.map((height) => inner.tall(height, cols));
      return new Split(rows, cols, owner, kind, made);
    },
    alive: () => true,
    read(A, into) {
      let at = 0;
      for (const piece of pieces(A)) {
        const size = piece.rows * piece.cols;
        inner.read(piece, into.subarray(at, at + size));
        at += size;
      }
    },
    write(A, numbers) {
      let at = 0;
      for (const piece of pieces(A)) {
        const size = piece.rows * piece.cols;
        const begin = at;
        inner.write(
          piece,
          typeof numbers === "function" ? numbers : Array.from({ length: size }, (_, i) => numbers[begin + i]!),
        );
        at += size;
      }
    },
    dispose: () => inner.dispose(),
  };
}

/** Every operation piece by piece; those that sum over rows add what comes from the pieces. */
function splitKernels(inner: KindlessEngine): Kernels {
  /** op on the first pieces of all matrices, on the second ones, … */
  const each = (Ms: readonly Matrix[], op: (Ms: readonly Matrix[], i: number) => void): void =>
    pieces(Ms[0]!).forEach((_, i) => {
      op(
        Ms.map((M) => pieces(M)[i]!),
        i,
      );
    });
  const apart = (): never => {
    throw new EngineError("split: rows lie apart; use an operator.");
  };
  return {
    gemm(_m, _n, _k, a, A, tA, B, tB, b, C) {
      if (tA) each([A, B], ([x, y], i) => inner.tmul(whole(C), x!, y!, a, i === 0 ? b : 1));
      else each([C, A], ([c, x]) => (tB ? inner.mulT : inner.mul)(c!, x!, whole(B), a, b));
    },
    gram(_n, _p, A, b, S) {
      each([A], ([x], i) => inner.gram(whole(S), x!, i === 0 ? b : 1));
    },
    dot(_size, X, Y) {
      let sum = 0;
      each([X, Y], ([x, y]) => {
        sum += inner.dot(x!, y!);
      });
      return sum;
    },
    dots(_size, count, Xs, Y, r) {
      const part = new Float64Array(count);
      r.fill(0, 0, count);
      each([Y, ...Xs.slice(0, count)], ([y, ...xs]) => {
        inner.dots(part, xs, count, y!);
        for (let l = 0; l < count; l++) r[l]! += part[l]!;
      });
    },
    copy: (_size, X, Y) => each([Y, X], ([y, x]) => inner.copy(y!, x!)),
    fill: (_size, a, Y) => each([Y], ([y]) => inner.fill(y!, a)),
    axpby: (_size, a, X, b, Y) => each([Y, X], ([y, x]) => inner.combine(y!, a, x!, b, y!)),
    combine: (_size, a, X, b, Y, Z) => each([Z, X, Y], ([z, x, y]) => inner.combine(z!, a, x!, b, y!)),
    combination: (_size, count, c, Xs, b, Z) =>
      each([Z, ...Xs.slice(0, count)], ([z, ...xs]) => inner.combination(z!, c, xs, count, b)),
    map(_size, chain, inputs, outputs) {
      let sum = 0;
      each([...outputs, ...inputs], (Ms) => {
        sum += inner.map(Ms.slice(0, outputs.length), chain, Ms.slice(outputs.length));
      });
      return sum;
    },
    symmetrize: (_p, S) => inner.symmetrize(whole(S)),
    mirror: apart,
    addDiagonal: (_p, a, S) => inner.addDiagonal(whole(S), a),
    rowDots: (_n, _p, X, Y, r) => each([r, X, Y], ([d, x, y]) => inner.rowDots(d!, x!, y!)),
    scaleRows: (_n, _p, a, r, X, b, Y) => each([Y, r, X], ([y, d, x]) => inner.scaleRows(y!, d!, x!, a, b)),
    tridiagonal: apart,
    tridiagonalSolve: apart,
  };
}

function splitFactor({ factor }: KindlessEngine): Factorizations {
  return {
    cholesky: (R, S) => factor.cholesky(whole(R), whole(S)),
    divide(Y, R) {
      for (const y of pieces(Y) ?? [Y]) factor.divide(y, whole(R));
    },
    eigh: (V, w, S) => factor.eigh(whole(V), w, whole(S)),
    svd: (U, s, V, A) => factor.svd(whole(U), s, whole(V), whole(A)),
    solve: (X, A, B) => factor.solve(whole(X), whole(A), whole(B)),
  };
}

/** `engine` does the work of all parts. */
export function split(engine: Engine, parts = 3): Engine {
  const inner = kindless(engine);
  const gathered = (X: Matrix): Matrix => inner[(X as Split).kind](X.rows, X.cols, E.read(X as Tall));

  function operator(A: Parameters<Engine["operator"]>[0]): Operator {
    const inside = inner.operator(A);
    const on =
      (op: (Y: Matrix, X: Matrix, a?: number, b?: number) => void): Operator["apply"] =>
      (Y, X, a, b) => {
        const x = gathered(X);
        const y = Y === X ? x : gathered(Y);
        const before = inner.counters.flops;
        op(y, x, a, b);
        E.counters.flops += inner.counters.flops - before;
        E.write(Y, inner.read(y));
      };
    const { rows, cols, flops, apply, applyT, solve, main: diagonal } = inside;
    const main = diagonal && E.tall(rows, 1, inner.read(diagonal));
    return {
      rows,
      cols,
      flops,
      apply(Y, X, a, b) {
        if (main) inner.write(diagonal!, E.read(main));
        on(apply)(Y, X, a, b);
      },
      applyT: on(applyT),
      ...(solve && { solve: on(solve) }),
      ...(main && { main }),
    };
  }

  const E: Engine = makeEngine({
    name: "split",
    description: `rows in ${parts} parts, each on ${inner.description}`,
    memory: splitMemory(inner, parts),
    kernels: splitKernels(inner),
    factor: splitFactor(inner),
    operator,
  });
  return E;
}
