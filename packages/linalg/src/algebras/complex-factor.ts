/** Factorizations of complex matrices by real ones of twice the size. */
import { hermitianEigenvectors } from "../arrays/hermitian-eigenvectors.js";
import { tridiagonalEigenvalue } from "../arrays/tridiagonal-eigenpairs.js";
import { tridiagonalizer } from "../arrays/tridiagonal-form.js";
import type { Engine, Factorizations } from "../contracts/engine.js";
import type { Small, Tall } from "../contracts/matrix.js";
import { Composite, cache, type Operations, unsupported } from "./composite.js";

export interface ComplexParts<M> {
  readonly re: M;
  readonly im: M;
}

/** Parts by name: destructuring of a pair is slower, measurably in short runs */
export type Open = <M extends Tall | Small>(A: M) => ComplexParts<M>;

/**
 * By real matrices of twice the size on the engine. Eigenvectors and linear systems by [[Re, −Im], [Im, Re]]; Cholesky with a 2×2 block
 * [[re, −im], [im, re]] for each entry: pivots of a Hermitian S are real, their blocks multiples of I, so the real factor has this form
 * as well.
 */
export function complexFactor(
  E: Engine,
  small: (p: number, q: number) => Small,
  mul: Operations["mul"],
  { read, copy }: Pick<Operations, "read" | "copy">,
  open: Open,
): Factorizations {
  const inverse = cache(small);
  const numbers = (S: Small): Parts => {
    const all = read(S);
    return { re: all.subarray(0, all.length / 2), im: all.subarray(all.length / 2) };
  };
  const put = (S: Small, { re, im }: Parts): void => {
    const into = open(S);
    E.write(into.re, re);
    E.write(into.im, im);
  };
  const doubled = cache((p) => ({
    M: E.small(2 * p, 2 * p),
    Q: E.small(2 * p, 2 * p),
    values: new Float64Array(2 * p),
    m: new Float64Array(4 * p * p),
  }));
  const solver = cache((p, q) => embeddedSolver(E, p, q));
  return {
    cholesky(R, S) {
      const p = S.rows;
      const { M, Q, m } = doubled(p, p);
      E.write(M, inBlocks(m, numbers(S), p));
      if (!E.factor.cholesky(Q, M)) return false;
      put(R, fromBlocks(E.read(Q, m), p));
      return true;
    },
    divide(Y, R) {
      const { M, Q, m } = doubled(R.rows, R.rows);
      E.write(M, inBlocks(m, numbers(R), R.rows));
      E.fill(Q, 0);
      E.addDiagonal(Q, 1);
      E.factor.divide(Q, M);
      const P = inverse(R.rows, R.cols);
      put(P, fromBlocks(E.read(Q, m), R.rows));
      const tall = (Y as unknown as Composite).kind === "tall";
      const make = tall ? E.tall : E.small;
      const Z = new Composite(
        tall ? "tall" : "small",
        Y.rows,
        Y.cols,
        [make(Y.rows, Y.cols), make(Y.rows, Y.cols)],
        (Y as unknown as Composite).owner,
      ) as unknown as Tall;
      copy(Z, Y as Tall);
      mul(Y as Tall, Z, P);
    },
    eigh(V, w, S) {
      const p = S.rows;
      const { M, Q, values, m } = doubled(p, p);
      E.write(M, inHalves(m, numbers(S), p));
      E.factor.eigh(Q, values, M);
      put(V, hermitianEigenvectors(w, E.read(Q, m), values, p));
    },
    eigenvalues(w, S) {
      const p = S.rows;
      // each eigenvalue occurs twice
      const { d, e } = tridiagonalizer(2 * p)(inHalves(new Float64Array(4 * p * p), numbers(S), p));
      const value = (k: number): number => tridiagonalEigenvalue(d, e, 2 * p, k);
      for (let j = 0; j < p; j++) w[j] = (value(2 * j) + value(2 * j + 1)) / 2;
    },
    svd: () => unsupported("complex", "svd"),
    solve(X, A, B) {
      solver(B.rows, B.cols)(open(X), open(A), open(B));
    },
  };
}

interface Parts {
  readonly re: Float64Array;
  readonly im: Float64Array;
}

/** m ← [[Re, −Im], [Im, Re]] */
function inHalves(m: Float64Array, { re, im }: Parts, p: number): Float64Array {
  for (let i = 0; i < p; i++) {
    for (let j = 0; j < p; j++) {
      m[i * 2 * p + j] = m[(p + i) * 2 * p + p + j] = re[i * p + j]!;
      m[(p + i) * 2 * p + j] = im[i * p + j]!;
      m[i * 2 * p + p + j] = -im[i * p + j]!;
    }
  }
  return m;
}

/** m ← the 2p×2p matrix of blocks [[re, −im], [im, re]] */
function inBlocks(m: Float64Array, { re, im }: Parts, p: number): Float64Array {
  for (let i = 0, k = 0; i < p; i++) {
    for (let j = 0; j < p; j++, k++) {
      const at = 4 * i * p + 2 * j;
      m[at] = m[at + 2 * p + 1] = re[k]!;
      m[at + 1] = -im[k]!;
      m[at + 2 * p] = im[k]!;
    }
  }
  return m;
}

/** The complex matrix whose entries are the blocks of m */
function fromBlocks(m: Float64Array, p: number): Parts {
  const [re, im] = [new Float64Array(p * p), new Float64Array(p * p)];
  for (let i = 0, k = 0; i < p; i++) {
    for (let j = 0; j < p; j++, k++) {
      re[k] = m[4 * i * p + 2 * j]!;
      // a block on the diagonal of a triangular factor lacks its lower entry
      im[k] = i === j ? 0 : -m[4 * i * p + 2 * j + 1]!;
    }
  }
  return { re, im };
}

type Halves = ComplexParts<Small>;

/** (Ar + iAi)(Xr + iXi) = Br + iBi as [[Ar, −Ai], [Ai, Ar]]·[Xr; Xi] = [Br; Bi] */
function embeddedSolver(E: Engine, p: number, q: number) {
  const half = (first: number): Small =>
    E.small(
      2 * p,
      p,
      Float64Array.from({ length: 2 * p * p }, (_, k) => (Math.floor(k / p) === first + (k % p) ? 1 : 0)),
    );
  const [top, bottom] = [half(0), half(p)];
  const [left, right, big] = [E.small(2 * p, p), E.small(2 * p, p), E.small(2 * p, 2 * p)];
  const [b, x] = [E.small(2 * p, q), E.small(2 * p, q)];
  return ({ re: xr, im: xi }: Halves, { re: ar, im: ai }: Halves, { re: br, im: bi }: Halves): void => {
    E.mul(left, top, ar);
    E.mul(left, bottom, ai, 1, 1);
    E.mul(right, bottom, ar);
    E.mul(right, top, ai, -1, 1);
    E.mulT(big, left, top);
    E.mulT(big, right, bottom, 1, 1);
    E.mul(b, top, br);
    E.mul(b, bottom, bi, 1, 1);
    E.factor.solve(x, big, b);
    E.tmul(xr, top, x);
    E.tmul(xi, bottom, x);
  };
}
