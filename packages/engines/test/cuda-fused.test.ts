/** Sums, operators and the inner products after them: one kernel on the device, the same numbers as one after the other. */

import type { Chain, Engine, Tall } from "@expen/linalg";
import { random } from "@expen/linalg";
import { constantTridiagonal } from "@expen/linalg/arrays";
import { chain, jsEngine, operations } from "@expen/linalg/engine";
import { emulatedCuda } from "@expen/testing/engines/cuda/emulated";
import { describe, expect, test } from "vitest";
import { cudaEngineOn } from "../src/cuda/engine.js";

/** Large enough for sums to wait */
const [N, P] = [2 ** 15, 4];

const normals = [0, 1, 2, 3].map((seed) => Float64Array.from({ length: N * P }, random(seed, "fused").normal));
const matrices = (E: Engine, count: number, n = N): Tall[] =>
  normals.slice(0, count).map((numbers) => E.tall(n, P, numbers.slice(0, n * P)));

/** How often a kernel is launched while `work` runs */
function launches(cuda: ReturnType<typeof emulatedCuda>, work: () => void): number {
  cuda.calls.length = 0;
  cuda.recording = true;
  work();
  cuda.recording = false;
  return cuda.calls.filter(({ name }) => name === "cuLaunchKernel").length;
}

describe("a sum and inner products", () => {
  const near = (a: number, b: number): void => expect(Math.abs(a - b)).toBeLessThanOrEqual(1e-12 * (N + Math.abs(b)));
  const works: [string, number, (E: Engine, Xs: Tall[]) => number[]][] = [
    [
      "⟨Z, Z⟩ of a combination",
      1,
      (E, [Z, A, B, C]) => {
        E.combination(Z!, Float64Array.of(2, -1, 0.5), [A!, B!, C!], 3, -1);
        return [E.dot(Z!, Z!)];
      },
    ],
    [
      "y = G − y with ⟨D_i, G⟩ and ⟨G, G⟩",
      1,
      (E, [y, G, D, F]) => {
        E.combine(y!, 1, G!, -1, y!);
        const r = new Float64Array(3);
        E.dots(r, [D!, F!, G!], 3, G!);
        return [...r];
      },
    ],
    [
      "R = Σ c_i·X_i with ⟨X_i, R⟩",
      1,
      (E, [R, A, B, C]) => {
        E.combination(R!, Float64Array.of(2, -1, 0.5), [A!, B!, C!], 3);
        const r = new Float64Array(3);
        E.dots(r, [A!, B!, C!], 3, R!);
        return [...r];
      },
    ],
    [
      "inner products of others, for which the sum goes on waiting",
      1,
      (E, [Z, A, B, C]) => {
        E.combine(Z!, 1, A!, 2, B!);
        return [E.dot(C!, C!)];
      },
    ],
    [
      "two sums, of which the second reads the first",
      2,
      (E, [Z, A, B, C]) => {
        E.combine(Z!, 1, A!, 2, B!);
        E.combine(C!, 3, Z!, 1, C!);
        return [E.dot(C!, C!)];
      },
    ],
  ];
  test.each(works)("%s: as `js` has it, in so many launches", (_title, count, work) => {
    const cuda = emulatedCuda();
    const [E, J] = [cudaEngineOn(cuda), jsEngine()];
    const [Xs, Ys] = [matrices(E, 4), matrices(J, 4)];
    let here: number[] = [];
    expect(launches(cuda, () => void (here = work(E, Xs)))).toBe(count);
    const there = work(J, Ys);
    here.forEach((v, i) => {
      near(v, there[i]!);
    });
    for (const [i, X] of Xs.entries()) {
      const [a, b] = [E.read(X), J.read(Ys[i]!)];
      expect(a.every((v, k) => Math.abs(v - b[k]!) <= 1e-13 * (1 + Math.abs(b[k]!)))).toBe(true);
    }
  });

  test("a sum that nobody asks about is done when its numbers are read, overwritten or multiplied", () => {
    const E = cudaEngineOn(emulatedCuda());
    const [Z, A, B] = matrices(E, 3) as [Tall, Tall, Tall];
    const [a, b] = [E.read(A), E.read(B)];
    E.combine(Z, 1, A, 1, B);
    E.write(A, new Float64Array(N * P));
    expect(E.read(Z)[17]).toBe(a[17]! + b[17]!);
    E.combine(Z, 1, B, 1, B);
    const S = E.small(P, P);
    E.tmul(S, Z, A);
    expect(E.read(Z)[5]).toBe(2 * b[5]!);
  });
});

