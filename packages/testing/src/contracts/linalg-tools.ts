/** Matrices, norms and expectations for the suites of linalg, on the engine that `E` gives when a test runs. */

import type { Engine, Small, Tall } from "@expen/linalg";
import { EngineError, fillNormal, random } from "@expen/linalg";
import { EPS, householder } from "@expen/linalg/arrays";
import { expect } from "vitest";

export function linalgTools(E: () => Engine) {
  const small = (rows: number, cols: number, numbers?: ArrayLike<number>): Small => E().small(rows, cols, numbers);
  const tall = (rows: number, cols: number, numbers?: ArrayLike<number>): Tall => E().tall(rows, cols, numbers);
  /** rows×cols of the kind of A */
  const like = <M extends Tall | Small>(A: M, rows = A.rows, cols = A.cols): M =>
    (A.kind === "tall" ? tall : small)(rows, cols) as M;
  const read = (A: Tall | Small): Float64Array => E().read(A);
  /** A with its numbers changed on the host */
  const changed = <M extends Tall | Small>(A: M, change: (a: Float64Array) => void): M => {
    const a = read(A);
    change(a);
    E().write(A, a);
    return A;
  };
  const filled = <M extends Tall | Small>(M: M, seed: number): M => {
    fillNormal(M, random(seed, `${M.rows}x${M.cols}`), E());
    return M;
  };
  const poison = <M extends Tall | Small>(M: M): M => {
    E().fill(M, Number.NaN);
    return M;
  };
  const normal = (rows: number, cols: number, seed = 1): Small => filled(small(rows, cols), seed);
  const tallNormal = (rows: number, cols: number, seed = 1): Tall => filled(tall(rows, cols), seed);
  const poisoned = (rows: number, cols: number): Small => poison(small(rows, cols));
  const tallPoisoned = (rows: number, cols: number): Tall => poison(tall(rows, cols));
  const norm = (A: Tall | Small): number => Math.hypot(...read(A), 0);
  const mul = <M extends Tall | Small>(A: M, B: Small): M => {
    const C = like(A, A.rows, B.cols);
    E().mul(C, A, B);
    return C;
  };
  const tmul = <M extends Tall | Small>(A: M, B: M): Small => {
    const C = small(A.cols, B.cols);
    E().tmul(C, A, B);
    return C;
  };
  const minus = <M extends Tall | Small>(A: M, B: M): M => {
    const C = like(A);
    E().combine(C, 1, A, -1, B);
    return C;
  };
  const scaled = <M extends Tall | Small>(A: M, c: number): M => {
    const C = like(A);
    E().combine(C, c, A, 0, A);
    return C;
  };
  const identity = (p: number): Small => {
    const I = small(p, p);
    E().addDiagonal(I, 1);
    return I;
  };
  const diagonal = (...d: number[]): Small => {
    const p = d.length;
    return small(
      p,
      p,
      Float64Array.from({ length: p * p }, (_, i) => (i % (p + 1) === 0 ? d[i / (p + 1)]! : 0)),
    );
  };
  /** Random orthonormal columns, by reflections on the host */
  const orthonormal = (rows: number, cols: number, seed: number): Float64Array => {
    const q = read(normal(rows, cols, seed));
    householder(q, new Float64Array(cols * cols), rows, cols);
    return q;
  };
  /** n×p with singular values from 1 down to 1/condition */
  const withCondition = <M extends Tall | Small>(A: M, condition: number): M => {
    const { rows, cols: p } = A;
    const Q = like(A);
    E().write(Q, orthonormal(rows, p, 5));
    const D = diagonal(...Array.from({ length: p }, (_, i) => condition ** (-i / Math.max(1, p - 1))));
    E().mulT(A, mul(Q, D), small(p, p, orthonormal(p, p, 6)));
    return A;
  };
  const conditioned = (n: number, p: number, condition: number): Small => withCondition(small(n, p), condition);
  const tallConditioned = (n: number, p: number, condition: number): Tall => withCondition(tall(n, p), condition);
  const expectOrthonormal = (Q: Tall | Small): void => {
    const G = tmul(Q, Q);
    E().addDiagonal(G, -1);
    expect(norm(G)).toBeLessThanOrEqual(10 * EPS * Math.sqrt(Math.max(1, Q.cols)));
  };
  const expectUpper = (R: Small, least = Number.MIN_VALUE): void => {
    const r = read(R);
    const below = r.filter((_, k) => k % R.cols < Math.floor(k / R.cols));
    expect(below).toEqual(new Float64Array(below.length));
    expect(Math.min(...r.filter((_, k) => k % R.cols === Math.floor(k / R.cols)))).toBeGreaterThanOrEqual(least);
  };
  const refused = (op: () => unknown, ...words: RegExp[]): void => {
    expect(op).toThrow(EngineError);
    for (const word of words) expect(op).toThrow(word);
  };
  const withNaN = <M extends Tall | Small>(A: M): M => changed(A, (a) => a.fill(Number.NaN, -1));

  return {
    small,
    tall,
    read,
    changed,
    normal,
    tallNormal,
    poisoned,
    tallPoisoned,
    norm,
    mul,
    tmul,
    minus,
    scaled,
    identity,
    diagonal,
    orthonormal,
    conditioned,
    tallConditioned,
    expectOrthonormal,
    expectUpper,
    refused,
    withNaN,
  };
}
