import { wasmEngine } from "@expen/engines/wasm";
import type { Engine, Matrix, Tall } from "@expen/linalg";
import { fillNormal, random } from "@expen/linalg";
import { constantTridiagonal } from "@expen/linalg/arrays";
import { jsEngine, smallOf } from "@expen/linalg/engine";
import { describe, expect, test } from "vitest";
import * as T from "../src/index.js";

const { add, compile, inner, mul, norm2, parameter, scale, sum, t, trace } = T;
const E = jsEngine();
const given = (rows: number, cols: number, seed = 1, K: Engine = E): Tall => {
  const M = K.tall(rows, cols);
  fillNormal(M, random(seed, `${rows}x${cols}`));
  return M;
};
const numbers = (M: Matrix): number[] => Array.from(M.data);
const [n, p] = [7, 3];

describe("memory", () => {
  test("no matrix is made after compile but those of the Hessian, when it is first asked for, on js and wasm", async () => {
    for (const K of [jsEngine(), await wasmEngine()]) {
      const [A, X, D, G] = [given(n, n, 1, K), given(n, p, 2, K), given(n, p, 3, K), K.tall(n, p)];
      const f = compile(K, { n, p }, (Y) =>
        add(
          sum(T.exp(mul(A, Y))),
          T.logdet(add(T.identity(p), mul(t(Y), Y))),
          T.logSumExp(Y),
          norm2(mul(T.diag(T.rowSums(Y)), Y)),
        ),
      );
      const compiled = K.counters.matrices;
      f.f(X);
      f.fg(G, X);
      expect(K.counters.matrices).toBe(compiled);
      f.hvp(G, X, D);
      const asked = K.counters.matrices;
      expect(asked).toBeGreaterThan(compiled);
      for (let k = 0; k < 3; k++) {
        f.f(X);
        f.fg(G, X);
        f.hvp(G, X, D);
        f.linearize(X)(G, D);
      }
      expect(K.counters.matrices).toBe(asked);
      K.dispose();
    }
  });

  test("matrices made after compile, which may grow a WebAssembly memory, do no harm", async () => {
    const K = await wasmEngine();
    const [X, G] = [given(n, p, 2, K), K.tall(n, p)];
    const f = compile(K, { n, p }, (Y) => sum(T.sin(mul(t(Y), Y))));
    const value = f.fg(G, X);
    const gradient = numbers(G);
    const hoard = Array.from({ length: 30 }, () => K.tall(1 << 17, 4));
    expect(f.fg(G, X)).toBe(value);
    expect(numbers(G)).toEqual(gradient);
    expect(hoard).toHaveLength(30);
    K.dispose();
  });

  test("a constant of the engine is used in place, another is copied", () => {
    const A = given(n, p);
    const plain = { rows: n, cols: p, data: A.data.slice() };
    const made = (B: Matrix): number => {
      const before = E.counters.matrices;
      compile(E, { n, p }, (X) => norm2(add(X, B)));
      return E.counters.matrices - before;
    };
    expect(made(plain)).toBe(made(A) + 1);
  });

  test("a large dense factor is read where it lies; a part of a buffer, which may be one of a WebAssembly memory, is copied", () => {
    const size = 70;
    const data = given(size, size, 6).data.slice();
    const part = new Float64Array(data.length + 1).subarray(1);
    part.set(data);
    const [X, G] = [given(size, p, 2), E.tall(size, p)];
    const [whole, copied] = [data, part].map((numbers) => {
      const before = E.counters.matrices;
      const f = compile(E, { n: size, p }, (Y) => norm2(mul({ rows: size, cols: size, data: numbers }, Y)));
      return { made: E.counters.matrices - before, f };
    }) as [{ made: number; f: T.TapeObjective }, { made: number; f: T.TapeObjective }];
    expect(copied.made).toBe(whole.made + 1);
    expect(whole.f.fg(G, X)).toBe(copied.f.f(X));
    part.fill(0);
    expect(copied.f.f(X)).toBe(whole.f.f(X));
  });

  test("a very large one is copied when it has been used often, once, and gives the same", () => {
    const size = 520;
    const [X, B] = [given(size, 1, 2), { rows: size, cols: size, data: given(size, size, 6).data.slice() }];
    const f = compile(E, { n: size, p: 1 }, (Y) => norm2(mul(B, Y)));
    const [compiled, first] = [E.counters.matrices, f.f(X)];
    const made = Array.from({ length: 300 }, () => {
      expect(f.f(X)).toBe(first);
      return E.counters.matrices - compiled;
    });
    expect(made[0]).toBe(0);
    expect(made.at(-1)).toBe(1);
  });

  test("what does not depend on X is computed once", () => {
    const [A, B, X, G] = [given(n, n), given(n, p, 2), given(n, p, 3), E.tall(n, p)];
    const f = compile(E, { n, p }, (Y) => norm2(add(Y, mul(A, B))));
    f.fg(G, X);
    const before = E.counters.flops;
    f.fg(G, X);
    f.f(X);
    expect(E.counters.flops).toBe(before);
  });

  test("js and wasm give the same numbers", async () => {
    const W = await wasmEngine();
    const results = [E, W].map((K) => {
      const [A, X, G] = [given(40, 40, 1, K), given(40, 6, 2, K), K.tall(40, 6)];
      const L = constantTridiagonal(40, -1, 2, -1);
      const f = compile(K, { n: 40, p: 6 }, (Y) => add(inner(Y, mul(A, L, Y)), norm2(T.solve(L, T.rowSums(Y)))));
      return [f.fg(G, X), ...numbers(G)];
    }) as [number[], number[]];
    for (const [i, v] of results[0].entries())
      expect(Math.abs(v - results[1][i]!)).toBeLessThan(1e-11 * (1 + Math.abs(v)));
    W.dispose();
  });
});

