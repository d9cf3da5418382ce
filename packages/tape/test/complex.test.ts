/** Complex algebra: values from arithmetic of pairs, derivatives by slopes, and a Hermitian eigenproblem in one line. */
import { jsEngine } from "@expen/linalg/engine";
import { inverted, type Rows, rowsOf, times, turned } from "@expen/testing/autodiff/rows";
import { describe, expect, test } from "vitest";
import * as T from "../src/index.js";
import { engines } from "./engines.js";
import { close, expectDerivatives, pointOf } from "./taylor.js";

const [n, p] = [6, 3];
const js = jsEngine();
const X = rowsOf(pointOf(js, n, p));

/** Re and Im as rows */
type Pair = readonly [re: Rows, im: Rows];
const zip = (A: Rows, B: Rows, f: (a: number, b: number) => number): Rows =>
  A.map((row, i) => row.map((a, j) => f(a, B[i]![j]!)));
const plus = (A: Rows, B: Rows): Rows => zip(A, B, (a, b) => a + b);
const minus = (A: Rows, B: Rows): Rows => zip(A, B, (a, b) => a - b);
const product = ([a, b]: Pair, [c, d]: Pair): Pair => [minus(times(a, c), times(b, d)), plus(times(a, d), times(b, c))];
const adjoint = ([a, b]: Pair): Pair => [turned(a), turned(b).map((row) => row.map((x) => -x))];
const trace = (A: Rows): number => A.reduce((s, row, i) => s + row[i]!, 0);

const Z: Pair = [X.slice(0, 3), X.slice(3)];
const C: Pair = [
  [[2, 1, 0], [0.5, -1, 3], [1, 0, 1]],
  [[0, -1, 2], [1, 1, 0], [0.3, 2, -2]],
]; // biome-ignore format: two matrices
const of = ([re, im]: Pair): T.ComplexArg => ({ re, im });
/** The complex matrix that the halves of X stand for */
const halves = (X: T.Expr): T.ComplexExpr => T.complex(T.rows(X, 0, 3), T.rows(X, 3));
/** The real matrix [[Re, −Im], [Im, Re]] */
const embedded = ([a, b]: Pair): Rows => [
  ...a.map((row, i) => [...row, ...b[i]!.map((x) => -x)]),
  ...b.map((row, i) => [...row, ...a[i]!]),
];
const regular: Pair = [plus(times(turned(Z[0]), Z[0]), C[0]), plus(Z[1], C[1])];
const square = ([a, b]: Pair): number => [...a.flat(), ...b.flat()].reduce((s, x) => s + x * x, 0);

const cases: Record<string, [(X: T.Expr) => T.Expr, number]> = {
  "Re tr ZᴴCZ": [(X) => T.re(T.trace(T.mul(T.H(halves(X)), of(C), halves(X)))), trace(product(product(adjoint(Z), C), Z)[0])],
  "Im tr CZ": [(X) => T.im(T.trace(T.mul(of(C), halves(X)))), trace(product(C, Z)[1])],
  "‖Z·C·2i‖², Z + C, Z − real": [
    (X) => T.add(T.norm2(T.scale({ re: 0, im: 2 }, T.mul(halves(X), of(C)))), T.norm2(T.add(halves(X), of(C))), T.norm2(T.sub(halves(X), C[0]))),
    4 * square(product(Z, C)) + square([plus(Z[0], C[0]), plus(Z[1], C[1])]) + square([minus(Z[0], C[0]), Z[1]]),
  ],
  "Σ|z|, Re⟨C, Z⟩": [
    (X) => T.add(T.sum(T.abs(halves(X))), T.inner(of(C), halves(X))),
    zip(...(Z as [Rows, Rows]), Math.hypot).flat().reduce((s, x) => s + x, 0) + trace(product(adjoint(C), Z)[0]),
  ],
  "a real factor on either side": [
    (X) => T.norm2(T.mul(C[0], halves(X), C[1], T.conj(T.t(halves(X))))),
    square(product(product(product([C[0], zip(C[0], C[0], () => 0)], Z), [C[1], zip(C[0], C[0], () => 0)]), adjoint(Z))),
  ],
  "entry by entry": [
    (X) => T.re(T.sum(T.entrywise(halves(X), of(C), halves(X)))),
    Z[0].flatMap((row, i) => row.map((a, j) => {
      const [b, c, d] = [Z[1][i]![j]!, C[0][i]![j]!, C[1][i]![j]!];
      return (a * a - b * b) * c - 2 * a * b * d;
    })).reduce((s, x) => s + x, 0),
  ],
  "an inverse, a solution": [
    (X) => {
      const M = T.add(T.complex(T.mul(T.t(T.rows(X, 0, 3)), T.rows(X, 0, 3)), T.rows(X, 3)), of(C));
      return T.add(T.re(T.trace(T.inv(M))), T.norm2(T.solve(M, of(C))), T.logdet(M));
    },
    (() => {
      const { inverse, det } = inverted(embedded(regular));
      const R: Pair = [inverse.slice(0, 3).map((row) => row.slice(0, 3)), inverse.slice(3).map((row) => row.slice(0, 3))];
      return trace(R[0]) + square(product(R, C)) + 0.5 * Math.log(det);
    })(),
  ],
  "parts, stacks and a Kronecker product": [
    (X) => T.norm2(T.kron(T.vstack(T.row(halves(X), 0), T.block(of(C), 1, 0, 1, 3)), T.entry(halves(X), 2, 1))),
    (Z[0][0]!.concat(Z[1][0]!, C[0][1]!, C[1][1]!).reduce((s, x) => s + x * x, 0)) * (Z[0][2]![1]! ** 2 + Z[1][2]![1]! ** 2),
  ],
}; // biome-ignore format: a table

describe.each(engines)("complex algebra on %s", (_name, open) => {
  test.each(Object.entries(cases))("%s", async (_title, [formula, wanted]) => {
    const { value, gradient, hessian } = expectDerivatives(await open(), n, p, formula);
    expect(value / wanted).toBeCloseTo(1, 11);
    const plain = expectDerivatives(js, n, p, formula);
    close(gradient, plain.gradient);
    close(hessian, plain.hessian);
  });
});

test("real matrices stay real: H is the transpose, conj and im have zeros", () => {
  const E = jsEngine();
  const f = T.compile(E, { n, p }, (X) => T.add(T.trace(T.mul(T.H(X), X)), T.norm2(T.im(X)), T.norm2(T.im(T.conj(X)))));
  const at = E.tall(n, p, X.flat());
  expect(f.f(at)).toBeCloseTo(E.dot(at, at), 12);
});

test("a formula that ends with a complex number, and a function of real ones, are sentences", () => {
  const E = jsEngine();
  const wrong = (build: (X: T.Expr) => T.Arg): string => {
    try {
      T.compile(E, { n, p }, build);
    } catch (error) {
      return (error as Error).message;
    }
    return "";
  };
  expect(wrong((X) => T.trace(T.mul(of(C), halves(X))) as never)).toMatch(
    /^compile: the function returns a complex number; .*re\(…\) of it at .*complex\.test\.ts:\d+:\d+\.$/,
  );
  expect(wrong((X) => T.sum(T.exp(halves(X) as never)))).toMatch(/^exp: .*complex.* at .*complex\.test\.ts:\d+:\d+\.$/);
});
