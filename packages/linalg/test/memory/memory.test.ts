import { bench } from "@expen/bench/paper/run";
import type { Manifold, Objective, Precondition, View } from "@expen/core";
import { complexStiefel, product, quadraticObjective, randomStart, stiefel } from "@expen/core";
import { davidsonExpen, davidsonParts, krylovExpen, krylovParts } from "@expen/eigen";
import { brockett, noeig } from "@expen/experiments/paper";
import { problems } from "@expen/experiments/problems";
import { minimize, type SolverName, solverParts, solvers, solveStiefel } from "@expen/solvers";
import { afterEach, describe, expect, test, vi } from "vitest";
import { constantTridiagonal } from "../../src/arrays/tridiagonal.js";
import type { Engine } from "../../src/contracts/engine.js";
import type { Tall } from "../../src/contracts/matrix.js";
import { jsEngine } from "../../src/engine/js.js";
import { gaussian } from "../../src/instances.js";
import { availableMemory, bytes } from "../../src/memory/available.js";
import { containerLimits } from "../../src/memory/host.js";
import type { Part } from "../../src/memory/need.js";
import { MemoryError, requireMemory } from "../../src/memory/require.js";
import { random } from "../../src/random.js";

afterEach(() => vi.unstubAllEnvs());

/** An engine that counts what is asked of it, by shape */
function counting(): { base: Engine; E: Engine; asked: (rows: number, cols: number) => number; numbers: () => number } {
  const E = jsEngine();
  const shapes = new Map<string, number>();
  let all = 0;
  const add = (rows: number, cols: number): void => {
    shapes.set(`${rows}×${cols}`, (shapes.get(`${rows}×${cols}`) ?? 0) + 1);
    all += rows * cols;
  };
  return {
    base: E,
    E: {
      ...E,
      tall(rows, cols, numbers) {
        add(rows, cols);
        return E.tall(rows, cols, numbers);
      },
      small(rows, cols, numbers) {
        add(rows, cols);
        return E.small(rows, cols, numbers);
      },
      operator(A) {
        if ("data" in A) add(A.rows, A.cols);
        // its diagonals, their factors, and another main one
        if ("main" in A) add(A.main.rows, 7);
        return E.operator(A);
      },
    },
    asked: (rows, cols) => shapes.get(`${rows}×${cols}`) ?? 0,
    numbers: () => all,
  };
}

/** Nothing declared: f and its gradient alone. */
function plainBrockett(E: Engine, shape: { n: number; p: number }): { objective: Objective } {
  const { quadratic: _, ...objective } = brockett(E, shape).objective;
  return { objective };
}

