/** Functions of symmetric matrices: derivatives, identities, eigenvalues that meet, refusals. */

import { jsEngine } from "@expen/linalg/engine";
import { describe, expect, test } from "vitest";
import * as T from "../src/index.js";
import { engines } from "./engines.js";
import { close, expectDerivatives } from "./taylor.js";

const [n, p] = [6, 3];
const js = jsEngine();
/** Definite, with eigenvalues apart from each other */
const M = (X: T.Expr): T.Expr => T.add(T.mul(T.t(X), X), [[1, 0.1, 0], [0.1, 2, 0], [0, 0, 4]]); // biome-ignore format: a matrix
const ofPair: Record<string, [own: (X: T.Expr) => T.Arg, other: (X: T.Expr) => T.Arg]> = {
  "tr log A = log det A": [(X) => T.trace(T.logm(M(X))), (X) => T.logdet(M(X))],
  "√A·√A = A": [(X) => T.sum(T.sin(T.mul(T.sqrtm(M(X)), T.sqrtm(M(X))))), (X) => T.sum(T.sin(M(X)))],
  "exp(log A) = A": [(X) => T.sum(T.sin(T.expm(T.logm(M(X))))), (X) => T.sum(T.sin(M(X)))],
  "exp(−log A) = A⁻¹": [(X) => T.norm2(T.expm(T.neg(T.logm(M(X))))), (X) => T.norm2(T.inv(M(X)))],
  "1×1": [(X) => T.expm(T.norm2(X)), (X) => T.exp(T.norm2(X))],
};

describe.each(engines)("on %s", (_name, open) => {
  test.each(Object.entries(ofPair))("%s, with derivatives of first and second order", async (_title, [own, other]) => {
    const [mine, theirs] = [expectDerivatives(await open(), n, p, own), expectDerivatives(js, n, p, other)];
    expect(mine.value).toBeCloseTo(theirs.value, 10);
    close(mine.gradient, theirs.gradient, 1e-9);
    close(mine.hessian, theirs.hessian, 1e-7);
  });
});

test.each([0, 1e-12, 1e-7, 3e-5, 1e-3])("where eigenvalues differ by %d, derivatives are those of log det", (gap) => {
  const near = [[2, 0, 0], [0, 2 + gap, 0], [0, 0, 2 + 2 * gap]]; // biome-ignore format: a matrix
  const derivatives = (build: (A: T.Expr) => T.Expr) => {
    const f = T.compile(js, { n: 3, p: 3 }, (D) => build(T.add(near, T.add(D, T.t(D)))));
    const [X, D, G, H] = Array.from({ length: 4 }, () => js.tall(3, 3)) as [never, never, never, never];
    js.write(D, Float64Array.of(1, 2, 3, 0, -1, 4, 5, 6, 2));
    f.fg(G, X);
    f.linearize!(X)(H, D);
    return [js.read(G).slice(), js.read(H).slice()] as const;
  };
  const [[g, h], [g0, h0]] = [derivatives((A) => T.trace(T.logm(A))), derivatives(T.logdet)];
  close(g, g0, 1e-9);
  close(h, h0, 1e-7);
});

test("a matrix that is not symmetric or not square is refused with its entries", () => {
  const f = T.compile(js, { n: 2, p: 2 }, (X) => T.sum(T.expm(X)));
  expect(() => f.f(js.tall(2, 2, [1, 2, 3, 4]))).toThrow(
    /expm: the argument is not symmetric: entry \(1, 0\) is 3 and entry \(0, 1\) is 2; it is for symmetric matrices alone\./,
  );
  const g = T.compile(js, { n: 3, p: 2 }, (X) => T.sum(T.logm(X)));
  expect(() => g.f(js.tall(3, 2))).toThrow(/logm: the argument is 3×2; it must be a symmetric matrix\./);
});

test("the derivative of the exponential is finite where its value is, however far the eigenvalues are apart", () => {
  const f = T.compile(js, { n: 2, p: 2 }, (X) => T.trace(T.expm(X)));
  const G = js.tall(2, 2);
  f.fg(G, js.tall(2, 2, [700, 0, 0, -750]));
  close(js.read(G), [Math.exp(700), 0, 0, 0], 1e-12);
});