describe("shapes at the border", () => {
  test("n = p = 1: f(x) = exp(x) + x²", () => {
    const f = compile(E, { n: 1, p: 1 }, (x) => add(T.exp(x), mul(t(x), x)));
    const [X, D, G] = [E.tall(1, 1), E.tall(1, 1), E.tall(1, 1)];
    [X.data[0], D.data[0]] = [0.5, 2];
    expect(f.fg(G, X)).toBeCloseTo(Math.exp(0.5) + 0.25, 14);
    expect(G.data[0]).toBeCloseTo(Math.exp(0.5) + 1, 14);
    f.hvp(G, X, D);
    expect(G.data[0]).toBeCloseTo(2 * (Math.exp(0.5) + 2), 14);
  });

  test("f that does not depend on X, or only linearly: zero and constant derivatives", () => {
    const A = given(n, p, 4);
    const [X, D, G] = [given(n, p), given(n, p, 2), E.tall(n, p)];
    const constant = compile(E, { n, p }, () => T.sum(A));
    G.data.fill(Number.NaN);
    expect(constant.fg(G, X)).toBeCloseTo(
      A.data.reduce((s, v) => s + v, 0),
      12,
    );
    expect(numbers(G)).toEqual(new Array(n * p).fill(0));
    expect(constant.f(X)).toBe(constant.fg(G, X));
    const linear = compile(E, { n, p }, (Y) => inner(A, Y));
    linear.fg(G, X);
    expect(numbers(G)).toEqual(numbers(A));
    linear.hvp(G, X, D);
    expect(numbers(G)).toEqual(new Array(n * p).fill(0));
  });

  test("∇f = X and ∇²f[D] = D are copies, not the arguments", () => {
    const f = compile(E, { n, p }, (X) => scale(0.5, norm2(X)));
    const [X, D, G] = [given(n, p), given(n, p, 2), E.tall(n, p)];
    f.fg(G, X);
    expect(numbers(G)).toEqual(numbers(X));
    f.hvp(G, X, D);
    expect(numbers(G)).toEqual(numbers(D));
    expect(G.data).not.toBe(D.data);
  });

  test("a formula of 600 steps", () => {
    const f = compile(E, { n: 2, p: 1 }, (X) => {
      let Y = X;
      for (let k = 0; k < 600; k++) Y = add(T.tanh(Y), X);
      return sum(Y);
    });
    const [X, G] = [E.tall(2, 1, [0.5, -1]), E.tall(2, 1)];
    let [y, d] = [0.5, 1];
    for (let k = 0; k < 600; k++) [y, d] = [Math.tanh(y) + 0.5, (1 - Math.tanh(y) ** 2) * d + 1];
    f.fg(G, X);
    expect(G.data[0]).toBeCloseTo(d, 12);
  });

  test("a formula may return a number", () => {
    expect(compile(E, { n, p }, () => 4).f(given(n, p))).toBe(4);
  });
});

