/**
 * The algebra of single columns: tall matrices are those of the engine below, small ones are diagonal, p numbers in a 1×p row:
 *
 *     gram = diag(AᵀA),   tmul = diag(AᵀB),   mul = columns scaled,   products, roots and divisions of small matrices entry by entry,
 *
 * so that methods for XᵀX = I keep columns of length 1 unchanged. Column sums are 1ᵀ(A∘B), scaling is A∘(1·s).
 */

import type { Engine, Factorizations } from "../contracts/engine.js";
import type { Matrix, Small, Tall } from "../contracts/matrix.js";
import { chain, entrywiseProduct } from "../engine/elementwise/chain.js";
import { EngineError } from "../errors.js";
import { asSmall, Composite, cache, type Operations } from "./composite.js";

const quotient = chain(2, ({ div }, x, y) => ({ outputs: [div(x, y)] }));

export function diagonalEngine(E: Engine): Engine {
  const owner = { name: "diagonal" };
  const isDiagonal = (A: Matrix): boolean => A instanceof Composite && A.owner === owner;
  /** the row of a diagonal matrix, a tall one as it is */
  const open = <M extends Matrix>(A: M): M => (isDiagonal(A) ? ((A as unknown as Composite).parts[0] as M) : A);

  /** n×1 of ones, tall and small, and scratch */
  const ones = cache((n, one) => {
    const v = E.tall(n, one);
    E.fill(v, 1);
    return v;
  });
  const rowOfOnes = cache((one, p) => {
    const v = E.small(one, p);
    E.fill(v, 1);
    return v;
  });
  const talls = cache((n, p) => [E.tall(n, p), E.tall(n, p)] as const);
  const rows = cache((one, p) => E.small(one, p));

  /** S ← a·1ᵀ(A∘B) + b·S; for diagonal A and B, a·AB + b·S */
  const tmul: Operations["tmul"] = (S, A, B, a = 1, b = 0) => {
    const s = open(S);
    if (isDiagonal(A)) {
      const r = rows(1, S.cols);
      E.map([r], entrywiseProduct, [open(A as Small), open(B as Small)]);
      E.combine(s, a, r, b, s);
      return;
    }
    const [Z] = talls(A.rows, A.cols);
    E.map([Z], entrywiseProduct, [A as Tall, B as Tall]);
    E.tmul(s, ones(A.rows, 1), Z, a, b);
  };

  const mul: Operations["mul"] = (Y, A, S, a = 1, b = 0) => {
    if (isDiagonal(A)) return tmul(Y as Small, A as Small, S, a, b);
    const [Z, R] = talls(A.rows, A.cols);
    E.mul(R, ones(A.rows, 1), open(S), a);
    E.map([b === 0 ? (Y as Tall) : Z], entrywiseProduct, [A as Tall, R]);
    if (b !== 0) E.combine(Y as Tall, 1, Z, b, Y as Tall);
  };

  function small(p: number, q: number, numbers?: ArrayLike<number>): Small {
    if (p !== q) throw new EngineError(`small: ${p}×${q} is no shape of the diagonal algebra; it has square ones.`);
    const S = asSmall(new Composite("small", p, p, [E.small(1, p)], owner, p * p));
    if (numbers) write(S, numbers);
    return S;
  }

  function write(A: Tall | Small, numbers: ArrayLike<number> | (() => number)): void {
    if (!isDiagonal(A) || typeof numbers === "function") E.write(open(A), numbers);
    else {
      const p = A.cols;
      E.write(open(A), numbers.length === p ? numbers : Array.from({ length: p }, (_, j) => numbers[j * (p + 1)]!));
    }
  }

  const engine: Operations = {
    name: E.name,
    description: `columns by themselves on ${E.description}`,
    counters: E.counters,
    ...(E.ranks && { ranks: E.ranks }),
    tall: (n, p, numbers) => E.tall(n, p, numbers),
    small,
    /** the p×p matrix of a diagonal one */
    read(A, into) {
      if (!isDiagonal(A)) return E.read(A, into);
      const p = A.cols;
      const [row, full] = [E.read(open(A)), into ?? new Float64Array(p * p)];
      full.fill(0, 0, p * p);
      for (let j = 0; j < p; j++) full[j * (p + 1)] = row[j]!;
      return full;
    },
    write,
    gram: (S, A, b = 0) => tmul(S, A, A, 1, b),
    tmul,
    mul,
    mulT: mul,
    dot: (X, Y) => E.dot(open(X), open(Y)),
    dots: (r, Xs, count, Y) => E.dots(r, Xs.map(open), count, open(Y)),
    sums: E.sums,
    copy: (Y, X) => E.copy(open(Y), open(X)),
    fill: (Y, a) => E.fill(open(Y), a),
    combine: (Z, a, X, b, Y) => E.combine(open(Z), a, open(X), b, open(Y)),
    combination: (Z, c, Xs, count, b) => E.combination(open(Z), c, Xs.map(open), count, b),
    map: (outputs, chain, inputs) => E.map(outputs.map(open), chain, inputs.map(open)),
    symmetrize() {},
    addDiagonal(S, a) {
      const s = open(S);
      E.combine(s, 1, s, a, rowOfOnes(1, S.cols));
    },
    rowDots: (r, X, Y) => E.rowDots(r, X, Y),
    scaleRows: (Y, r, X, a, b) => E.scaleRows(Y, r, X, a, b),
    factor: diagonalFactor(E, open, small, mul),
    operator: (A) => E.operator(A),
    dispose: () => E.dispose(),
  };
  return engine as Engine;
}

/** Entry by entry. Eigenvalues of `eigh` are in the order of the columns, and the eigenvectors are I. */
function diagonalFactor(
  E: Engine,
  open: <M extends Matrix>(A: M) => M,
  small: (p: number, q: number) => Small,
  mul: Operations["mul"],
): Factorizations {
  const inverses = cache(small);
  const copies = cache((n, p) => E.tall(n, p));
  return {
    cholesky(R, S) {
      const s = E.read(open(S));
      if (!s.every((v) => v > 0 && v < Number.POSITIVE_INFINITY)) return false;
      E.write(open(R), s.map(Math.sqrt));
      return true;
    },
    divide(Y, R) {
      const P = inverses(R.rows, R.cols);
      E.write(
        open(P),
        E.read(open(R)).map((v) => 1 / v),
      );
      const Z = open(Y) === Y ? copies(Y.rows, Y.cols) : small(Y.rows, Y.cols);
      E.copy(open<Tall | Small>(Z), open(Y));
      mul(Y, Z, P);
    },
    eigh(V, w, S) {
      w.set(E.read(open(S)));
      E.fill(open(V), 1);
    },
    eigenvalues: (w, S) => void w.set(E.read(open(S)).sort()),
    svd(U, s, V, A) {
      const a = E.read(open(A));
      s.set(a.map(Math.abs));
      E.write(
        open(U),
        a.map((v) => (v < 0 ? -1 : 1)),
      );
      E.fill(open(V), 1);
    },
    solve(X, A, B) {
      const zero = E.read(open(A)).indexOf(0);
      if (zero >= 0) throw new EngineError(`solve: the diagonal matrix is singular (entry ${zero} is 0).`);
      E.map([open(X)], quotient, [open(B), open(A)]);
    },
  };
}