describe("inner products that are requested together", () => {
  /** a trial point of limited-memory BFGS: ⟨D, D⟩, and ⟨D_i, G⟩ with ⟨G, G⟩ */
  function trial(E: Engine, [D, G, F]: Tall[]): () => number[] {
    const [length, products] = [E.sums(1), E.sums(3)];
    return () => {
      length.dot(0, D!, D!);
      products.dots(0, [F!, D!, G!], 3, G!);
      products.arrive();
      length.arrive();
      return [...products.at, ...length.at];
    };
  }

  test("take one launch and one wait, and are those that `js` has, again after a matrix was written", () => {
    const cuda = emulatedCuda();
    const [E, J] = [cudaEngineOn(cuda), jsEngine()];
    const [Xs, Ys] = [matrices(E, 3), matrices(J, 3)];
    const [here, there] = [trial(E, Xs), trial(J, Ys)];
    for (let round = 0; round < 2; round++) {
      const before = E.waits.count;
      let found: number[] = [];
      expect(launches(cuda, () => void (found = here()))).toBe(1);
      expect(E.waits.count - before).toBe(1);
      const expected = there();
      found.forEach((v, i) => {
        expect(Math.abs(v - expected[i]!)).toBeLessThanOrEqual(1e-12 * (N + Math.abs(expected[i]!)));
      });
      E.fill(Xs[0]!, round + 2);
      J.fill(Ys[0]!, round + 2);
    }
  });
});

test("a long contraction in pieces, with rows that are left and a coefficient of C: as `js` has it", () => {
  const cuda = emulatedCuda();
  const [n, p, q] = [10_007, 40, 33];
  const numbers = (count: number, seed: number) => Float64Array.from({ length: count }, random(seed, "pieces").normal);
  const [a, b, s] = [numbers(n * p, 1), numbers(n * q, 2), numbers(p * q, 3)];
  cuda.recording = true;
  const [here, there] = [cudaEngineOn(cuda), jsEngine()].map((E) => {
    const S = E.small(p, q, s);
    E.tmul(S, E.tall(n, p, a), E.tall(n, q, b), -2, 0.5);
    return E.read(S);
  }) as [Float64Array, Float64Array];
  expect(cuda.calls.some(({ name }) => name === "cublasDgemmStridedBatched")).toBe(true);
  here.forEach((v, i) => {
    expect(Math.abs(v - there[i]!)).toBeLessThanOrEqual(1e-11 * Math.sqrt(n));
  });
});

test("T·X and (T + Diag(r))·X with ⟨X, ·⟩ after it take one launch", () => {
  const cuda = emulatedCuda();
  const [E, J] = [cudaEngineOn(cuda), jsEngine()];
  const values = [E, J].map((K) => {
    const T = K.operator(constantTridiagonal(1000, -1, 2, -1));
    const [X, Y] = matrices(K, 2, 1000) as [Tall, Tall];
    const r = K.tall(1000, 1);
    K.fill(r, 0.5);
    const raised = K.operator(constantTridiagonal(1000, -1, 2, -1));
    K.combine(raised.main!, 1, T.main!, 1, r);
    const found: number[] = [];
    const work = (): void => {
      T.apply(Y, X);
      found.push(K.dot(X, Y));
      raised.apply(Y, X);
      found.push(K.dot(Y, X));
    };
    if (K === E) expect(launches(cuda, work)).toBe(2);
    else work();
    return [...found, ...K.read(Y)];
  }) as [number[], number[]];
  values[0].forEach((v, i) => {
    expect(Math.abs(v - values[1][i]!)).toBeLessThanOrEqual(1e-10);
  });
});