describe("parameters", () => {
  test("a scalar and a matrix change between runs, also in what was computed once", () => {
    const [A, B] = [given(p, p, 1), given(p, p, 2)];
    const [alpha, M] = [parameter("alpha", 2), parameter("M", A)];
    const f = compile(E, { n, p }, (X) => mul(T.exp(alpha), sum(mul(X, T.square(M)))));
    const [X, G] = [given(n, p, 3), E.tall(n, p)];
    const expected = (a: number, C: Matrix): number =>
      Math.exp(a) * compile(E, { n, p }, (Y) => sum(mul(Y, T.square(C)))).f(X);
    expect(f.fg(G, X)).toBeCloseTo(expected(2, A), 10);
    f.set("alpha", -1);
    expect(f.f(X)).toBeCloseTo(expected(-1, A), 10);
    f.set("M", B);
    expect(f.fg(G, X)).toBeCloseTo(expected(-1, B), 10);
    expect(E.dot(G, X)).toBeCloseTo(expected(-1, B), 10);
  });

  test("a linearization follows the parameters", () => {
    const alpha = parameter("alpha", 1);
    const f = compile(E, { n, p }, (X) => scale(alpha, sum(T.pow(X, 3))));
    const [X, D, H] = [given(n, p), given(n, p, 2), E.tall(n, p)];
    const second = f.linearize(X);
    f.set("alpha", 5);
    second(H, D);
    for (const [i, h] of numbers(H).entries()) expect(h).toBeCloseTo(30 * X.data[i]! * D.data[i]!, 12);
  });

  test("a Hessian that is first asked for after they changed has the new ones, also where their array is used again", () => {
    const [alpha, M] = [parameter("alpha", 1), parameter("M", given(n, n, 4))];
    const f = compile(E, { n, p }, (X) => scale(alpha, sum(T.pow(mul(M, X), 3))));
    const [X, D, H] = [given(n, p), given(n, p, 2), E.tall(n, p)];
    const B = { rows: n, cols: n, data: given(n, n, 5).data.slice() };
    f.set("alpha", 5);
    f.set("M", B);
    const again = compile(E, { n, p }, (X) => scale(5, sum(T.pow(mul({ ...B, data: B.data.slice() }, X), 3))));
    B.data.fill(0);
    f.hvp(H, X, D);
    const K = E.tall(n, p);
    again.hvp(K, X, D);
    for (const [i, h] of numbers(H).entries()) expect(h).toBeCloseTo(K.data[i]!, 10);
  });

  test("a symmetric parameter halves the work and stays symmetric", () => {
    const sym = smallOf(E, given(n, n));
    E.symmetrize(sym);
    const count = (symmetric: boolean): number => {
      const M = parameter("M", sym, { symmetric });
      const f = compile(E, { n, p }, (X) => trace(mul(t(X), M, X)));
      const before = E.counters.flops;
      f.fg(E.tall(n, p), given(n, p));
      return E.counters.flops - before;
    };
    expect(count(true)).toBe(2 * n * n * p);
    expect(count(false)).toBe(2 * count(true));
    const f = compile(E, { n, p }, (X) => trace(mul(t(X), parameter("M", sym, { symmetric: true }), X)));
    expect(() => f.set("M", given(n, n))).toThrow(/declared symmetric/);
  });

  test("wrong names, shapes and doublets are refused", () => {
    const f = compile(E, { n, p }, (X) => mul(parameter("alpha", 1), norm2(X)));
    expect(() => f.set("beta", 1)).toThrow(/no parameter 'beta'; the formula has 'alpha'/);
    expect(() => f.set("alpha", given(2, 2))).toThrow(/1×1 but the new value is 2×2/);
    expect(() => compile(E, { n, p }, (X) => mul(parameter("a", 1), parameter("a", 2), norm2(X)))).toThrow(
      /two parameters/,
    );
  });
});

