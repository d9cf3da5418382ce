/** k complex matrices of one shape at once: the algebra of complex numbers on that of blocks. */
import type { Engine, Factorizations } from "../contracts/engine.js";
import type { Small, Tall } from "../contracts/matrix.js";
import { jsEngine } from "../engine/js.js";
import type { BlockShape } from "./block-shape.js";
import { type BlockEngine, blockEngine } from "./blocks.js";
import { type ComplexEngine, complexEngine } from "./complex.js";
import { type Composite, unsupported } from "./composite.js";

export interface ComplexBlockEngine extends ComplexEngine, Pick<BlockEngine, "blocks" | "blockDots" | "blockAdd"> {
  /** the matrices of the engine below, kn×p or kp×p, without a copy */
  stacked(A: Tall): { readonly re: Tall; readonly im: Tall };
}

export function complexBlockEngine(base: Engine, shape: BlockShape): ComplexBlockEngine {
  const B = blockEngine(base, shape);
  const C = complexEngine(B);
  const part = new Float64Array(shape.k);
  return {
    ...C,
    description: `${shape.k} complex matrices ${shape.n}×${shape.p} on ${base.description}`,
    blocks: shape,
    stacked(A) {
      const { re, im } = C.parts(A);
      return { re: B.stacked(re), im: B.stacked(im) };
    },
    blockDots(r, X, Y) {
      const [x, y] = [C.parts(X as Tall), C.parts(Y as Tall)];
      B.blockDots(r, x.re, y.re);
      B.blockDots(part, x.im, y.im);
      for (let i = 0; i < r.length; i++) r[i]! += part[i]!;
    },
    blockAdd(Y, c, X, b) {
      const [y, x] = [C.parts(Y as Tall), C.parts(X as Tall)];
      B.blockAdd(y.re, c, x.re, b);
      B.blockAdd(y.im, c, x.im, b);
    },
    factor: blockwiseFactor(C, shape),
  };
}

/** Block by block with the factorizations of one complex matrix, in host memory */
function blockwiseFactor(C: ComplexEngine, { k, n, p }: BlockShape): Factorizations {
  const one = complexEngine(jsEngine());
  const small = (): Small => one.small(p, p);
  const [S, T, U] = [small(), small(), small()];
  const tall = one.tall(n, p);
  const values = new Float64Array(p);
  /** M ← block i of the numbers of a matrix with so many rows a block, or these ← M */
  const numbersOf = (rows: number): Float64Array => new Float64Array(2 * rows * p);
  function take(M: Tall | Small, all: Float64Array, i: number): void {
    const size = M.rows * p;
    const own = numbersOf(M.rows);
    own.set(all.subarray(i * size, (i + 1) * size));
    own.set(all.subarray((k + i) * size, (k + i + 1) * size), size);
    one.write(M, own);
  }
  function put(all: Float64Array, M: Tall | Small, i: number): void {
    const size = M.rows * p;
    const own = one.read(M);
    all.set(own.subarray(0, size), i * size);
    all.set(own.subarray(size), (k + i) * size);
  }
  return {
    cholesky(R, A) {
      const [a, r] = [C.read(A), C.read(R)];
      for (let i = 0; i < k; i++) {
        take(S, a, i);
        if (!one.factor.cholesky(T, S)) return false;
        put(r, T, i);
      }
      C.write(R, r);
      return true;
    },
    divide(Y, R) {
      const [y, r] = [C.read(Y), C.read(R)];
      const block = (Y as unknown as Composite).kind === "tall" ? tall : T;
      for (let i = 0; i < k; i++) {
        take(S, r, i);
        take(block, y, i);
        one.factor.divide(block as Tall, S);
        put(y, block, i);
      }
      C.write(Y, y);
    },
    eigh(V, w, A) {
      const [v, a] = [C.read(V), C.read(A)];
      for (let i = 0; i < k; i++) {
        take(S, a, i);
        one.factor.eigh(T, values, S);
        put(v, T, i);
        w.set(values, i * p);
      }
      C.write(V, v);
    },
    eigenvalues(w, A) {
      const a = C.read(A);
      for (let i = 0; i < k; i++) {
        take(S, a, i);
        one.factor.eigenvalues!(values, S);
        w.set(values, i * p);
      }
      w.sort();
    },
    svd: () => unsupported("complex blocks", "svd"),
    solve(X, A, B) {
      const [x, a, b] = [C.read(X), C.read(A), C.read(B)];
      for (let i = 0; i < k; i++) {
        take(S, a, i);
        take(T, b, i);
        one.factor.solve(U, S, T);
        put(x, U, i);
      }
      C.write(X, x);
    },
  };
}
