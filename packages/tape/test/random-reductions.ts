/** Random formulas that reduce a matrix to a vector or a number. */

import { inverted, map, type Rows, times, total } from "@expen/testing/autodiff/rows";
import * as T from "../src/index.js";

/** A formula for the tape and the same for numbers. */
export interface Pair {
  readonly expr: T.Expr;
  readonly value: (X: Rows) => Rows;
  readonly text: string;
}

/** Makes a random formula of a shape and a depth. */
export type Source = (rows: number, cols: number, depth: number) => Pair;

/** Choices for a vector rows×1 from a matrix rows×wide */
export function vectors(formula: Source, rows: number, wide: number, d: number): (() => Pair)[] {
  const A = (): Pair => formula(rows, wide, d);
  const reduce = (make: (A: T.Expr) => T.Expr, f: (row: number[]) => number, text: string) => (): Pair => {
    const B = A();
    return { expr: make(B.expr), value: (x) => B.value(x).map((row) => [f(row)]), text: `${text}(${B.text})` };
  };
  return [
    reduce(T.rowSums, (row) => total([row]), "rowSums"),
    reduce(
      (B) => T.t(T.colSums(T.t(B))),
      (row) => total([row]),
      "colSums",
    ),
    reduce(
      (B) => T.rowNorms(T.add(T.square(B), 0.1)),
      (row) => Math.hypot(...row.map((v) => v * v + 0.1)),
      "rowNorms",
    ),
    reduce(
      (B) => T.t(T.colNorms(T.add(T.square(T.t(B)), 0.1))),
      (row) => Math.hypot(...row.map((v) => v * v + 0.1)),
      "colNorms",
    ),
    reduce(
      (B) => T.rowSums(T.square(B)),
      (row) => total([row.map((v) => v * v)]),
      "rowSquares",
    ),
    reduce(
      (B) => T.rowLogSumExp(T.tanh(B)),
      (row) => Math.log(total([row.map((v) => Math.exp(Math.tanh(v)))])),
      "rowLSE",
    ),
    () => {
      const S = formula(rows, rows, d);
      return {
        expr: T.diag(S.expr),
        value: (x) => S.value(x).map((row, i) => [row[i]!]),
        text: `diagonal(${S.text})`,
      };
    },
  ];
}

/** Choices for a number from a matrix of the shape or, for a determinant, a regular one */
export function scalars(formula: Source, shape: [number, number], regular: () => Pair, d: number): (() => Pair)[] {
  const scalar =
    (make: (A: T.Expr) => T.Expr, f: (a: Rows) => number, text: string, A = (): Pair => formula(...shape, d)) =>
    (): Pair => {
      const B = A();
      return { expr: make(B.expr), value: (x) => [[f(B.value(x))]], text: `${text}(${B.text})` };
    };
  const square = (): Pair => formula(shape[0], shape[0], d);
  return [
    scalar(T.sum, total, "sum"),
    scalar(T.mean, (a) => total(a) / a.flat().length, "mean"),
    scalar(T.norm2, (a) => total(map(a, (v) => v * v)), "norm2"),
    scalar(
      (A) => T.norm(T.add(T.square(A), 0.1)),
      (a) => Math.sqrt(total(map(a, (v) => (v * v + 0.1) ** 2))),
      "norm",
    ),
    scalar(
      (A) => T.logSumExp(T.tanh(A)),
      (a) => Math.log(total(map(a, (v) => Math.exp(Math.tanh(v))))),
      "lse",
    ),
    scalar(T.trace, (a) => total(map(a, (v, i, j) => (i === j ? v : 0))), "trace", square),
    scalar(T.logdet, (a) => Math.log(inverted(a).det), "logdet", regular),
    () => {
      const [A, B] = [formula(...shape, d), formula(...shape, d)];
      return {
        expr: T.inner(A.expr, B.expr),
        value: (x) => [[total(map(A.value(x), (v, i, j) => v * B.value(x)[i]![j]!))]],
        text: `inner(${A.text}, ${B.text})`,
      };
    },
    () => {
      const [k, l] = shape;
      const [A, B, C] = [formula(k, l, d), formula(l, k, d), formula(k, k, d)];
      return {
        expr: T.trace(T.mul(A.expr, B.expr, C.expr)),
        value: (x) => [[total(map(times(times(A.value(x), B.value(x)), C.value(x)), (v, i, j) => (i === j ? v : 0)))]],
        text: `tr(${A.text}, ${B.text}, ${C.text})`,
      };
    },
  ];
}
