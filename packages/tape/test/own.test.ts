/** Operations of the user: derivatives of first and second order from one rule, sentences with the line of the call. */
import { type Objective, stiefel } from "@expen/core";
import type { Matrix } from "@expen/linalg";
import { jsEngine } from "@expen/linalg/engine";
import { minimize } from "@expen/solvers";
import { inverted, times as plainProduct, rowsOf } from "@expen/testing/autodiff/rows";
import { describe, expect, test } from "vitest";
import * as T from "../src/index.js";
import { engines } from "./engines.js";
import { close, expectDerivatives } from "./taylor.js";

const js = jsEngine();
const [n, p] = [6, 3];

/** A⁻¹ */
const inverse = T.operation({
  name: "inverse",
  value: (A) => inverted(rowsOf(A)).inverse,
  adjoint: (W, Y) => T.neg(T.mul(T.t(Y), W, T.t(Y))),
});
/** A·B, whose arguments are tall and small, and turned */
const times = T.operation({
  name: "times",
  shape: (A, B) => [A.rows, B.cols],
  value: (A, B) => plainProduct(rowsOf(A), rowsOf(B)),
  adjoint: (W, _Y, A, B) => [T.mul(W, T.t(B)), T.mul(T.t(A), W)],
}); // biome-ignore format: one line a member
/** sin in every entry; the derivative is an operation of the user too */
const entries = (A: Matrix, f: (x: number, i: number) => number): Matrix => ({
  ...A,
  data: Float64Array.from(A.data, f),
});
const sine = T.operation({ name: "sine", value: (A) => entries(A, Math.sin), adjoint: (W, _Y, A) => sineAlong(W, A) });
const sineAlong = T.operation({ name: "sineAlong", value: (W, A) => entries(W, (w, i) => w * Math.cos(A.data[i]!)) });

const M = (X: T.Expr): T.Expr => T.add(T.mul(T.t(X), X), T.identity(p));
const pairs: Record<string, [own: (X: T.Expr) => T.Arg, tape: (X: T.Expr) => T.Arg]> = {
  "of a small matrix": [
    (X) => T.sum(T.sin(inverse(T.add(M(X), T.rows(X, 0, 3))))),
    (X) => T.sum(T.sin(T.inv(T.add(M(X), T.rows(X, 0, 3))))),
  ],
  "of tall and turned ones, beside X": [
    (X) => T.sum(T.hadamard(T.exp(X), times(X, M(X)), T.t(times(M(X), T.t(X))))),
    (X) => T.sum(T.hadamard(T.exp(X), T.mul(X, M(X)), T.t(T.mul(M(X), T.t(X))))),
  ],
  "twice, of itself": [(X) => T.norm2(inverse(inverse(T.sin(M(X))))), (X) => T.norm2(T.sin(M(X)))],
  "of a number": [(X) => inverse(T.add(T.norm2(X), 1)), (X) => T.div(1, T.add(T.norm2(X), 1))],
};

describe.each(engines)("operations of the user on %s", (_name, open) => {
  test.each(Object.entries(pairs))("%s", async (_title, [own, tape]) => {
    const [mine, theirs] = [expectDerivatives(await open(), n, p, own), expectDerivatives(js, n, p, tape)];
    expect(mine.value).toBeCloseTo(theirs.value, 11);
    close(mine.gradient, theirs.gradient, 1e-11);
    close(mine.hessian, theirs.hessian, 1e-11);
  });
});

test("without a second derivative there is no hvp, and minimize does without", async () => {
  const build = (X: T.Expr): T.Arg => T.sum(sine(X));
  const f: Objective = T.compile(js, { n, p }, build);
  expect([f.hvp, f.linearize]).toEqual([undefined, undefined]);
  const [X, G] = [js.tall(n, p, new Float64Array(n * p).fill(0.3)), js.tall(n, p)];
  expect(f.fg(G, X)).toBeCloseTo(18 * Math.sin(0.3), 12);
  expect(G.data[7]).toBeCloseTo(Math.cos(0.3), 14);
  const [own, plain] = await Promise.all(
    [T.formula(build), T.formula((X) => T.sum(T.sin(X)))].map((f) => minimize(f, { on: stiefel(n, p) })),
  );
  expect(own!.reason.converged).toBe(true);
  expect(own!.fval).toBeCloseTo(plain!.fval, 8);
});

test("mistakes are one sentence each, with the line of the call", () => {
  const AT = String.raw` at .*own\.test\.ts:\d+:\d+\.$`;
  const mistake = (build: (X: T.Expr) => T.Arg, act = (f: Objective): unknown => f.f(js.tall(n, p))): string => {
    try {
      act(T.compile(js, { n, p }, build));
    } catch (error) {
      expect(error).toBeInstanceOf(T.TapeError);
      return (error as Error).message;
    }
    return "";
  };
  const wide = T.operation({ name: "wide", value: () => [[1, 2]], adjoint: (W) => W });
  expect(mistake((X) => T.sum(wide(X)))).toMatch(
    new RegExp(`^wide: value\\(…\\) returns 1 rows of 2; it must be 6×3${AT}`),
  );
  const late = T.operation({ name: "late", value: (async () => 1) as never, adjoint: (W) => W });
  expect(mistake((X) => T.sum(late(X)))).toMatch(new RegExp(`^late: value\\(…\\) returns a promise.*6×3${AT}`));
  expect(mistake((X) => T.sum(sineAlong(X, X)))).toMatch(
    new RegExp(`^sineAlong: it has no derivative; give adjoint.*${AT}`),
  );
  const turned = T.operation({ name: "turned", value: (A) => A, adjoint: (W) => T.t(W) });
  expect(mistake((X) => T.sum(T.sin(turned(X))))).toMatch(
    new RegExp(`^turned: adjoint\\(…\\) gives 3×6 for an argument that is 6×3${AT}`),
  );
  const bent = T.operation({ name: "bent", value: (A) => A, adjoint: (W) => T.square(W) });
  expect(
    mistake(
      (X) => T.sum(T.sin(bent(X))),
      (f) => f.hvp!(js.tall(n, p), js.tall(n, p), js.tall(n, p)),
    ),
  ).toMatch(new RegExp(`^bent: adjoint\\(W, …\\) is not linear in W${AT}`));
  expect(mistake((X) => T.sum(inverse()) && T.sum(X))).toMatch(
    new RegExp(`^inverse: there are no arguments; give one or more${AT}`),
  );
  expect(() => T.operation({ name: "nothing" } as never)).toThrow(/^operation: it needs a name and value/);
  expect(() => T.operation({ name: "x", valeu: () => 1 } as never)).toThrow(/did you mean 'value'/);
});
