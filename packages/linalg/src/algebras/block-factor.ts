/** Factorizations block by block, in host memory */
import { choleskyInPlace } from "../arrays/cholesky.js";
import { qlSolver } from "../arrays/implicit-ql.js";
import { solveInPlace } from "../arrays/lu.js";
import { unitScale } from "../arrays/scale.js";
import type { Factorizations } from "../contracts/engine.js";
import type { Matrix, Small, Tall } from "../contracts/matrix.js";
import type { BlockShape } from "./block-shape.js";
import { unsupported } from "./composite.js";

interface Access {
  numbers(A: Tall | Small, place: number): Float64Array;
  put(A: Tall | Small, values: Float64Array): void;
  isTall(A: Matrix): boolean;
}

/** Eigenvalues of `eigh` ascend within a block. */
export function blockFactor({ k, n, p }: BlockShape, { numbers, put, isTall }: Access): Factorizations {
  const square = p * p;
  const [block, other, values] = [new Float64Array(square), new Float64Array(square), new Float64Array(p)];
  let eigen: ReturnType<typeof qlSolver> | undefined;
  const each = (of: (at: number, i: number) => void): void => {
    for (let i = 0; i < k; i++) of(i * square, i);
  };
  const takeBlock = (into: Float64Array, from: Float64Array, at: number): Float64Array => {
    for (let l = 0; l < square; l++) into[l] = from[at + l]!;
    return into;
  };
  /** other ← the eigenvectors and values ← the eigenvalues of the block of s at `at` */
  function decompose(s: Float64Array, at: number): void {
    let largest = 0;
    for (let l = at; l < at + square; l++) largest = Math.max(largest, Math.abs(s[l]!));
    const scale = unitScale(largest);
    eigen ??= qlSolver(p);
    eigen(other, values, takeBlock(block, s, at), scale);
    for (let j = 0; j < p; j++) values[j]! /= scale;
  }
  return {
    cholesky(R, S) {
      const s = numbers(S, 1);
      const r = numbers(R, 0);
      for (let i = 0; i < k; i++) {
        if (!choleskyInPlace(takeBlock(block, s, i * square), p)) return false;
        for (let l = 0; l < square; l++) r[i * square + l] = Math.floor(l / p) > l % p ? 0 : block[l]!;
      }
      put(R, r);
      return true;
    },
    /** row by row, forward substitution in x·R = y */
    divide(Y, R) {
      const [y, r] = [numbers(Y, 0), numbers(R, 1)];
      const rows = isTall(Y) ? n : p;
      each((at, i) => {
        for (let row = i * rows * p; row < (i + 1) * rows * p; row += p) {
          for (let c = 0; c < p; c++) {
            let sum = y[row + c]!;
            for (let l = 0; l < c; l++) sum -= y[row + l]! * r[at + l * p + c]!;
            y[row + c] = sum / r[at + c * (p + 1)]!;
          }
        }
      });
      put(Y, y);
    },
    eigh(V, w, S) {
      const [v, s] = [numbers(V, 0), numbers(S, 1)];
      each((at, i) => {
        decompose(s, at);
        v.set(other, at);
        w.set(values, i * p);
      });
      put(V, v);
    },
    eigenvalues(w, S) {
      const s = numbers(S, 1);
      each((at, i) => {
        decompose(s, at);
        w.set(values, i * p);
      });
      w.sort();
    },
    svd: () => unsupported("blocks", "svd"),
    solve(X, A, B) {
      const [x, a, b] = [numbers(X, 0), numbers(A, 1), numbers(B, 2)];
      each((at) => {
        solveInPlace(takeBlock(block, a, at), takeBlock(other, b, at), p, p, values);
        x.set(other, at);
      });
      put(X, x);
    },
  };
}
