/**
 * Complex matrices on any engine: A = Re + i·Im, two matrices of the engine below. In this engine ᵀ of a formula is ᴴ, the
 * conjugate transpose, and symmetric is Hermitian:
 *
 *     gram = AᴴA,   tmul = AᴴB,   mulT = ABᴴ,   dot = Re tr XᴴY,   symmetrize = (S + Sᴴ)/2,
 *
 * so that methods for XᵀX = I solve XᴴX = I unchanged. `write` calls a function for Re first.
 */

import type { Engine } from "../contracts/engine.js";
import type { Small, Tall } from "../contracts/matrix.js";
import { type ComplexParts, complexFactor, type Open } from "./complex-factor.js";
import { asSmall, asTall, Composite, cache, type Operations, partsOf, partwise, unsupported } from "./composite.js";

export interface ComplexEngine extends Engine {
  /** the two parts of a matrix of this engine, without a copy */
  parts(A: Tall): ComplexParts<Tall>;
}

export function complexEngine(E: Engine): ComplexEngine {
  const owner = { name: "complex", labels: ["re", "im"] };
  const { each, ...vectors } = partwise(owner, () => E);
  const open: Open = (A) => {
    const parts = partsOf(A, owner);
    return { re: parts[0], im: parts[1] } as ComplexParts<never>;
  };
  const allocate = (kind: "tall" | "small", rows: number, cols: number, numbers?: ArrayLike<number>): Composite => {
    const A = new Composite(kind, rows, cols, [E[kind](rows, cols), E[kind](rows, cols)], owner);
    if (numbers) vectors.write(asTall(A), numbers);
    return A;
  };
  const square = cache((rows, cols) => E.small(rows, cols));

  /** S ← (S − Sᵀ)/2 */
  function skew(S: Small): void {
    const W = square(S.rows, S.cols);
    E.copy(W, S);
    E.symmetrize(W);
    E.combine(S, 1, S, -1, W);
  }

  const tmul: Operations["tmul"] = (S, A, B, a = 1, b = 0) => {
    const { re: sr, im: si } = open(S);
    const { re: xr, im: xi } = open(A);
    const { re: yr, im: yi } = open(B);
    E.tmul(sr, xr, yr, a, b);
    E.tmul(sr, xi, yi, a, 1);
    E.tmul(si, xr, yi, a, b);
    E.tmul(si, xi, yr, -a, 1);
  };
  const mul: Operations["mul"] = (Y, A, S, a = 1, b = 0) => {
    const { re: yr, im: yi } = open(Y);
    const { re: xr, im: xi } = open(A);
    const { re: sr, im: si } = open(S);
    E.mul(yr, xr, sr, a, b);
    E.mul(yr, xi, si, -a, 1);
    E.mul(yi, xr, si, a, b);
    E.mul(yi, xi, sr, a, 1);
  };

  const engine: Operations & Pick<ComplexEngine, "parts"> = {
    ...vectors,
    name: E.name,
    description: `complex numbers on ${E.description}`,
    counters: E.counters,
    ...(E.ranks && { ranks: E.ranks }),
    parts: open,
    tall: (rows, cols, numbers) => asTall(allocate("tall", rows, cols, numbers)),
    small: (rows, cols, numbers) => asSmall(allocate("small", rows, cols, numbers)),
    gram(S, A, b = 0) {
      const { re: sr, im: si } = open(S);
      const { re, im } = open(A);
      E.gram(sr, re, b);
      E.gram(sr, im, 1);
      // Im AᴴA = M − Mᵀ, M = ReᵀIm; S itself is Hermitian
      E.tmul(si, re, im, 2, b);
      skew(si);
    },
    tmul,
    mul,
    mulT(Y, A, B, a = 1, b = 0) {
      const { re: yr, im: yi } = open(Y);
      const { re: xr, im: xi } = open(A);
      const { re: sr, im: si } = open(B);
      E.mulT(yr, xr, sr, a, b);
      E.mulT(yr, xi, si, a, 1);
      E.mulT(yi, xi, sr, a, b);
      E.mulT(yi, xr, si, -a, 1);
    },
    symmetrize(S) {
      const { re, im } = open(S);
      E.symmetrize(re);
      skew(im);
    },
    addDiagonal: (S, a) => E.addDiagonal(open(S).re, a),
    rowDots: () => unsupported("complex", "rowDots"),
    scaleRows(Y, r, X, a = 1, b = 0) {
      const { re: rr } = open(r);
      each([Y, X], (E, [y, x]) => E.scaleRows(y, rr, x, a, b));
    },
    factor: complexFactor(E, (p, q) => asSmall(allocate("small", p, q)), mul, vectors, open),
    operator: () => unsupported("complex", "operator"),
    dispose: () => E.dispose(),
  };
  return engine as unknown as ComplexEngine;
}
