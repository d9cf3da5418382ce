/** Each operation against its closed form: f(X), ∇f(X) and ∇²f(X)[D] from textbook formulas in plain rows. */

import type { Tall } from "@expen/linalg";
import { fillNormal, random } from "@expen/linalg";
import { jsEngine } from "@expen/linalg/engine";
import { inverted, map, type Rows, rowsOf, times, total, turned } from "@expen/testing/autodiff/rows";
import { describe, expect, test } from "vitest";
import * as T from "../src/index.js";

const E = jsEngine();
const [n, p] = [6, 3];
const given = (rows: number, cols: number, seed: number): Tall => {
  const M = E.tall(rows, cols);
  fillNormal(M, random(seed, `${rows}x${cols}`));
  return M;
};
const A = rowsOf(given(n, p, 1));
const B = rowsOf(given(n, n, 2));
const v = rowsOf(given(n, 1, 3));
const plus = (X: Rows, Y: Rows, c = 1): Rows => map(X, (x, i, j) => x + c * Y[i]![j]!);
const by = (X: Rows, Y: Rows): Rows => map(X, (x, i, j) => x * Y[i]![j]!);
const scaled = (c: number, X: Rows): Rows => map(X, (x) => c * x);
const dot = (X: Rows, Y: Rows): number => total(by(X, Y));

interface Case {
  readonly formula: (X: T.Expr) => T.Arg;
  readonly f: (X: Rows) => number;
  readonly gradient: (X: Rows) => Rows;
  readonly hessian: (X: Rows, D: Rows) => Rows;
}

const zero = (X: Rows): Rows => map(X, () => 0);
/** Σ φ(X_ij), with φ' and φ'' */
const entry = (
  op: (A: T.Arg) => T.Expr,
  f: (x: number) => number,
  d: (x: number) => number,
  dd: (x: number) => number,
): Case => ({
  formula: (X) => T.sum(op(T.add(X, 5))),
  f: (X) => total(map(X, (x) => f(x + 5))),
  gradient: (X) => map(X, (x) => d(x + 5)),
  hessian: (X, D) => map(X, (x, i, j) => dd(x + 5) * D[i]![j]!),
});
const S = (X: Rows): Rows => plus(times(turned(X), X), [[1, 0, 0], [0, 1, 0], [0, 0, 1]]); // biome-ignore format: the identity
const identity = T.identity;
const c = [0.5, -1, 2];
const centred = (X: Rows): Rows => {
  const means = turned(X).map((column) => column.reduce((sum, x) => sum + x / n, 0));
  return map(X, (x, _i, j) => x - means[j]!);
};

