/** Engines made of engines: complex matrices against their real embedding, diagonal ones against full ones, products against parts. */

import { opaque } from "@expen/testing/engines/opaque";
import { split } from "@expen/testing/engines/split";
import { describe, expect, test } from "vitest";
import { complexEngine } from "../../src/algebras/complex.js";
import { diagonalEngine } from "../../src/algebras/diagonal.js";
import { productEngine } from "../../src/algebras/product.js";
import type { Engine } from "../../src/contracts/engine.js";
import type { Small, Tall } from "../../src/contracts/matrix.js";
import { jsEngine } from "../../src/engine/js.js";
import { EngineError } from "../../src/errors.js";
import { random } from "../../src/random.js";

const [n, p, EPS] = [7, 3, 2 ** -52];
const engines: [string, () => Engine][] = [
  ["js", jsEngine],
  ["opaque", () => opaque(jsEngine())],
  ["split", () => split(jsEngine())],
];
const norm = (E: Engine, A: Tall | Small): number => Math.sqrt(E.dot(A, A));
const distance = <M extends Tall | Small>(E: Engine, A: M, B: M): number => {
  const D = (A.kind === "tall" ? E.tall(n, p) : E.small(p, p)) as M;
  E.combine(D, 1, A, -1, B);
  return norm(E, D);
};
function filled<M extends Tall | Small>(E: Engine, A: M, seed: number): M {
  E.write(A, random(seed, "algebra").normal);
  return A;
}

describe.each(engines)("complex matrices on %s", (_name, engine) => {
  const C = complexEngine(engine());
  const tall = (seed: number) => filled(C, C.tall(n, p), seed);
  const small = (seed: number) => filled(C, C.small(p, p), seed);
  function hermitian(seed: number) {
    const S = small(seed);
    C.symmetrize(S);
    return S;
  }

  test("products are those of numbers a + bi", () => {
    const S = C.small(1, 1, [2, 3]);
    const [X, Y, P] = [C.tall(1, 1, [5, 7]), C.tall(1, 1), C.small(1, 1)];
    C.mul(Y, X, S);
    // (5 + 7i)(2 + 3i)
    expect([...C.read(Y)]).toEqual([-11, 29]);
    C.mulT(Y, X, S);
    // (5 + 7i)(2 − 3i)
    expect([...C.read(Y)]).toEqual([31, -1]);
    C.tmul(P, X, Y, 2);
    // 2(5 − 7i)(31 − i)
    expect([...C.read(P)]).toEqual([296, -444]);
    C.gram(P, X);
    expect([...C.read(P)]).toEqual([74, 0]);
    expect(C.dot(X, Y)).toBe(5 * 31 - 7);
    const sums = C.sums(2);
    sums.dots(0, [X, Y], 2, Y);
    sums.arrive();
    expect([...sums.at]).toEqual([5 * 31 - 7, 31 * 31 + 1]);
  });

  test("adjoints: ⟨XS, Y⟩ = ⟨S, XᴴY⟩ = ⟨X, YSᴴ⟩, and the Gram matrix is XᴴX, Hermitian to the bit", () => {
    const [X, Y, S] = [tall(1), tall(2), small(3)];
    const [XS, M, YS, K, H] = [C.tall(n, p), C.small(p, p), C.tall(n, p), C.small(p, p), C.small(p, p)];
    C.mul(XS, X, S);
    C.tmul(M, X, Y);
    C.mulT(YS, Y, S);
    expect(C.dot(S, M)).toBeCloseTo(C.dot(XS, Y), 12);
    expect(C.dot(X, YS)).toBeCloseTo(C.dot(XS, Y), 12);
    C.gram(K, X);
    C.tmul(M, X, X);
    expect(distance(C, K, M)).toBeLessThanOrEqual(10 * EPS * norm(C, K));
    C.copy(H, K);
    C.symmetrize(H);
    expect(distance(C, H, K)).toBe(0);
  });

  test("Cholesky, division, eigenvectors of multiple eigenvalues, linear systems", () => {
    const [S, R, Y, Z, M] = [C.small(p, p), C.small(p, p), tall(4), C.tall(n, p), C.small(p, p)];
    C.gram(S, tall(5));
    expect(C.factor.cholesky(R, S)).toBe(true);
    C.tmul(M, R, R);
    expect(distance(C, M, S)).toBeLessThanOrEqual(10 * EPS * norm(C, S));
    C.copy(Z, Y);
    C.factor.divide(Z, R);
    const back = C.tall(n, p);
    C.mul(back, Z, R);
    expect(distance(C, back, Y)).toBeLessThanOrEqual(100 * EPS * norm(C, Y));
    const indefinite = hermitian(6);
    C.addDiagonal(indefinite, -10);
    expect(C.factor.cholesky(R, indefinite)).toBe(false);

    // U·Diag(1, 2, 2)·Uᴴ
    const [U, V, T, w] = [C.small(p, p), C.small(p, p), C.small(p, p), new Float64Array(p)];
    C.factor.eigh(U, w, hermitian(7));
    C.mul(T, U, C.small(p, p, [1, 0, 0, 0, 2, 0, 0, 0, 2, ...new Float64Array(9)]));
    C.mulT(M, T, U);
    C.factor.eigh(V, w, M);
    for (const [i, value] of [1, 2, 2].entries()) expect(w[i]).toBeCloseTo(value, 13);
    C.gram(T, V);
    C.addDiagonal(T, -1);
    expect(norm(C, T)).toBeLessThanOrEqual(100 * EPS);
    const [VW, MV] = [C.small(p, p), C.small(p, p)];
    C.mul(VW, V, C.small(p, p, [1, 0, 0, 0, 2, 0, 0, 0, 2, ...new Float64Array(9)]));
    C.mul(MV, M, V);
    expect(distance(C, VW, MV)).toBeLessThanOrEqual(100 * EPS);

    const [A, B, X, AX] = [small(8), small(9), C.small(p, p), C.small(p, p)];
    C.factor.solve(X, A, B);
    C.mul(AX, A, X);
    expect(distance(C, AX, B)).toBeLessThanOrEqual(1e3 * EPS * norm(C, B));
  });

  test("a matrix of another engine is refused in a sentence", () => {
    const other = complexEngine(jsEngine());
    expect(() => C.copy(C.tall(n, p), other.tall(n, p))).toThrow(EngineError);
    expect(() => C.tall(n, p).data).toThrow(/'complex' algebra is made of others/);
    expect(() => C.factor.svd(small(1), new Float64Array(p), small(2), small(3))).toThrow(/no such operation/);
  });
});

