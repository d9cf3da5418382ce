/** The contract of tall and small matrices: numbers go in and come out unchanged, and the two kinds are not confused. */

import type { Engine, Operator, Small, Tall } from "@expen/linalg";
import { EngineError, fillNormal, random } from "@expen/linalg";
import { constantTridiagonal } from "@expen/linalg/arrays";
import { chain, kindless } from "@expen/linalg/engine";
import { beforeAll, describe, expect, test } from "vitest";

/** The numbers of A without a copy, where the engine shows them */
function inPlace(E: Engine, A: Tall | Small): Float64Array {
  try {
    return A.data;
  } catch (error) {
    expect(error).toBeInstanceOf(EngineError);
    return E.read(A);
  }
}

export function matricesContract(title: string, open: () => Promise<Engine>): void {
  describe(`tall and small matrices: ${title}`, () => {
    let E: Engine;
    beforeAll(async () => {
      E = await open();
    });
    const refused = (op: () => unknown, ...words: RegExp[]): void => {
      expect(op).toThrow(EngineError);
      for (const word of words) expect(op).toThrow(word);
    };

    describe.each(["tall", "small"] as const)("%s", (make) => {
      test.each([[0, 3], [1, 1], [2, 3], [3, 1], [7, 5], [40, 6]] as const)("numbers go in and come out, %i×%i", (n, p) => {
        const numbers = Float64Array.from({ length: n * p }, (_, i) => i + 0.5);
        const A = E[make](n, p, numbers);
        expect([A.rows, A.cols, A.kind]).toEqual([n, p, make]);
        expect(E.read(A)).toEqual(numbers);
        const room = new Float64Array(n * p + 1).fill(7);
        expect(E.read(A, room)).toBe(room);
        expect(room).toEqual(Float64Array.from([...numbers, 7]));
        // a copy: neither the source nor what was read is the matrix
        numbers.fill(-1);
        room.fill(-1);
        expect(E.read(A)).toEqual(numbers.map((_, i) => i + 0.5));
        E.write(A, numbers);
        expect(E.read(A)).toEqual(numbers);
        let count = 0;
        E.write(A, () => count++);
        expect(E.read(A)).toEqual(numbers.map((_, i) => i));
        expect(count).toBe(n * p);
      }); // biome-ignore format: a list of shapes reads best in a row

      test("numbers of another matrix of the engine, also where the memory grows for the new one", () => {
        const numbers = Float64Array.from({ length: 200 }, (_, i) => i);
        const A = E[make](40, 5, numbers);
        for (let k = 0; k < 7; k++) {
          const B = E[make](1 << k, 1 << 12, inPlace(E, E[make](1 << k, 1 << 12)));
          expect(E.read(B).length).toBe(1 << (k + 12));
          expect(E.read(B).every((v) => v === 0)).toBe(true);
          expect(E.read(E[make](40, 5, inPlace(E, A)))).toEqual(numbers);
        }
      });

      test("random numbers are those of the seed", () => {
        const [A, r] = [E[make](9, 4), random(3, "fill")];
        fillNormal(A, random(3, "fill"), E);
        expect([...E.read(A)]).toEqual(Array.from({ length: 36 }, () => r.normal()));
      });

      test("as many numbers as there are entries", () => {
        refused(() => E[make](2, 3, [1, 2]), /2×3/, /2 numbers/);
        refused(() => E.write(E[make](2, 3), new Float64Array(7)), /2×3/, /7 numbers/);
        refused(() => E.read(E[make](2, 3), new Float64Array(5)), /2×3/, /5 numbers/);
        refused(() => kindless(E).read({ rows: 1, cols: 1, data: new Float64Array(1) }), /plain/);
        refused(() => E.write(null as never, []), /null/);
      });
    });

    test("what is lent is read and written where it lies, alone and beside others", (context) => {
      const { host } = E;
      if (!host) return context.skip("matrices are not in host memory");
      const r = random(4, "lent");
      // a part of a larger array, of a size beyond one tile and beyond what small products are
      const [m, k] = [301, 9];
      const numbers = Float64Array.from({ length: m * k + 3 }, () => r.normal());
      const A = { rows: m, cols: k, data: numbers.subarray(3) };
      const [lent, own, B] = [host.lend(A), E.tall(m, k, A.data), E.tall(m, k)];
      fillNormal(B, r, E);
      const f = chain(2, (op, x, y) => ({ outputs: [op.tanh(op.mul(x, y))], sum: op.exp(x) }));
      const results = [lent, own].map((X) => {
        const [S, G, Y, Z, d] = [E.small(k, k), E.small(k, k), E.tall(m, k), E.tall(m, k), E.tall(m, 1)];
        E.tmul(S, X, B);
        E.gram(G, X);
        E.mul(Y, X, S);
        const total = E.map([Z], f, [X, B]);
        E.combination(Z, Float64Array.of(2, -1), [X, B], 2, 1);
        E.rowDots(d, X, B);
        const dots = new Float64Array(2);
        E.dots(dots, [X, B], 2, B);
        return [...E.read(G), ...E.read(Y), ...E.read(Z), ...E.read(d), ...dots, total, E.dot(X, X), E.dot(X, B)];
      });
      const errors = results[0]!.map((v, i) => Math.abs(v - results[1]![i]!) / (1 + Math.abs(v)));
      expect(Math.max(...errors)).toBeLessThan(1e-12);
      expect(E.read(lent)).toEqual(E.read(own));
      E.combine(lent, 2, lent, 0, lent);
      expect(A.data).toEqual(E.read(own).map((v) => 2 * v));
      refused(() => host.lend({ ...A, cols: 2 }), /301×2/, /2709 numbers/);
    });

    test("columns are put at their place, and nothing else is touched", (context) => {
      const { host } = E;
      if (!host) return context.skip("matrices are not in host memory");
      const r = random(5, "put");
      const [A, B] = [E.tall(37, 6), E.tall(37, 2)];
      fillNormal(A, r, E);
      fillNormal(B, r, E);
      const b = E.read(B);
      for (const at of [0, 3, 4]) {
        const expected = E.read(A);
        for (let i = 0; i < 37; i++) expected.set(b.subarray(2 * i, 2 * i + 2), 6 * i + at);
        host.put(A, B, at);
        expect(E.read(A)).toEqual(expected);
      }
      expect(E.read(B)).toEqual(b);
      for (const at of [-1, 5, 0.5]) refused(() => host.put(A, B, at), /37×2/, /37×6/, new RegExp(`column ${at}`));
      refused(() => host.put(A, E.tall(36, 2), 0), /36×2/);
      refused(() => host.put(A, null as never, 0), /null/);
    });

    test("an operator reads a lent matrix where it lies, and copies any other", (context) => {
      const { host } = E;
      if (!host) return context.skip("matrices are not in host memory");
      const r = random(5, "lent");
      const A = { rows: 40, cols: 7, data: Float64Array.from({ length: 280 }, () => r.normal()) };
      const [X, Y, Z] = [E.tall(7, 3), E.tall(40, 3), E.tall(7, 3)];
      fillNormal(X, r, E);
      const own = E.tall(40, 7, A.data);
      const images = (made: Operator): number[] => {
        made.apply(Y, X);
        made.applyT(Z, Y);
        return [...E.read(Y), ...E.read(Z)];
      };
      const before = E.counters.matrices;
      const lent = E.operator(host.lend(A));
      expect(E.counters.matrices).toBe(before);
      const copies = [E.operator(A), E.operator(own)];
      const first = images(copies[0]!);
      // by another kernel perhaps, which adds in another order
      for (const [k, v] of images(lent).entries()) expect(Math.abs(v - first[k]!)).toBeLessThan(1e-12);
      A.data.fill(0);
      E.fill(own, 0);
      for (const copy of copies) expect(images(copy)).toEqual(first);
      expect(images(lent).every((v) => v === 0)).toBe(true);
    });

    test("inner products that are requested together are those of `dot` and `dots`, of other sums too", () => {
      const r = random(6, "sums");
      const Xs = [0, 1, 2].map(() => E.tall(37, 3));
      for (const X of Xs) fillNormal(X, r, E);
      const [X, Y] = Xs as [Tall, Tall];
      const [one, several] = [E.sums(1), E.sums(4)];
      const list = [...Xs];
      for (let round = 0; round < 2; round++) {
        one.dot(0, X, Y);
        several.dots(1, list, 3, Y);
        // the list is the caller's
        list.reverse();
        several.dot(0, X, X);
        several.arrive();
        one.arrive();
        list.reverse();
        const expected = new Float64Array(3);
        E.dots(expected, list, 3, Y);
        [E.dot(X, Y), E.dot(X, X), ...expected].forEach((value, i) => {
          const found = [...one.at, ...several.at][i]!;
          expect(Math.abs(found - value)).toBeLessThanOrEqual(1e-13 * (37 + Math.abs(value)));
        });
        E.combine(X, 2, X, 1, Y);
      }
      refused(() => several.dot(0, X, E.tall(36, 3)), /37×3|36×3/);
    });

    test("the kinds are not confused, whatever their shapes", () => {
      const K = kindless(E);
      const [X, Y, S, T] = [K.tall(4, 4), K.tall(4, 4), K.small(4, 4), K.small(4, 4)];
      const plain = { rows: 4, cols: 4, data: new Float64Array(16) };
      for (const op of [
        () => K.gram(X, Y),
        () => K.tmul(X, Y, Y),
        () => K.tmul(S, X, T),
        () => K.mul(X, Y, K.tall(4, 4)),
        () => K.mul(X, S, T),
        () => K.mul(S, X, T),
        () => K.mulT(S, X, T),
        () => K.dot(X, S),
        () => K.dots(new Float64Array(2), [X, S], 2, Y),
        () => K.copy(X, S),
        () => K.combine(X, 1, Y, 1, S),
        () => K.combination(X, new Float64Array(2), [Y, S], 2),
        () => K.rowDots(K.small(4, 1), X, Y),
        () => K.scaleRows(X, K.small(4, 1), Y),
        () =>
          K.map(
            [X],
            chain(1, ({ neg }, x) => ({ outputs: [neg(x)] })),
            [S],
          ),
        () => K.symmetrize(X),
        () => K.addDiagonal(X, 1),
        () => K.operator(plain).apply(X, S),
        () => K.operator(plain).applyT(S, X),
        () => K.operator(constantTridiagonal(4, 0, 1, 0)).apply(S, X),
        () => K.operator(constantTridiagonal(4, 0, 1, 0)).solve!(X, S),
      ]) {
        refused(op, /tall/, /small/);
      }
    });

    test("what contracts and combines tall matrices does small ones too", () => {
      const S = E.small(2, 2, [1, 2, 3, 4]);
      const T = E.small(2, 2);
      E.gram(T, S);
      expect([...E.read(T)]).toEqual([10, 14, 14, 20]);
      E.tmul(T, S, S);
      expect([...E.read(T)]).toEqual([10, 14, 14, 20]);
      E.mul(T, S, S);
      expect([...E.read(T)]).toEqual([7, 10, 15, 22]);
      E.mulT(T, S, S);
      expect([...E.read(T)]).toEqual([5, 11, 11, 25]);
      E.combine(T, 2, S, 0, S);
      expect([...E.read(T)]).toEqual([2, 4, 6, 8]);
      expect(E.dot(S, T)).toBe(60);
      const r = E.small(2, 1);
      E.rowDots(r, S, S);
      expect([...E.read(r)]).toEqual([5, 25]);
    });

    test("rows are divided by a triangular matrix, tall or small alike", () => {
      const R = E.small(2, 2, [2, 1, 0, 4]);
      for (const Y of [E.tall(3, 2, [2, 5, 4, 2, 0, 8]), E.small(3, 2, [2, 5, 4, 2, 0, 8])]) {
        E.factor.divide(Y, R);
        expect([...E.read(Y)]).toEqual([1, 1, 2, 0, 0, 2]);
      }
    });

    test("factorizations know the matrices of their engine, and their sizes", () => {
      const K = kindless(E);
      const plain = { rows: 2, cols: 2, data: new Float64Array(4) };
      const S = K.small(2, 2, [2, 1, 1, 2]);
      refused(() => K.factor.cholesky(plain, S), /cholesky/, /plain/);
      refused(() => K.factor.eigh(plain, new Float64Array(2), S), /eigh/, /plain/);
      refused(() => K.factor.svd(S, new Float64Array(2), plain, S), /svd/, /plain/);
      refused(() => K.factor.solve(S, plain, S), /solve/, /plain/);
      refused(() => K.factor.divide(S, plain), /divide/, /plain/);
      refused(() => K.factor.eigh(K.small(2, 2), new Float64Array(1), S), /w has room for 1/);
      refused(() => K.factor.svd(K.small(2, 2), new Float64Array(1), K.small(2, 2), S), /s has room for 1/);
      refused(() => K.factor.divide(K.small(3, 3), S), /2×2/, /3×3/);
      const X = K.tall(2, 2);
      refused(() => K.factor.cholesky(K.small(2, 2), X), /tall/, /small/);
      refused(() => K.factor.eigh(X, new Float64Array(2), S), /tall/, /small/);
      refused(() => K.factor.divide(S, X), /tall/, /small/);
    });
  });
}
