/**
 * The algebra of k matrices of one shape at once, X = (X₁; …; X_k): a tall matrix is one of the engine below, kn×p, with the matrices one
 * below the other, a small one has k blocks p×p. Products go block by block,
 *
 *     gram = (X_iᵀX_i)_i,   tmul = (X_iᵀY_i)_i,   mul = (X_iS_i)_i,   roots and divisions of small matrices block by block,
 *
 * so that methods for XᵀX = I keep all X_i orthonormal unchanged. Nominally a tall matrix is n×kp and a small one kp×kp, block diagonal.
 * Vector operations are one call of the engine below; products are loops in host memory, and read and write where numbers lie elsewhere.
 */
import { blockPolar } from "../arrays/block-polar.js";
import type { Engine } from "../contracts/engine.js";
import type { Matrix, Small, Tall } from "../contracts/matrix.js";
import { EngineError } from "../errors.js";
import { blockFactor } from "./block-factor.js";
import { blockAdd, blockDots, blockMul, blockSymmetrize, blockTmul } from "./block-products.js";
import type { BlockShape } from "./block-shape.js";
import { asSmall, asTall, Composite, cache, type Operations, partsOf, unsupported } from "./composite.js";

export interface BlockEngine extends Engine {
  readonly blocks: BlockShape;
  /** the matrix of the engine below, kn×p or kp×p, without a copy */
  stacked<M extends Tall | Small>(A: M): M;
  /** r_i ← ⟨A_i, B_i⟩ */
  blockDots<M extends Tall | Small>(r: Float64Array, A: M, B: M): void;
  /** C_i ← c_i·A_i + b·C_i, b = 1 if left out; C may be A */
  blockAdd<M extends Tall | Small>(C: M, c: Float64Array, A: M, b?: number): void;
  /** Y_i ← the polar factor of Z_i, with `rotations` the nearest matrix with det > 0; returns the sum of the ranks of the Z_i */
  polar(Y: Tall, Z: Tall, rotations: boolean): number;
}