describe.each(engines)("diagonal small matrices on %s", (_name, engine) => {
  const E = engine();
  const D = diagonalEngine(E);

  test("products, sums over columns and factors are those of full diagonal matrices", () => {
    const [X, Y] = [filled(D, D.tall(n, p), 1), filled(D, D.tall(n, p), 2)];
    const s = [2, -3, 0.5];
    const full = E.small(p, p, [2, 0, 0, 0, -3, 0, 0, 0, 0.5]);
    const S = D.small(p, p, E.read(full));
    expect([...D.read(S)]).toEqual([...E.read(full)]);
    const [XS, expected, K, whole] = [D.tall(n, p), E.tall(n, p), D.small(p, p), E.small(p, p)];
    E.copy(XS, Y);
    E.copy(expected, Y);
    D.mul(XS, X, S, 2, 0.5);
    E.mul(expected, X, full, 2, 0.5);
    expect(distance(E, XS, expected)).toBeLessThanOrEqual(10 * EPS * norm(E, expected));
    D.tmul(K, X, Y, 3);
    E.tmul(whole, X, Y, 3);
    const [diagonal, entries] = [D.read(K), E.read(whole)];
    for (let j = 0; j < p; j++) expect(diagonal[j * (p + 1)]).toBeCloseTo(entries[j * (p + 1)]!, 12);
    expect(D.dot(K, S)).toBeCloseTo(
      s.reduce((sum, v, j) => sum + v * entries[j * (p + 1)]!, 0),
      12,
    );
    D.addDiagonal(S, 4);
    const R = D.small(p, p);
    expect(D.factor.cholesky(R, S)).toBe(true);
    D.mul(K, R, R);
    expect(distance(D, K, S)).toBeLessThanOrEqual(10 * EPS * norm(D, S));
    D.copy(XS, X);
    D.factor.divide(XS, R);
    D.mul(expected, XS, R);
    expect(distance(E, expected, X)).toBeLessThanOrEqual(10 * EPS * norm(E, X));
    D.addDiagonal(S, -5);
    expect(D.factor.cholesky(R, S)).toBe(false);
    expect(() => D.small(2, 3)).toThrow(/no shape of the diagonal algebra/);
  });
});

describe.each(engines)("products on %s", (_name, engine) => {
  const E = engine();
  const P = productEngine(E, [
    { E, n: 5, p: 2 },
    { E: complexEngine(E), n: 4, p: 1 },
  ]);

  test("operations go part by part, numbers add up, and shapes are fixed", () => {
    expect([P.n, P.p]).toEqual([5, 3]);
    const [X, Y, S] = [filled(P, P.tall(5, 3), 1), filled(P, P.tall(5, 3), 2), P.small(3, 3)];
    const [[x0], [y0]] = [P.parts(X), P.parts(Y)];
    expect(P.read(X).length).toBe(5 * 2 + 2 * 4);
    const [dx, dy] = [P.read(X), P.read(Y)];
    expect(P.dot(X, Y)).toBeCloseTo(
      dx.reduce((sum, v, i) => sum + v * dy[i]!, 0),
      12,
    );
    const r = new Float64Array(2);
    P.dots(r, [X, Y], 2, Y);
    expect(r[0]).toBeCloseTo(P.dot(X, Y), 12);
    P.tmul(S, X, Y);
    const first = E.small(2, 2);
    E.tmul(first, x0!, y0!);
    expect([...E.read(P.parts(S)[0]!)]).toEqual([...E.read(first)]);
    P.combination(Y, Float64Array.of(2, 3), [X], 1, -1);
    expect([...P.read(Y)].map((v, i) => v - (2 * dx[i]! - dy[i]!)).every((v) => Math.abs(v) < 1e-14)).toBe(true);
    expect(() => P.tall(4, 2)).toThrow(/no shape of this product; it has 5×3/);
    expect(() => P.write(X, [1, 2])).toThrow(/has 18 numbers but 2 are given/);
  });
});