const cases: Record<string, Case> = {
  "a row and a column beside a matrix are repeated": {
    formula: (X) => T.sum(T.hadamard(T.sub(X, [c]), v, T.add(X, v, [c]))),
    f: (X) => total(map(X, (x, i, j) => (x - c[j]!) * v[i]![0]! * (x + v[i]![0]! + c[j]!))),
    gradient: (X) => map(X, (x, i) => v[i]![0]! * (2 * x + v[i]![0]!)),
    hessian: (_X, D) => map(D, (d, i) => 2 * v[i]![0]! * d),
  },
  "an expression that is a row is repeated: X less the means of its columns": {
    formula: (X) => T.norm2(T.sub(X, T.scale(1 / n, T.colSums(X)))),
    f: (X) => dot(centred(X), centred(X)),
    gradient: (X) => scaled(2, centred(X)),
    hessian: (_X, D) => scaled(2, centred(D)),
  },
  "inner": { formula: (X) => T.inner(A, X), f: (X) => dot(A, X), gradient: () => A, hessian: zero },
  "sum": { formula: T.sum, f: total, gradient: (X) => map(X, () => 1), hessian: zero },
  "mean": { formula: T.mean, f: (X) => total(X) / (n * p), gradient: (X) => map(X, () => 1 / (n * p)), hessian: zero },
  "norm2": { formula: T.norm2, f: (X) => dot(X, X), gradient: (X) => scaled(2, X), hessian: (_X, D) => scaled(2, D) },
  "norm": {
    formula: T.norm,
    f: (X) => Math.sqrt(dot(X, X)),
    gradient: (X) => scaled(1 / Math.sqrt(dot(X, X)), X),
    hessian: (X, D) => plus(scaled(dot(X, X) ** -0.5, D), X, -dot(X, D) * dot(X, X) ** -1.5),
  },
  "trace of a product, B not symmetric": {
    formula: (X) => T.trace(T.mul(T.t(X), B, X)),
    f: (X) => dot(X, times(B, X)),
    gradient: (X) => times(plus(B, turned(B)), X),
    hessian: (_X, D) => times(plus(B, turned(B)), D),
  },
  "trace of a plain matrix": {
    formula: (X) => T.trace(T.add(T.mul(X, T.t(A)), 1)),
    f: (X) => dot(X, A) + n,
    gradient: () => A,
    hessian: zero,
  },
  "exp": entry(T.exp, Math.exp, Math.exp, Math.exp),
  "log": entry(T.log, Math.log, (x) => 1 / x, (x) => -1 / x ** 2),
  "sqrt": entry(T.sqrt, Math.sqrt, (x) => 0.5 / Math.sqrt(x), (x) => -0.25 * x ** -1.5),
  "sin": entry(T.sin, Math.sin, Math.cos, (x) => -Math.sin(x)),
  "cos": entry(T.cos, Math.cos, (x) => -Math.sin(x), (x) => -Math.cos(x)),
  "tanh": entry(T.tanh, Math.tanh, (x) => Math.cosh(x) ** -2, (x) => (-2 * Math.tanh(x)) / Math.cosh(x) ** 2),
  "atan": entry(T.atan, Math.atan, (x) => 1 / (1 + x * x), (x) => (-2 * x) / (1 + x * x) ** 2),
  "abs": entry(T.abs, Math.abs, Math.sign, () => 0),
  "relu": entry(
    (X) => T.relu(T.sub(X, 5)),
    (x) => Math.max(x - 5, 0),
    (x) => (x > 5 ? 1 : 0),
    () => 0,
  ),
  "clip": entry(
    (X) => T.clip(T.sub(X, 5), -0.4, 0.7),
    (x) => Math.min(Math.max(x - 5, -0.4), 0.7),
    (x) => (x - 5 > -0.4 && x - 5 < 0.7 ? 1 : 0),
    () => 0,
  ),
  "huber": entry(
    (X) => T.huber(T.sub(X, 5), 0.7),
    (x) => (Math.abs(x - 5) <= 0.7 ? (x - 5) ** 2 / 2 : 0.7 * (Math.abs(x - 5) - 0.35)),
    (x) => Math.min(Math.max(x - 5, -0.7), 0.7),
    (x) => (Math.abs(x - 5) < 0.7 ? 1 : 0),
  ),
  "pow 4/3": entry((X) => T.pow(X, 4 / 3), (x) => x ** (4 / 3), (x) => (4 / 3) * Math.cbrt(x), (x) => (4 / 9) * x ** (-2 / 3)),
  "pow 0.3": entry((X) => T.pow(X, 0.3), (x) => x ** 0.3, (x) => 0.3 * x ** -0.7, (x) => -0.21 * x ** -1.7),
  "pow −0.3": entry((X) => T.pow(X, -0.3), (x) => x ** -0.3, (x) => -0.3 * x ** -1.3, (x) => 0.39 * x ** -2.3),
  "pow 2.5": entry((X) => T.pow(X, 2.5), (x) => x ** 2.5, (x) => 2.5 * x ** 1.5, (x) => 3.75 * x ** 0.5),
  "square": entry(T.square, (x) => x * x, (x) => 2 * x, () => 2),
  "pow 3": entry((X) => T.pow(X, 3), (x) => x ** 3, (x) => 3 * x * x, (x) => 6 * x),
  "pow −1.5": entry((X) => T.pow(X, -1.5), (x) => x ** -1.5, (x) => -1.5 * x ** -2.5, (x) => 3.75 * x ** -3.5),
  "pow 1 and 0": entry((X) => T.add(T.pow(X, 1), T.pow(X, 0)), (x) => x + 1, () => 1, () => 0),
  "logcosh": entry(T.logcosh, (x) => Math.log(Math.cosh(x)), Math.tanh, (x) => Math.cosh(x) ** -2),
  "reciprocal": entry((X) => T.div(1, X), (x) => 1 / x, (x) => -1 / x ** 2, (x) => 2 / x ** 3),
  "hadamard with a constant": {
    formula: (X) => T.sum(T.hadamard(A, X, X)),
    f: (X) => dot(A, by(X, X)),
    gradient: (X) => scaled(2, by(A, X)),
    hessian: (_X, D) => scaled(2, by(A, D)),
  },
  "quotient by a scalar": {
    formula: (X) => T.div(T.inner(A, X), T.norm2(X)),
    f: (X) => dot(A, X) / dot(X, X),
    gradient: (X) => plus(scaled(1 / dot(X, X), A), X, (-2 * dot(A, X)) / dot(X, X) ** 2),
    hessian: (X, D) => {
      const [q, a] = [dot(X, X), dot(A, X)];
      const [dq, da] = [2 * dot(X, D), dot(A, D)];
      return plus(plus(scaled(-dq / q ** 2, A), D, (-2 * a) / q ** 2), X, (-2 * da) / q ** 2 + (4 * a * dq) / q ** 3);
    },
  },
  "row norms": {
    formula: (X) => T.sum(T.rowNorms(X)),
    f: (X) => total(X.map((row) => [Math.hypot(...row)])),
    gradient: (X) => map(X, (x, i) => x / Math.hypot(...X[i]!)),
    hessian: (X, D) => map(D, (d, i, j) => {
      const r = Math.hypot(...X[i]!);
      return d / r - (X[i]![j]! * dot([X[i]!], [D[i]!])) / r ** 3;
    }),
  },
  "column norms squared by columns": {
    formula: (X) => T.inner(T.square(T.colNorms(X)), [[1, 2, 3]]),
    f: (X) => total(map(X, (x, _i, j) => (j + 1) * x * x)),
    gradient: (X) => map(X, (x, _i, j) => 2 * (j + 1) * x),
    hessian: (_X, D) => map(D, (d, _i, j) => 2 * (j + 1) * d),
  },
  "row and column sums": {
    formula: (X) => T.add(T.norm2(T.rowSums(X)), T.norm2(T.colSums(X))),
    f: (X) => [...X, ...turned(X)].reduce((s, row) => s + total([row]) ** 2, 0),
    gradient: (X) => map(X, (_x, i, j) => 2 * total([X[i]!]) + 2 * total([turned(X)[j]!])),
    hessian: (_X, D) => map(D, (_x, i, j) => 2 * total([D[i]!]) + 2 * total([turned(D)[j]!])),
  },
  "sums of the rows of X + ‖X‖² and of the columns of X + ΣX": {
    formula: (X) => {
      const [Y, Z] = [T.add(X, T.norm2(X)), T.add(X, T.sum(X))];
      return T.add(T.inner(v, T.rowSums(Y)), T.inner([[1, 2, 3]], T.colSums(Z)));
    },
    f: (X) => total(map(X, (x, i, j) => v[i]![0]! * (x + dot(X, X)) + (j + 1) * (x + total(X)))),
    gradient: (X) => map(X, (x, i, j) => v[i]![0]! + 2 * p * total(v) * x + j + 1 + 6 * n),
    hessian: (_X, D) => scaled(2 * p * total(v), D),
  },
  "diagonal scalings": {
    formula: (X) => T.norm2(T.mul(T.diag(v), X, T.diag([[1, 2, 3]]))),
    f: (X) => total(map(X, (x, i, j) => (v[i]![0]! * x * (j + 1)) ** 2)),
    gradient: (X) => map(X, (x, i, j) => 2 * (v[i]![0]! * (j + 1)) ** 2 * x),
    hessian: (_X, D) => map(D, (d, i, j) => 2 * (v[i]![0]! * (j + 1)) ** 2 * d),
  },
  "diagonal of a matrix": {
    formula: (X) => T.sum(T.diag(T.mul(T.t(X), X))),
    f: (X) => dot(X, X), gradient: (X) => scaled(2, X), hessian: (_X, D) => scaled(2, D),
  },
  "log det(I + XᵀX)": {
    formula: (X) => T.logdet(T.add(identity(p), T.mul(T.t(X), X))),
    f: (X) => Math.log(inverted(S(X)).det),
    gradient: (X) => scaled(2, times(X, inverted(S(X)).inverse)),
    hessian: (X, D) => {
      const R = inverted(S(X)).inverse;
      const dS = plus(times(turned(D), X), times(turned(X), D));
      return scaled(2, plus(times(D, R), times(times(times(X, R), dS), R), -1));
    },
  },
  "tr (I + XᵀX)⁻¹": {
    formula: (X) => T.trace(T.inv(T.add(identity(p), T.mul(T.t(X), X)))),
    f: (X) => total(map(inverted(S(X)).inverse, (x, i, j) => (i === j ? x : 0))),
    gradient: (X) => {
      const R = inverted(S(X)).inverse;
      return scaled(-2, times(X, times(R, R)));
    },
    hessian: (X, D) => {
      const R = inverted(S(X)).inverse;
      const dR = scaled(-1, times(times(R, plus(times(turned(D), X), times(turned(X), D))), R));
      return scaled(-2, plus(times(D, times(R, R)), times(X, plus(times(dR, R), times(R, dR)))));
    },
  },
  "log-sum-exp": {
    formula: T.logSumExp,
    f: (X) => Math.log(total(map(X, Math.exp))),
    gradient: (X) => map(X, (x) => Math.exp(x) / total(map(X, Math.exp))),
    hessian: (X, D) => {
      const P = map(X, (x) => Math.exp(x) / total(map(X, Math.exp)));
      return plus(by(P, D), P, -dot(P, D));
    },
  },
  "log-sum-exp by rows": {
    formula: (X) => T.sum(T.rowLogSumExp(X)),
    f: (X) => X.reduce((s, row) => s + Math.log(total([row.map(Math.exp)])), 0),
    gradient: (X) => X.flatMap((row) => map([row], (x) => Math.exp(x) / total([row.map(Math.exp)]))),
    hessian: (X, D) => X.flatMap((row, i) => {
      const P = map([row], (x) => Math.exp(x) / total([row.map(Math.exp)]));
      return plus(by(P, [D[i]!]), P, -dot(P, [D[i]!]));
    }),
  },
  "softmax": {
    formula: (X) => T.inner(A, T.softmax(X)),
    f: (X) => dot(A, map(X, Math.exp)) / total(map(X, Math.exp)),
    gradient: (X) => {
      const P = map(X, (x) => Math.exp(x) / total(map(X, Math.exp)));
      return by(P, map(A, (a) => a - dot(A, P)));
    },
    hessian: (X, D) => {
      const P = map(X, (x) => Math.exp(x) / total(map(X, Math.exp)));
      const dP = by(P, map(D, (d) => d - dot(P, D)));
      return plus(by(dP, map(A, (a) => a - dot(A, P))), P, -dot(A, dP));
    },
  },
}; // biome-ignore format: one closed form a paragraph