describe("chains", () => {
  test("every operation, with NaN, infinities and signed zeros, as `js` has it", () => {
    const SPECIAL = [
      0,
      -0,
      1,
      -1,
      0.5,
      -2.5,
      1e-9,
      40,
      -40,
      Number.NaN,
      Number.POSITIVE_INFINITY,
      Number.NEGATIVE_INFINITY,
    ];
    const pairs = SPECIAL.flatMap((x) => SPECIAL.map((y) => [x, y] as const));
    for (const { name, arity } of operations) {
      const c = chain(3, (op, ...x) => ({ outputs: [op[name](...x.slice(0, arity))] }));
      const [here, there] = [cudaEngineOn(emulatedCuda()), jsEngine()].map((E) => {
        const n = pairs.length;
        const inputs = [0, 1, 0].map((i) =>
          E.tall(
            n,
            1,
            pairs.map((pair) => pair[i as 0 | 1]),
          ),
        );
        const Y = E.tall(n, 1);
        E.map([Y], c, inputs);
        return E.read(Y);
      }) as [Float64Array, Float64Array];
      here.forEach((v, i) => {
        const w = there[i]!;
        const same = Object.is(v, w) || Math.abs(v - w) <= 1e-15 * Math.abs(w);
        expect(same && Object.is(Math.sign(v), Math.sign(w)), `${name}(${pairs[i]}) is ${v}, not ${w}`).toBe(true);
      });
    }
  });

  test("equal chains are compiled once, other constants too", () => {
    const cuda = emulatedCuda();
    const E = cudaEngineOn(cuda);
    const [X, Y] = [E.tall(5, 1, [1, 2, 3, 4, 5]), E.tall(5, 1)];
    const scaled = (a: number): Chain => chain(1, ({ mul, exp }, x) => ({ outputs: [mul(a, exp(x))], sum: x }));
    expect(E.map([Y], scaled(1), [X])).toBe(15);
    cuda.recording = true;
    E.map([Y], scaled(2), [X]);
    expect(cuda.calls.some(({ name }) => name === "nvrtcCompileProgram")).toBe(false);
    expect(E.read(Y)[0]).toBeCloseTo(2 * Math.E, 14);
  });
});

describe("a chain of many inputs", () => {
  const many = (count: number): Chain =>
    chain(count, ({ add, mul }, ...xs) => ({ outputs: [xs.reduce((sum, x, i) => add(sum, mul(x, i + 0.5)))] }));

  test("more arguments than are usual", () => {
    const [E, J] = [cudaEngineOn(emulatedCuda()), jsEngine()];
    const results = [E, J].map((E) => {
      const Xs = Array.from({ length: 90 }, (_, i) => E.tall(5, 2, normals[0]!.subarray(10 * i, 10 * i + 10)));
      const Y = E.tall(5, 2);
      E.map([Y], many(90), Xs);
      return E.read(Y);
    });
    expect(results[0]).toEqual(results[1]);
  });

  test("more than CUDA takes are refused in one sentence", () => {
    const E = cudaEngineOn(emulatedCuda());
    const Xs = Array.from({ length: 600 }, () => E.tall(2, 1));
    const ends = chain(600, ({ add }, ...xs) => ({ outputs: [add(xs[0]!, xs[599]!)] }));
    expect(() => E.map([E.tall(2, 1)], ends, Xs)).toThrow(
      /a kernel has \d+ arguments .*; CUDA takes 512: use a chain of fewer/,
    );
  });
});