describe("mistakes are one sentence", () => {
  const refused = (build: (X: T.Expr) => T.Arg, ...words: RegExp[]): void => {
    expect(() => compile(E, { n, p }, build)).toThrow(T.TapeError);
    for (const word of words) expect(() => compile(E, { n, p }, build)).toThrow(word);
  };

  test("shape errors name operation, shapes and the user's line", () => {
    refused((X) => trace(mul(X, X)), /^mul: inner sizes differ, 7×3 times 7×3 .*compile\.test\.ts:\d+:\d+\.$/);
    const line = Number(/compile\.test\.ts:(\d+)/.exec(new Error().stack!)![1]) + 1;
    const message = (): unknown => compile(E, { n, p }, (X) => inner(X, t(X)));
    expect(message).toThrow(new RegExp(`^inner: shapes differ, 7×3 and 3×7 at .*compile\\.test\\.ts:${line}:`));
    refused((X) => add(X, t(X)), /^add: shapes differ/);
    refused((X) => T.logdet(X), /^logdet: .*7×3.*square/);
    refused((X) => trace(X), /^trace: .*square/);
    refused((X) => T.diag(X), /^diag: .*vector or square/);
    refused((X) => scale(X, X), /^scale: the factor is 7×3/);
    refused((X) => T.solve(mul(t(X), X), X), /^solve: sizes differ, 3×3 and 7×3/);
    refused((X) => X, /^compile: the function returns 7×3; it must return a number/);
  });

  test("other bad arguments", () => {
    refused((X) => mul(undefined as never, X), /^mul: an argument is undefined/);
    refused((X) => add(X, null as never), /null/);
    refused((X) => mul([[1, 2], [3]], X), /rows of different lengths/);
    refused((X) => sum(mul({ rows: n, cols: n, data: new Float64Array(3) }, X)), /7×7 but has 3 numbers/);
    refused(
      (X) => sum(mul({ rows: n, cols: n, pointers: [0], indices: [], values: [] }, X)),
      /sparse matrix 7×7 needs 8 pointers/,
    );
    refused((X) => sum(T.exp(constantTridiagonal(n, 0, 1, 0))) && sum(X), /may only be a factor/);
    refused((X) => T.pow(X, Number.NaN), /exponent is NaN/);
    refused((X) => T.smoothAbs(X, 0), /epsilon is 0/);
    refused((X) => T.huber(X, 0), /huber: delta is 0/);
    refused((X) => T.clip(X, 1, 0), /clip: the ends are 1 and 0/);
    expect(() => compile(E, { n: 0, p }, norm2)).toThrow(/n is 0/);
    expect(() => compile(E, { n, p: 1.5 }, norm2)).toThrow(/p is 1.5/);
    expect(() => trace([[1]])).toThrow(/outside a recorded function/);
    let leaked: T.Expr | undefined;
    compile(E, { n, p }, (X) => norm2((leaked = X)));
    refused((X) => inner(leaked!, X), /another recorded function/);
  });

  test("an expression taken for a number: operators, comparisons, its entries, and what is returned", () => {
    const any = (X: T.Expr): never => X as never;
    refused((X) => any(X) * 2, /^tape: \+, \*, <.*know no expressions.*compile\.test\.ts:\d+:\d+\.$/);
    refused((X) => (any(sum(X)) > 0 ? sum(X) : norm2(X)), /know no expressions/);
    refused((X) => Math.exp(any(sum(X))), /know no expressions/);
    refused((X) => (X as unknown as Tall).data[0]!, /^tape: an expression has no numbers/);
    refused(() => undefined as never, /^compile: the function returns undefined; it must return a number/);
    refused(() => "norm2" as never, /returns the string 'norm2'/);
    refused((async (X: T.Expr) => norm2(X)) as never, /returns a promise/);
    refused(() => Number.NaN, /returns NaN/);
  });

  test("points of a wrong shape, aliases, a singular tridiagonal matrix", () => {
    const f = compile(E, { n, p }, norm2);
    const X = given(n, p);
    expect(() => f.f(given(p, n))).toThrow(/X is 3×7; it must be 7×3/);
    expect(() => f.fg(X, X)).toThrow(/G is also the point/);
    expect(() => f.hvp(X, X, given(n, p, 2))).toThrow(/H is also the point/);
    expect(() => compile(E, { n, p }, (Y) => sum(T.solve(constantTridiagonal(n, 0, 0, 0), Y)))).toThrow(/pivot/);
  });

  test("outside its domain a formula gives NaN or −∞, never a number", () => {
    const G = E.tall(2, 2);
    const at = (...data: number[]): Tall => E.tall(2, 2, Float64Array.from(data));
    const value = (build: (X: T.Expr) => T.Arg, X: Tall): number => compile(E, { n: 2, p: 2 }, build).fg(G, X);
    expect(value((X) => sum(T.log(X)), at(1, -1, 1, 1))).toBeNaN();
    expect(value((X) => sum(T.sqrt(X)), at(1, -1, 1, 1))).toBeNaN();
    expect(value((X) => sum(T.pow(X, 0.5)), at(1, -1, 1, 1))).toBeNaN();
    expect(value((X) => trace(T.inv(X)), at(1, 2, 2, 4))).toBeNaN();
    expect(value((X) => T.logdet(X), at(0, 1, 1, 0))).toBeNaN();
    expect(value((X) => T.logdet(X), at(1, 2, 2, 4))).toBe(Number.NEGATIVE_INFINITY);
    expect(numbers(G).every(Number.isNaN)).toBe(true);
    expect(value((X) => trace(T.inv(X)), at(1e-20, 0, 0, 1))).toBeCloseTo(1e20, -6);
    value((X) => T.norm(X), at(0, 0, 0, 0));
    expect(numbers(G).every(Number.isNaN)).toBe(true);
  });
});

