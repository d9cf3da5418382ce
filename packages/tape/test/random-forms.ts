/** Formulas of degree two, put together at random as their users might: some are ½⟨X, BXC⟩ + ⟨L, X⟩ + constant, some are not. */
import type { Formula } from "@expen/bench/structure/formulas";
import type { Matrix } from "@expen/linalg";
import { random } from "@expen/linalg";
import * as T from "../src/index.js";

const { add, colNorms, colSums, diag, div, hadamard, identity, inner, mean, mul, norm, norm2, pow, rowSums, scale } = T;
const { solve, square, sub, sum, t, trace } = T;

export interface RandomForm {
  readonly n: number;
  readonly p: number;
  readonly formula: Formula;
  /** what it is put together of, as the formula was recorded last */
  readonly parts: string[];
}

type Named<A> = readonly [string, A];

export function randomForm(seed: number): RandomForm {
  const { uniform, normal } = random(seed, "random forms");
  const pick = <A>(list: readonly A[]): A => list[Math.floor(uniform() * list.length)]!;
  const data = (rows: number, cols: number): Matrix => ({
    rows,
    cols,
    data: Float64Array.from({ length: rows * cols }, normal),
  });
  const symmetric = (size: number): T.Expr => {
    const A = data(size, size);
    return add(A, t(A));
  };
  const positive = (size: number): T.Expr => {
    const A = data(2, size);
    return add(identity(size), mul(t(A), A));
  };
  const [n, p] = pick([
    [6, 2],
    [5, 3],
    [7, 1],
    [4, 4],
  ] as const);
  const parts: string[] = [];

  /** Maps that are affine in Y */
  const affine: readonly Named<(Y: T.Expr) => T.Expr>[] = [
    ["Y", (Y) => Y],
    ["AY", (Y) => mul(data(pick([3, n]), Y.rows), Y)],
    ["YA", (Y) => mul(Y, data(Y.cols, pick([2, p])))],
    ["Yᵀ", (Y) => t(Y)],
    ["Y + K", (Y) => add(Y, data(Y.rows, Y.cols))],
    ["Y, centred", (Y) => sub(Y, scale(1 / (Y.rows + 1), colSums(Y)))],
    ["v∘Y", (Y) => hadamard(data(Y.rows, 1), Y)],
    ["wᵀ∘Y", (Y) => hadamard(data(1, Y.cols), Y)],
    ["Diag(v)Y", (Y) => mul(diag(data(Y.rows, 1)), Y)],
    ["Y1", (Y) => rowSums(Y)],
    ["1ᵀY", (Y) => colSums(Y)],
    ["Y + SY", (Y) => add(Y, mul(symmetric(Y.rows), Y))],
    ["Y/2", (Y) => div(Y, 2)],
    ["P⁻¹Y", (Y) => solve(positive(Y.rows), Y)],
  ];
  /** Numbers that are quadratic in Y */
  const quadratic: readonly Named<(Y: T.Expr) => T.Expr>[] = [
    ["‖Y‖²", (Y) => norm2(Y)],
    ["⟨Y, SY⟩", (Y) => inner(Y, mul(symmetric(Y.rows), Y))],
    ["tr YᵀSYC", (Y) => trace(mul(t(Y), symmetric(Y.rows), Y, symmetric(Y.cols)))],
    ["vᵀY²1", (Y) => inner(data(Y.rows, 1), rowSums(square(Y)))],
    ["Σ w_j‖y_j‖²", (Y) => sum(hadamard(square(colNorms(Y)), data(1, Y.cols)))],
    ["⟨S, YYᵀ⟩", (Y) => sum(hadamard(symmetric(Y.rows), mul(Y, t(Y))))],
    ["Σ diag YᵀSY", (Y) => sum(diag(mul(t(Y), symmetric(Y.rows), Y)))],
    ["(uᵀYz)²", (Y) => square(mul(data(1, Y.rows), Y, data(Y.cols, 1)))],
    ["mean Y²", (Y) => mean(square(Y))],
    ["vᵀ(Y∘SY)w", (Y) => mul(data(1, Y.rows), hadamard(Y, mul(symmetric(Y.rows), Y)), data(Y.cols, 1))],
    ["distances of rows", (Y) => (Y.rows > 1 ? inner(symmetric(Y.rows), distances(Y)) : norm2(Y))],
    ["‖Y‖ squared", (Y) => pow(norm(Y), 2)],
  ];

  function one(X: T.Expr): T.Expr {
    let Y = X;
    for (let steps = Math.floor(uniform() * 5); steps > 0; steps--) {
      const [name, map] = pick(affine);
      parts.push(`Y ← ${name}`);
      Y = map(Y);
    }
    const [name, of] = pick(quadratic);
    parts.push(`+ ${name}`);
    return of(Y);
  }

  const formula: Formula = (X) => {
    parts.length = 0;
    let f = one(X);
    while (uniform() < 0.35) f = add(f, uniform() < 0.6 ? scale(1.5, one(X)) : inner(data(n, p), X));
    if (uniform() > 0.1) return f;
    parts.push("squared");
    return square(add(f, 1));
  };
  return { n, p, formula, parts };
}

/** ‖y_i − y_j‖² */
function distances(Y: T.Expr): T.Expr {
  const r = rowSums(square(Y));
  return sub(add(r, t(r)), scale(2, mul(Y, t(Y))));
}