describe.each(Object.entries(cases))("%s", (_name, { formula, f, gradient, hessian }) => {
  test.each([1, 2, 3])("point %i: value, gradient and Hessian", (seed) => {
    const tape = T.compile(E, { n, p }, formula);
    const [X, D, R] = [given(n, p, 10 + seed), given(n, p, 20 + seed), E.tall(n, p)];
    const [x, d] = [rowsOf(X), rowsOf(D)];
    const near = (actual: Rows, wanted: Rows): void => {
      const size = 1 + Math.sqrt(dot(wanted, wanted));
      const distance = plus(actual, wanted, -1);
      expect(Math.sqrt(dot(distance, distance))).toBeLessThanOrEqual(2e-13 * size);
    };
    R.data.fill(Number.NaN);
    near([[tape.fg(R, X)]], [[f(x)]]);
    near(rowsOf(R), gradient(x));
    R.data.fill(Number.NaN);
    tape.hvp(R, X, D);
    near(rowsOf(R), hessian(x, d));
  });
});

test("a trace that is a product of numbers: ⟨xaᵀ, bxᵀ⟩ = (xᵀb)(aᵀx)", () => {
  const [a, b, x, G] = [given(n, 1, 5), given(n, 1, 6), given(n, 1, 7), E.tall(n, 1)];
  const f = T.compile(E, { n, p: 1 }, (X) => T.inner(T.mul(X, T.t(a)), T.mul(b, T.t(X))));
  expect(f.fg(G, x)).toBeCloseTo(E.dot(x, b) * E.dot(a, x), 12);
  const wanted = map(rowsOf(a), (ai, i) => ai * E.dot(x, b) + b.data[i]! * E.dot(a, x));
  for (const [i, [g]] of wanted.entries()) expect(G.data[i]).toBeCloseTo(g!, 12);
});

test("nothing overflows in softplus, logcosh and log-sum-exp at ±800", () => {
  const f = T.compile(E, { n: 2, p: 1 }, (X) => T.add(T.sum(T.softplus(X)), T.sum(T.logcosh(X)), T.logSumExp(X)));
  const [X, G] = [E.tall(2, 1, [800, -800]), E.tall(2, 1)];
  expect(f.fg(G, X)).toBeCloseTo(800 + 2 * (800 - Math.LN2) + 800, 10);
  expect(Array.from(G.data)).toEqual([1 + 1 + 1, 0 - 1 + 0]);
});
