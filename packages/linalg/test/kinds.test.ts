/** Tall and small matrices are types: what mixes them does not compile. `tsc` checks the lines; few of them run. */

import type { Constraint, Geometry, Objective, Precondition, State } from "@expen/core";
import { plainPoint } from "@expen/core";
import { complexStiefel, type Manifold, minimize, stiefel, type UserObjective } from "expen";
import { objective } from "expen/methods";
import { expect, test } from "vitest";
import type { Engine } from "../src/contracts/engine.js";
import type { Matrix, Small, Tall } from "../src/contracts/matrix.js";
import { jsEngine } from "../src/engine/js.js";

function engine(E: Engine, X: Tall, Y: Tall, S: Small, T: Small, plain: Matrix): void {
  // @ts-expect-error a sum over rows is small
  E.gram(X, Y);
  // @ts-expect-error both factors are of one kind
  E.tmul(S, X, T);
  // @ts-expect-error the second factor is small
  E.mul(X, Y, Y);
  // @ts-expect-error rows of a tall matrix come from a tall one
  E.mul(X, S, T);
  // @ts-expect-error one kind
  E.dot(X, S);
  // @ts-expect-error one kind
  E.dots(new Float64Array(2), [X, Y], 2, S);
  // @ts-expect-error one kind
  E.copy(X, S);
  // @ts-expect-error one kind
  E.combine(X, 1, Y, 1, S);
  // @ts-expect-error one kind
  E.scaleRows(X, S, Y);
  // @ts-expect-error small
  E.symmetrize(X);
  // @ts-expect-error small
  E.factor.cholesky(S, X);
  // @ts-expect-error a map leads from one kind to the same
  E.operator(plain).apply(X, S);
  // @ts-expect-error a matrix of no engine
  E.dot(plain, plain);
  E.mul(X, Y, S);
  E.mul(S, T, T);
  E.operator(plain).apply(S, T);
  E.factor.divide(X, S);
  E.factor.divide(T, S);
}

function contracts(f: Objective, on: Constraint, R: Geometry, P: Precondition, s: State, X: Tall, S: Small): void {
  const x = plainPoint(X);
  // @ts-expect-error a point is tall
  f.f(S);
  // @ts-expect-error a gradient is tall
  f.fg(S, X);
  // @ts-expect-error the multiplier is small
  on.dissolver.S(X, x, X);
  // @ts-expect-error K is small
  on.dissolver.K(X, x);
  // @ts-expect-error C is small
  on.dissolver.normal(X, x, X);
  // @ts-expect-error directions are tall
  R.retract(x, x, 1, S);
  // @ts-expect-error tall
  P(S, X, X);
  // @ts-expect-error tall
  s.X = S;
  on.dissolver.S(S, x, X);
}

/** What users wrote before the kinds were types, and go on writing */
const given: UserObjective = {
  f: (X: Matrix) => -X.data[0]!,
  grad(G: Matrix, X: Matrix) {
    G.data.fill(0);
    G.data[0] = -1;
    expect(X.rows).toBe(3);
  },
};

test("what mixes the kinds does not compile", () => {
  expect(engine).toBeTypeOf("function");
  expect(contracts).toBeTypeOf("function");
});

test("f of a matrix without a kind goes on compiling, and so does one that calls its engine", async () => {
  const start: Matrix = { rows: 3, cols: 1, data: Float64Array.of(0.6, 0.8, 0) };
  const { X }: { X: Matrix } = await minimize(given, { on: stiefel(3, 1), start });
  expect(X.data[0]).toBeCloseTo(1, 6);
  const E = jsEngine();
  const user: UserObjective = {
    fg(G, X) {
      E.copy(G, X);
      return 0.5 * E.dot(X, X);
    },
  };
  const half = objective(E, user, 3, 1);
  expect(half.f(E.tall(3, 1, [1, 2, 2]))).toBe(4.5);
  const complex: Manifold<{ re: Tall; im: Tall }> = complexStiefel(3, 1);
  const { X: Z }: { X: { re: Matrix; im: Matrix } } = await minimize(
    {
      fg(G, X) {
        E.copy(G.re, X.re);
        E.copy(G.im, X.im);
        return 0.5 * (E.dot(X.re, X.re) + E.dot(X.im, X.im));
      },
    },
    { on: complex, engine: E },
  );
  expect([Z.re.rows, Z.im.cols]).toEqual([3, 1]);
});