describe("the rule and what is asked for", () => {
  const [n, p] = [260, 9];
  test.each(Object.keys(solvers) as SolverName[])(
    "%s: n×p and p×p matrices of a run are no more than the rule says, and not much less",
    async (solver) => {
      // a cheap f and a dear one, for which the default has other methods
      for (const [memory, problem] of [undefined, 2, 7].flatMap((m) =>
        [noeig, plainBrockett].map((f) => [m, f] as const),
      )) {
        const { base, E, asked } = counting();
        const { objective } = problem(base, { n, p });
        const o = { solver, certificate: "stationary", ...(memory !== undefined && { memory }) } as const;
        const run = await solveStiefel(E, objective, { ...o, maxIterations: 30 });
        while (!run.next().done);
        const [tall, square] = solverParts(n, p, o) as [Part, Part];
        // the answer is in plain numbers
        const held = tall.count - tall.plain!;
        expect(held).toBeGreaterThanOrEqual(asked(n, p));
        // the rule of the default is that of a dear f, which has thirty pairs for three
        const unused = solver === "auto" && memory === undefined && problem === noeig ? 2 * 27 : 0;
        expect(held).toBeLessThanOrEqual(asked(n, p) + 4 + unused);
        expect(square.count).toBeGreaterThanOrEqual(asked(p, p));
      }
    },
  );

  test.each([1, 6])("p = %i: Krylov spaces ask for no more than their rule says, and not much less", (p) => {
    for (const speeds of [undefined, { flops: 1e10, bytes: 1e11, call: 1e-4 }]) {
      const { base, E, numbers } = counting();
      const size = 1500;
      const { apply } = base.operator(constantTridiagonal(size, -1, 2, -1));
      const quadratic = { apply: (Y: Tall, X: Tall) => apply(Y, X), flops: 2 * size * size };
      const device = { ...E, ...(speeds && { device: { capacity: 1e11, speeds } }) };
      const f = { ...quadraticObjective(base, size, p, quadratic), quadratic };
      const steps = krylovExpen(device, f, randomStart(E, size, p, 1), { tolerance: 1e-9 });
      // the start, one space, and another one: panels are made when they are needed
      for (let k = 0; k < 3; k++) steps.next();
      const said = krylovParts(device, size, p, quadratic).reduce(
        (sum, { count, plain = 0, rows, cols }) => sum + (count - plain) * rows * cols,
        0,
      );
      expect(said).toBeGreaterThanOrEqual(numbers());
      expect(said).toBeLessThanOrEqual(1.6 * numbers());
    }
  });

  test.each([2, 20])("p = %i: Davidson's spaces ask for no more than their rule says, and not much less", (p) => {
    const { base, E, numbers } = counting();
    const size = 1500;
    const { apply } = base.operator(constantTridiagonal(size, -1, 2, -1));
    const quadratic = { apply: (Y: Tall, X: Tall) => apply(Y, X), flops: 5 * size };
    const f = { ...quadraticObjective(base, size, p, quadratic), quadratic };
    const precondition: Precondition = (Z, _X, G) => E.copy(Z, G);
    const steps = davidsonExpen(E, f, randomStart(E, size, p, 1), { precondition, tolerance: 1e-9 });
    for (let k = 0; k < 30; k++) steps.next();
    const said = davidsonParts(size, p).reduce(
      (sum, { count, plain = 0, rows, cols }) => sum + (count - plain) * rows * cols,
      0,
    );
    expect(said).toBeGreaterThanOrEqual(numbers());
    expect(said).toBeLessThanOrEqual(1.6 * numbers());
  });

  test.each([...problems.values()].map((entry) => [entry.name, entry] as const))(
    "%s holds its parts",
    (_name, entry) => {
      const { E, numbers } = counting();
      entry.make(E, { n: 50, p: 4 });
      const parts = entry.holds({ n: 50, p: 4 });
      const expected = parts.reduce((sum, { count, plain = 0, rows, cols }) => sum + (count - plain) * rows * cols, 0);
      expect(numbers() / expected).toBeGreaterThan(0.6);
      expect(numbers() / expected).toBeLessThan(1.3);
    },
  );
});

describe("the comparison", () => {
  const gb = (size: number) => ({ bytes: size * 1e9, text: "this machine has * free" });

  test("both numbers are said; what just fits is taken", () => {
    const parts: Part[] = [
      { count: 12, rows: 1e9, cols: 5 },
      { count: 20, rows: 5, cols: 5 },
    ];
    expect(() => requireMemory(1e9, 5, parts, undefined, gb(23.1))).toThrow(
      new MemoryError(
        "n×p = 1000000000×5 needs about 480 GB (12 matrices of 40.0 GB) but this machine has 23.1 GB free; take a smaller n or p.",
      ),
    );
    expect(() => requireMemory(1e9, 5, parts, undefined, { ...gb(0), bytes: 480e9 + 3999 })).toThrow(MemoryError);
    expect(() => requireMemory(1e9, 5, parts, undefined, { ...gb(0), bytes: 480e9 + 4000 })).not.toThrow();
  });

  test("a WebAssembly memory has 4 GiB, beside what is in plain numbers", () => {
    const parts = [{ count: 2, rows: 20_000, cols: 20_000, plain: 1 }];
    expect(() => requireMemory(20_000, 2, parts, { name: "wasm" }, gb(7))).not.toThrow();
    expect(() => requireMemory(20_000, 2, [{ ...parts[0]!, plain: 0 }], { name: "wasm" }, gb(7))).toThrow(
      /a WebAssembly memory has 4\.29 GB; take a smaller n or p, or another engine/,
    );
    expect(() => requireMemory(20_000, 2, [{ ...parts[0]!, plain: 0 }], { name: "blas" }, gb(7))).not.toThrow();
  });

  test("on a device the certificate lies where the solver was: 10⁷×100 with all of it takes 128 GB of an H200's", () => {
    const device = { name: "cuda", device: { capacity: 149e9 } };
    const [n, p] = [1e7, 100];
    expect(() => requireMemory(n, p, solverParts(n, p), device, gb(100))).not.toThrow();
    expect(() => requireMemory(n, p, solverParts(n, p), { ...device, device: { capacity: 127e9 } }, gb(100))).toThrow(
      /needs about 128 GB \(16 matrices of 8\.00 GB\) but the device has 127 GB free/,
    );
    // host engines give memory back when they like
    expect(() => requireMemory(n, p, solverParts(n, p), { name: "wasm" }, gb(200))).toThrow(/needs about 152 GB/);
  });

  test("p×p matrices, sizes beyond all numbers", () => {
    const said = (n: number, p: number): string => {
      try {
        requireMemory(n, p, solverParts(n, p), undefined, gb(8));
      } catch (error) {
        return (error as Error).message;
      }
      return "";
    };
    expect(said(1e5, 1e5)).toMatch(/[0-9]+ matrices of 80\.0 GB/);
    expect(said(1e15, 5)).toMatch(/needs about \d+ PB \(\d+ matrices of 40\.0 PB\) but this machine has 8\.00 GB free/);
    expect(said(1e300, 1e300)).toMatch(/needs about Infinity EB .* but/);
    expect(bytes(999.6e6)).toBe("1.00 GB");
  });

  test("the limit of a container, in the files of cgroup v2 and v1", () => {
    const files = (texts: Record<string, string>) => (file: string) => {
      const text = texts[file.split("/").at(-1)!];
      if (text === undefined) throw new Error("ENOENT");
      return text;
    };
    expect(containerLimits(files({ "memory.max": "2147483648\n" }))).toEqual([2 ** 31]);
    expect(containerLimits(files({ "memory.max": "max\n" }))).toEqual([]);
    expect(containerLimits(files({ "memory.limit_in_bytes": "1000\n" }))).toEqual([1000]);
    expect(containerLimits(files({}))).toEqual([]);
  });

  test("this machine has some, and no more than it has", () => {
    const { bytes: there, text } = availableMemory();
    expect(there).toBeGreaterThan(1e8);
    expect(there).toBeLessThan(1e15);
    expect(text).toContain("*");
  });
});