test("a linearization stays right when others are made in between", () => {
  const f = compile(E, { n, p }, (X) => sum(T.sin(mul(t(X), X))));
  const [X, Y, D, H, K] = [given(n, p, 1), given(n, p, 2), given(n, p, 3), E.tall(n, p), E.tall(n, p)];
  const at = f.linearize(X);
  at(H, D);
  const alone = numbers(H);
  f.hvp(K, Y, D);
  at(H, D);
  expect(numbers(H)).toEqual(alone);
});

describe("work", () => {
  /** of one value and gradient */
  const counted = (formula: (X: T.Expr) => T.Arg): { flops: number; entries: number } => {
    const f = compile(E, { n, p }, formula);
    const [G, X] = [E.tall(n, p), given(n, p)];
    f.fg(G, X);
    const { flops, entries } = E.counters;
    f.fg(G, X);
    return { flops: E.counters.flops - flops, entries: E.counters.entries - entries };
  };

  test("numbers in every entry are constants of a chain, and a quotient is one division: square, add, sqrt, div", () => {
    expect(counted((X) => sum(T.smoothAbs(X, 0.1)))).toEqual({ flops: 0, entries: 4 * n * p });
  });

  test("powers share 1/x: reciprocal and two squares for x⁻², x⁻⁴ and their sum, then four operations for the gradient", () => {
    const { entries } = counted((X) => sum(add(T.pow(X, -2), T.pow(X, -4))));
    expect(entries).toBeLessThanOrEqual(9 * n * p);
  });

  test("fractional powers: one for value and gradient, which has none to fear at 0", () => {
    const x = given(n, p).data.map(Math.abs);
    x[0] = 0;
    const f = compile(E, { n, p }, (X) => sum(T.pow(X, 4 / 3)));
    const G = E.tall(n, p);
    expect(f.fg(G, E.tall(n, p, x))).toBeCloseTo(
      x.reduce((s, v) => s + v ** (4 / 3), 0),
      12,
    );
    for (const [i, v] of x.entries()) expect(G.data[i]).toBeCloseTo((4 / 3) * Math.cbrt(v), 12);
    // pow, mul, and a multiple of the first
    expect(counted((X) => sum(T.pow(X, 4 / 3))).entries).toBe(3 * n * p);
  });

  test("x·log x: its derivative is log x + 1, without 0·∞", () => {
    // log x, x·log x, log x + 1
    expect(counted((X) => sum(T.hadamard(X, T.log(X)))).entries).toBe(3 * n * p);
  });

  test("Huber's function is six operations with its gradient", () => {
    expect(counted((X) => sum(T.huber(X, 1))).entries).toBeLessThanOrEqual(6 * n * p);
  });

  test("a residual is made in the pass that adds up its squares", () => {
    const [A, B] = [given(n, n), given(n, p, 5)];
    expect(counted((X) => norm2(T.sub(mul(A, X), B)))).toEqual({ flops: 4 * n * n * p, entries: 2 * n * p });
  });

  test("a matrix of distances is symmetric: its kernel is multiplied and summed up once", () => {
    const kernel = (X: T.Expr): T.Arg => {
      const r = T.rowSums(T.square(X));
      return sum(T.exp(T.sub(scale(2, mul(X, t(X))), add(r, t(r)))));
    };
    // r·1ᵀ, 1·rᵀ, X·Xᵀ, K·1, K·X
    expect(counted(kernel).flops).toBe(2 * n * n * (3 + 2 * p));
  });

  test("XᵀBX·P + XᵀBX·Q: what BX is multiplied with is added up before", () => {
    const [B, C] = [given(n, n), given(p, p)];
    for (let i = 0; i < n; i++) for (let j = 0; j < i; j++) B.data[i * n + j] = B.data[j * n + i]!;
    const commutator = (X: T.Expr): T.Arg => {
      const M = mul(t(X), B, X);
      return norm2(T.sub(mul(M, C), mul(t(C), M)));
    };
    // BX, XᵀBX and, with the sum of some p×p products, BX·H
    const [product, small] = [2 * n * p * p, 2 * p ** 3];
    const { flops } = counted(commutator);
    expect(flops).toBeLessThanOrEqual(2 * n * n * p + 2 * product + 5 * small);
  });

  test("log(rowSoftmax(S)) is S less log Σ exp S of its row, also where the softmax is 0 in floating point", () => {
    const [S, X] = [E.tall(1, 3, [0, 1000, -1000]), E.tall(1, 3, [0, 0, 0])];
    const f = compile(E, { n: 1, p: 3 }, (D) => sum(T.log(T.rowSoftmax(add(D, S)))));
    expect(f.f(X)).toBe(-3000);
    const two = E.tall(2, 3, [0, 1000, -1000, 0, 1000, -1000]);
    const rows = compile(E, { n: 2, p: 3 }, (D) => sum(T.log(T.rowSoftmax(add(D, two)))));
    expect(rows.f(E.tall(2, 3))).toBe(-6000);
  });
});
