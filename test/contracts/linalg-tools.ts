/** Small matrices, norms and expectations for the suites of linalg, on the engine that `E` gives when a test runs. */
import { expect } from "vitest";
import { EngineError } from "../../src/engines/engine.js";
import { householderQR } from "../../src/linalg/householder.js";
import { fillNormal, random } from "../../src/random.js";
import type { Engine, Matrix } from "../../src/types.js";

export const EPS = 2 ** -52;

export function linalgTools(E: () => Engine) {
  const normal = (rows: number, cols: number, seed = 1): Matrix => {
    const M = E().matrix(rows, cols);
    fillNormal(M, random(seed, `${rows}x${cols}`));
    return M;
  };
  const poisoned = (rows: number, cols: number): Matrix => {
    const M = E().matrix(rows, cols);
    M.data.fill(Number.NaN);
    return M;
  };
  const norm = (A: Matrix): number => Math.hypot(...A.data, 0);
  const mul = (A: Matrix, B: Matrix): Matrix => {
    const C = E().matrix(A.rows, B.cols);
    E().mul(C, A, B);
    return C;
  };
  const tmul = (A: Matrix, B: Matrix): Matrix => {
    const C = E().matrix(A.cols, B.cols);
    E().tmul(C, A, B);
    return C;
  };
  const minus = (A: Matrix, B: Matrix): Matrix => {
    const C = E().matrix(A.rows, A.cols);
    E().combine(C, 1, A, -1, B);
    return C;
  };
  const scaled = (A: Matrix, c: number): Matrix => {
    const C = E().matrix(A.rows, A.cols);
    E().axpby(C, c, A, 0);
    return C;
  };
  const identity = (p: number): Matrix => {
    const I = E().matrix(p, p);
    E().addDiagonal(I, 1);
    return I;
  };
  const diagonal = (...d: number[]): Matrix => {
    const D = E().matrix(d.length, d.length);
    d.forEach((value, i) => {
      D.data[i * d.length + i] = value;
    });
    return D;
  };
  /** n×p with singular values from 1 down to 1/condition */
  const conditioned = (n: number, p: number, condition: number): Matrix => {
    const [Q, P] = [E().matrix(n, p), E().matrix(p, p)];
    householderQR(E(), Q, E().matrix(p, p), normal(n, p, 5));
    householderQR(E(), P, E().matrix(p, p), normal(p, p, 6));
    const D = diagonal(...Array.from({ length: p }, (_, i) => condition ** (-i / Math.max(1, p - 1))));
    const A = E().matrix(n, p);
    E().mulT(A, mul(Q, D), P);
    return A;
  };
  const expectOrthonormal = (Q: Matrix): void => {
    const G = tmul(Q, Q);
    E().addDiagonal(G, -1);
    expect(norm(G)).toBeLessThanOrEqual(10 * EPS * Math.sqrt(Math.max(1, Q.cols)));
  };
  const expectUpper = (R: Matrix, least = Number.MIN_VALUE): void => {
    for (let i = 0; i < R.rows; i++) {
      for (let j = 0; j < i; j++) expect(R.data[i * R.cols + j]).toBe(0);
      expect(R.data[i * R.cols + i]).toBeGreaterThanOrEqual(least);
    }
  };
  const refused = (op: () => unknown, ...words: RegExp[]): void => {
    expect(op).toThrow(EngineError);
    for (const word of words) expect(op).toThrow(word);
  };
  const withNaN = (rows: number, cols: number): Matrix => {
    const A = normal(rows, cols);
    A.data[A.data.length - 1] = Number.NaN;
    return A;
  };

  return {
    normal,
    poisoned,
    norm,
    mul,
    tmul,
    minus,
    scaled,
    identity,
    diagonal,
    conditioned,
    expectOrthonormal,
    expectUpper,
    refused,
    withNaN,
  };
}