export function blockEngine(E: Engine, blocks: BlockShape): BlockEngine {
  const { k, n, p } = blocks;
  const owner = { name: "blocks" };
  const stacked = <M extends Matrix>(A: M): M => partsOf(A, owner)[0] as M;
  const isTall = (A: Matrix): boolean => (A as unknown as Composite).kind === "tall";
  const rowsOf = (A: Matrix): number => (isTall(A) ? n : p);
  const scratch = cache((size, _place) => new Float64Array(size));

  /** The numbers of A, in place where they lie in host memory; `place`: which scratch else */
  function numbers(A: Tall | Small, place: number): Float64Array {
    const M = stacked(A);
    return E.host ? M.data : E.read(M, scratch(M.rows * M.cols, place));
  }
  /** Writes back where numbers are a copy. */
  function put(A: Tall | Small, values: Float64Array): void {
    if (!E.host) E.write(stacked(A), values);
  }
  const counted = (flops: number): void => {
    E.counters.flops += flops;
  };

  const tmul: Operations["tmul"] = (S, A, B, a = 1, b = 0) => {
    const s = numbers(S, 0);
    blockTmul([k, rowsOf(A), p, p], s, numbers(A, 1), A === B ? numbers(A, 1) : numbers(B, 2), a, b);
    put(S, s);
    counted(2 * k * rowsOf(A) * p * p);
  };
  const product =
    (turned: boolean): Operations["mul"] =>
    (Y, A, S, a = 1, b = 0) => {
      const y = numbers(Y, 0);
      blockMul([k, rowsOf(A), p], y, numbers(A, 1), numbers(S, 2), turned, a, b);
      put(Y, y);
      counted(2 * k * rowsOf(A) * p * p);
    };
  const polars = cache((rotations) => blockPolar(n, p, rotations === 1));

  function makeMatrix(kind: "tall" | "small", rows: number, cols: number, values?: ArrayLike<number>): Composite {
    const empty = rows === 0 && cols === 0;
    const height = kind === "tall" ? n : k * p;
    if (!empty && (rows !== height || cols !== k * p))
      throw new EngineError(
        `${kind}: ${rows}×${cols} is no shape of ${k} blocks ${n}×${p}; it has ${height}×${k * p}.`,
      );
    const M = kind === "tall" ? E.tall(empty ? 0 : k * n, p, values) : E.small(empty ? 0 : k * p, p, values);
    return new Composite(kind, rows, cols, [M], owner);
  }

  const engine: Operations & Pick<BlockEngine, "blocks" | "stacked" | "polar" | "blockDots" | "blockAdd"> = {
    name: E.name,
    description: `${k} matrices ${n}×${p} on ${E.description}`,
    counters: E.counters,
    ...(E.ranks && { ranks: E.ranks }),
    blocks,
    stacked,
    tall: (rows, cols, values) => asTall(makeMatrix("tall", rows, cols, values)),
    small: (rows, cols, values) => asSmall(makeMatrix("small", rows, cols, values)),
    read: (A, into) => E.read(stacked(A), into),
    write: (A, values) => E.write(stacked(A), values),
    gram: (S, A, b = 0) => tmul(S, A, A, 1, b),
    tmul,
    mul: product(false),
    mulT: product(true),
    dot: (X, Y) => E.dot(stacked(X), stacked(Y)),
    dots: (r, Xs, count, Y) => E.dots(r, firsts(Xs, count), count, stacked(Y)),
    sums(places) {
      const sums = E.sums(places);
      return {
        at: sums.at,
        dot: (place, X, Y) => sums.dot(place, stacked(X), stacked(Y)),
        dots: (first, Xs, count, Y) => sums.dots(first, firsts(Xs, count), count, stacked(Y)),
        arrive: () => sums.arrive(),
      };
    },
    copy: (Y, X) => E.copy(stacked(Y), stacked(X)),
    fill: (Y, a) => E.fill(stacked(Y), a),
    combine: (Z, a, X, b, Y) => E.combine(stacked(Z), a, stacked(X), b, stacked(Y)),
    combination: (Z, c, Xs, count, b) => E.combination(stacked(Z), c, firsts(Xs, count), count, b),
    map: (outputs, chain, inputs) => E.map(outputs.map(stacked), chain, inputs.map(stacked)),
    symmetrize(S) {
      const s = numbers(S, 0);
      blockSymmetrize([k, p], s);
      put(S, s);
    },
    addDiagonal(S, a) {
      const s = numbers(S, 0);
      for (let z = 0; z < s.length; z += p * p) for (let j = 0; j < p; j++) s[z + j * (p + 1)]! += a;
      put(S, s);
    },
    rowDots: () => unsupported("blocks", "rowDots"),
    scaleRows: () => unsupported("blocks", "scaleRows"),
    factor: blockFactor(blocks, { numbers, put, isTall }),
    operator: () => unsupported("blocks", "operator"),
    blockDots(r, A, B) {
      const a = numbers(A, 1);
      blockDots(k, r, a, A === B ? a : numbers(B, 2));
      counted(2 * a.length);
    },
    blockAdd(C, c, A, b = 1) {
      const y = numbers(C, 0);
      blockAdd(k, y, c, C === A ? y : numbers(A, 1), b);
      put(C, y);
      counted(2 * y.length);
    },
    polar(Y, Z, rotations) {
      const [y, z] = [numbers(Y, 0), numbers(Z, 1)];
      const one = polars(rotations ? 1 : 0, 0);
      let rank = 0;
      for (let at = 0; at < y.length; at += n * p) rank += one(y, z, at);
      put(Y, y);
      return rank;
    },
    dispose: () => E.dispose(),
  };
  return engine as unknown as BlockEngine;

  function firsts<M extends Tall | Small>(Xs: readonly M[], count: number): M[] {
    const list: M[] = [];
    for (let i = 0; i < count; i++) list.push(stacked(Xs[i]!));
    return list;
  }
}
