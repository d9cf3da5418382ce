/** The algebra of pairs (X, BX): Euclidean geometry there is that of ⟨X, BY⟩. */

import { opaque } from "@expen/testing/engines/opaque";
import { split } from "@expen/testing/engines/split";
import { describe, expect, test } from "vitest";
import { weightedEngine } from "../../src/algebras/weighted.js";
import type { Engine } from "../../src/contracts/engine.js";
import type { Small, Tall } from "../../src/contracts/matrix.js";
import { polar } from "../../src/dense/polar.js";
import { jsEngine } from "../../src/engine/js.js";
import { EngineError } from "../../src/errors.js";
import { random } from "../../src/random.js";

const [n, p, EPS] = [9, 3, 2 ** -52];
const ENGINES: [string, () => Engine][] = [
  ["js", jsEngine],
  ["opaque", () => opaque(jsEngine())],
  ["split", () => split(jsEngine())],
];

describe.each(ENGINES)("on %s", (_, engine) => {
  const E = engine();
  // B = MᵀM + I
  const M = E.operator({ rows: n, cols: n, data: Float64Array.from({ length: n * n }, random(1, "M").normal) });
  const T = E.tall(n, p);
  const W = weightedEngine(E, (BX, X) => {
    M.apply(T, X);
    M.applyT(BX, T);
    E.combine(BX, 1, BX, 1, X);
  });
  const tall = (seed: number): Tall => W.tall(n, p, Float64Array.from({ length: n * p }, random(seed, "X").normal));
  const small = (seed: number): Small => W.small(p, p, Float64Array.from({ length: p * p }, random(seed, "S").normal));

  /** ‖B·X − (BX)‖/‖BX‖ of the pair */
  function inexactness(A: Tall): number {
    const { X, BX } = W.pair(A);
    const again = W.pair(W.tall(n, p, E.read(X))).BX;
    E.combine(again, 1, again, -1, BX);
    return Math.sqrt(E.dot(again, again) / E.dot(BX, BX));
  }

  test("⟨X, BY⟩ = ⟨BX, Y⟩, alone and in lists, and the Gram matrix is XᵀBX", () => {
    const [X, Y] = [tall(1), tall(2)];
    const [x, y] = [W.pair(X), W.pair(Y)];
    const scale = Math.sqrt(W.dot(X, X) * W.dot(Y, Y));
    expect(Math.abs(W.dot(X, Y) - E.dot(x.X, y.BX))).toBeLessThan(100 * EPS * scale);
    const [r, sums] = [new Float64Array(2), W.sums(2)];
    W.dots(r, [X, Y], 2, Y);
    sums.dot(0, X, Y);
    sums.dots(1, [Y], 1, Y);
    sums.arrive();
    for (const [i, value] of [W.dot(X, Y), W.dot(Y, Y)].entries()) {
      expect(Math.abs(r[i]! - value)).toBeLessThan(100 * EPS * scale);
      expect(Math.abs(sums.at[i]! - value)).toBeLessThan(100 * EPS * scale);
    }
    const [K, S] = [W.small(p, p), W.small(p, p)];
    W.gram(K, X);
    W.tmul(S, X, X, -1);
    E.combine(S, 1, S, 1, K);
    expect(Math.sqrt(E.dot(S, S))).toBeLessThan(100 * EPS * W.dot(X, X));
  });

  test("sums and products keep pairs: BX is B·X, without a product with B", () => {
    const [X, Y, Z] = [tall(1), tall(2), tall(3)];
    W.combine(Z, 2, X, -3, Y);
    expect(inexactness(Z)).toBeLessThan(100 * EPS);
    W.combination(Z, Float64Array.of(0.5, 4), [X, Y], 2, 1);
    expect(inexactness(Z)).toBeLessThan(100 * EPS);
    W.mul(Z, X, small(4), 2, 1);
    expect(inexactness(Z)).toBeLessThan(100 * EPS);
    W.mulT(Z, Y, small(5));
    expect(inexactness(Z)).toBeLessThan(100 * EPS);
    W.copy(Y, Z);
    expect(inexactness(Y)).toBeLessThan(100 * EPS);
    const R = W.small(p, p);
    W.gram(R, X);
    W.factor.cholesky(R, R);
    W.factor.divide(X, R);
    W.gram(R, X);
    W.addDiagonal(R, -1);
    expect(Math.sqrt(E.dot(R, R))).toBeLessThan(1e4 * EPS);
  });

  test("the polar factor there is X·(XᵀBX)^(−1/2)", () => {
    const [X, Y, K] = [tall(6), tall(7), W.small(p, p)];
    polar(W, n, p)(Y, X);
    const { X: x, BX: bx } = W.pair(W.tall(n, p, E.read(W.pair(Y).X)));
    E.tmul(K, x, bx);
    E.addDiagonal(K, -1);
    expect(Math.sqrt(E.dot(K, K))).toBeLessThan(1e3 * EPS);
    // XᵀBY is symmetric and definite
    const [S, St] = [E.small(p, p), E.small(p, p)];
    W.tmul(S, X, Y);
    W.tmul(St, Y, X);
    E.combine(St, 1, St, -1, S);
    expect(Math.sqrt(E.dot(St, St))).toBeLessThan(1e4 * EPS * Math.sqrt(E.dot(S, S)));
    E.symmetrize(S);
    expect(E.factor.cholesky(K, S)).toBe(true);
  });

  test("a matrix of another engine, and operations that have no meaning for pairs, are refused", () => {
    expect(() => W.dot(tall(1), E.tall(n, p))).toThrow(EngineError);
    expect(() => W.rowDots(tall(1), tall(1), tall(1))).toThrow(/rowDots: the weighted algebra has no such operation/);
  });
});