describe("before anything is taken", () => {
  test("the library refuses with a MemoryError, f and the engine untouched", async () => {
    const E = jsEngine();
    const f = vi.fn();
    for (const [n, p] of [
      [1e9, 5],
      [1e15, 1],
      [1e5, 1e5],
    ] as const) {
      await expect(minimize(f, { on: stiefel(n, p), engine: E })).rejects.toThrow(MemoryError);
      await expect(solveStiefel(E, { n, p, f, fg: f })).rejects.toThrow(MemoryError);
    }
    for (const { make } of problems.values()) expect(() => make(E, { n: 1e12, p: 5 })).toThrow(MemoryError);
    for (const n of [Number.NaN, 1.5, Number.POSITIVE_INFINITY, -1]) {
      expect(() => stiefel(n, 1)).toThrow(/n is .*; it must be a whole number/);
    }
    expect(() => gaussian(1e7, 1e7, random(1))).toThrow(MemoryError);
    expect(f).not.toHaveBeenCalled();
    expect(E.counters.matrices).toBe(0);
  });

  test("EXPEN_MEMORY takes the place of what is found", async () => {
    const E = jsEngine();
    const run = () => minimize((E) => noeig(E, { n: 50, p: 2 }).objective, { on: stiefel(50, 2), engine: E });
    vi.stubEnv("EXPEN_MEMORY", "0.00001");
    await expect(run()).rejects.toThrow(/needs about 6\d\.\d kB .* but EXPEN_MEMORY allows 10\.0 kB/);
    vi.stubEnv("EXPEN_MEMORY", "0.00007");
    expect((await run()).status).toBe("converged");
  });

  test("a complex matrix counts twice, a product part by part", async () => {
    const need = async (on: Manifold<View>, o: { memory?: number } = { memory: 3 }): Promise<number> => {
      vi.stubEnv("EXPEN_MEMORY", "1e-9");
      const error = await minimize({ fg: () => 0 }, { on, engine: jsEngine(), ...o }).catch((e: Error) => e);
      return Number(/needs about ([\d.]+) kB/.exec((error as Error).message)![1]);
    };
    const real = await need(stiefel(50, 2) as Manifold<View>);
    const complex = complexStiefel(50, 2) as unknown as Manifold<View>;
    expect(await need(complex)).toBeCloseTo(2 * real, 0);
    expect(await need(product({ Z: complex, X: stiefel(50, 2) }) as Manifold<View>)).toBeCloseTo(3 * real, 0);
    // the default keeps thirty pairs of all matrices
    const two = product({ X: stiefel(50, 2), Y: stiefel(50, 2) }) as Manifold<View>;
    expect(await need(two, {})).toBeCloseTo(2 * (await need(stiefel(50, 2) as Manifold<View>, { memory: 30 })), 0);
  });

  test("the benchmark", async () => {
    await expect(bench({ rows: "noeig:1000000000x5", log: () => {} })).rejects.toThrow(MemoryError);
  });
});
