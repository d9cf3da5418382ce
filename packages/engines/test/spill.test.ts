import { EngineError } from "@expen/linalg";
import { type Kind, makeEngine, type Owned } from "@expen/linalg/engine";
import { blasHere } from "@expen/testing/contracts/blas-here";
import { engineContract } from "@expen/testing/contracts/engine";
import { describe, expect, test } from "vitest";
import { openBlasLibrary } from "../src/blas/library.js";
import { products } from "../src/blas/products.js";
import { type SpillOptions, spilling } from "../src/blas/spill.js";
import { type WasmParts, wasmParts } from "../src/wasm/engine.js";

const { absent, title } = await blasHere({});

const open = async (options?: SpillOptions) => makeEngine({ name: "spilling", ...(await spilling(options)) });

engineContract("spilling, WebAssembly memory only", () => open());

/** WebAssembly memory that refuses the matrices that `full` says */
const crowded = (full: (rows: number) => boolean) => async (): Promise<WasmParts> => {
  const real = await wasmParts();
  const memory = {
    ...real.memory,
    allocate(rows: number, cols: number, owner: object, kind: Kind): Owned {
      if (full(rows)) throw new EngineError("full");
      return real.memory.allocate(rows, cols, owner, kind);
    },
  };
  return { ...real, memory };
};

engineContract("spilling, matrices on both sides", () => {
  let count = 0;
  return open({ wasm: crowded(() => count++ % 2 === 1) });
});

engineContract("spilling, matrices on both sides, in tiles of 24 numbers", () => {
  let count = 0;
  return open({ wasm: crowded(() => count++ % 2 === 1), tile: 24 });
});

engineContract("spilling, no WebAssembly at all", () => open({ wasm: () => Promise.reject(new EngineError("none")) }));

describe.skipIf(absent)(title, () => {
  /** The products of `blas`, whose short ways are those of WebAssembly, beside a memory that refuses some */
  async function crowdedBlas(refused: (count: number) => boolean) {
    let count = 0;
    const { memory, kernels } = await spilling({ wasm: crowded(() => refused(count++)) });
    const own = products(await openBlasLibrary(undefined, 1), { ...kernels }, true, () => undefined);
    return makeEngine({ name: "blas", description: "", memory, kernels: { ...kernels, ...own } });
  }

  test.each([
    ["A", 0],
    ["S", 1],
  ])("AᵀA, AᵀB and A·B where %s does not lie in WebAssembly memory", async (_which, outside) => {
    const E = await crowdedBlas((count) => count % 3 === outside);
    for (const [n, p] of [
      [1, 1],
      [9, 3],
      // beyond 10⁶ multiplications libraries compute a triangle only
      [3000, 20],
    ] as const) {
      const a = Float64Array.from({ length: n * p }, (_, k) => Math.sin(1 + k));
      const gram = Float64Array.from({ length: p * p }, (_, k) => {
        const [i, j] = [Math.floor(k / p), k % p];
        return a.reduce((sum, x, at) => sum + (at % p === i ? x * a[at - i + j]! : 0), 0);
      });
      // as many matrices in each round as `outside` repeats after
      const [A, S, B] = [E.tall(n, p, a), E.small(p, p), E.tall(n, p, a)];
      expect([A, S].map((M) => (M as Owned).at === 0)).toEqual([outside === 0, outside === 1]);
      for (const product of [() => E.gram(S, A), () => E.tmul(S, A, B)]) {
        E.fill(S, Number.NaN);
        product();
        for (const [k, x] of E.read(S).entries()) expect(Math.abs(x - gram[k]!)).toBeLessThanOrEqual(1e-13 * n);
      }
      E.mul(B, A, S);
      const first = a.subarray(0, p).reduce((sum, x, i) => sum + x * gram[i * p]!, 0);
      expect(Math.abs(E.read(B)[0]! - first)).toBeLessThanOrEqual(1e-13 * n * p);
    }
  });
});

test("the same numbers with more matrices than tiles, and with rows longer than tiles", async () => {
  let count = 0;
  const E = await open({ wasm: crowded(() => count++ % 2 === 1), tile: 24 });
  const [n, p] = [9, 30];
  const many = Array.from({ length: 20 }, (_, l) =>
    E.tall(
      n,
      p,
      Float64Array.from({ length: n * p }, (_, i) => i % (l + 2)),
    ),
  );
  const Z = E.tall(n, p);
  E.combination(
    Z,
    Float64Array.from(many, (_, l) => l + 1),
    many,
    many.length,
  );
  const expected = Float64Array.from({ length: n * p }, (_, i) =>
    many.reduce((sum, _, l) => sum + (l + 1) * (i % (l + 2)), 0),
  );
  expect(E.read(Z)).toEqual(expected);
  const r = E.tall(n, 1);
  E.rowDots(r, many[0]!, many[1]!);
  const rows = Array.from({ length: n }, (_, i) => Array.from({ length: p }, (_, j) => i * p + j));
  expect([...E.read(r)]).toEqual(rows.map((ks) => ks.reduce((sum, k) => sum + (k % 2) * (k % 3), 0)));
});

test("matrices go to the JavaScript heap once the memory is full; after dispose allocation fails", async () => {
  const E = await open({ wasm: crowded((rows) => rows > 100) });
  const [inside, outside] = [E.small(3, 3) as Owned, E.tall(101, 2) as Owned];
  expect(inside.at).toBeGreaterThan(0);
  expect(outside.at).toBe(0);
  E.dispose();
  expect(() => E.small(2, 2)).toThrow(/disposed/);
  expect(() => E.tall(101, 2)).toThrow();
});
