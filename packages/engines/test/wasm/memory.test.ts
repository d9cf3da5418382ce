/** Linear memory: growth, reuse, limits. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { Objective } from "@expen/core";
import { drain, randomStart } from "@expen/core";
import { quickCheck } from "@expen/core/check";
import type { Engine, Matrix } from "@expen/linalg";
import { EngineError, fillNormal, random } from "@expen/linalg";
import { jsEngine, makeEngine, smallOf, tallOf } from "@expen/linalg/engine";
import { solveStiefel } from "@expen/solvers";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { wasmParts } from "../../src/wasm/engine.js";
import { freeList } from "../../src/wasm/freelist.js";

setFlagsFromString("--expose-gc");
const gc = runInNewContext("gc") as () => void;

/** Lets the collector find what is dead and its callbacks run. */
async function collect(): Promise<void> {
  for (let i = 0; i < 2; i++) {
    await new Promise((resolve) => setTimeout(resolve, 1));
    gc();
  }
  await new Promise((resolve) => setTimeout(resolve, 5));
}

async function open(threads = 1): Promise<{ E: Engine; heap: Awaited<ReturnType<typeof wasmParts>>["heap"] }> {
  const parts = await wasmParts({ threads });
  return { E: makeEngine({ name: "wasm", ...parts }), heap: parts.heap };
}

describe.each([1, 2])("%i thread(s)", (threads) => {
  test("growth of the memory between two calls leaves all matrices valid", async () => {
    const { E, heap } = await open(threads);
    const J = jsEngine();
    const x = J.tall(301, 7);
    const s = J.small(7, 7);
    const y = J.tall(301, 7);
    fillNormal(x, random(1, "x"));
    fillNormal(s, random(2, "s"));
    const [X, S, Y] = [tallOf(E, x), smallOf(E, s), E.tall(301, 7)];
    const old = X.data;
    const before = heap.use().size;
    const big = E.tall(2 ** 18, 16);
    expect(heap.use().size).toBeGreaterThan(before);
    expect(X.data === old).toBe(false);
    expect(old.length).toBe(threads === 1 ? 0 : 301 * 7);
    expect(E.counters.emptied).toBe(threads === 1 ? 1 : 0);
    expect([...X.data]).toEqual([...x.data]);
    E.mul(Y, X, S);
    J.mul(y, x, s);
    for (let i = 0; i < y.data.length; i++) expect(Y.data[i]).toBeCloseTo(y.data[i]!, 12);
    expect(big.data.every((v) => v === 0)).toBe(true);
    const now = X.data;
    expect(X.data === now).toBe(true);
    E.dispose();
  });
});

test("the error of a run explains an array that growth has detached, and only that", async () => {
  const { E } = await open();
  const [n, p] = [1000, 4];
  const A = E.tall(n, p);
  fillNormal(A, random(1, "A"));
  const kept = A.data;
  const linear = (a: () => Float64Array): Objective => {
    const f = (X: Matrix): number => X.data.reduce((sum, x, i) => sum + a()[i]! * x, 0);
    const fg: Objective["fg"] = (G, X) => {
      for (let i = 0; i < n * p; i++) G.data[i] = a()[i]!;
      return f(X);
    };
    return { n, p, f, fg };
  };
  const f = linear(() => kept);
  const X = randomStart(E, n, p, 1);
  expect(quickCheck(E, f, X).passed).toBe(true);
  E.tall(2 ** 20, 16);
  const sentence = /if f keeps the data of a matrix, read it afresh in every call/;
  const { reason } = await drain(solveStiefel(E, f));
  expect(reason.kind).toBe("not-finite");
  expect(reason.text).toMatch(sentence);
  expect(quickCheck(E, f, X).text).toMatch(sentence);
  expect(
    (
      await drain(
        solveStiefel(
          E,
          linear(() => A.data),
        ),
      )
    ).reason.converged,
  ).toBe(true);
  const { E: small } = await open();
  const nan: Objective = { n: 9, p: 2, f: () => Number.NaN, fg: () => Number.NaN };
  expect((await drain(solveStiefel(small, nan))).reason.text).not.toMatch(sentence);
});

test("a loop that allocates and drops large matrices uses bounded memory, and reused space is zero", async () => {
  const { E, heap } = await open();
  const places = new Set<number>();
  // 16 MiB each, 96 in all
  for (let i = 0; i < 6; i++) {
    const M = E.tall(2 ** 18, 8) as ReturnType<typeof E.tall> & { at: number };
    expect(M.data[0]).toBe(0);
    expect(M.data[2 ** 21 - 1]).toBe(0);
    E.fill(M, i + 1);
    places.add(M.at);
    await collect();
  }
  expect(heap.use().size).toBeLessThan(64 * 2 ** 20);
  expect(places.size).toBeLessThan(5);
});

test("the garbage collection of an engine does not stop others from freeing matrices", async () => {
  await (async () => {
    const { E } = await open();
    E.small(100, 100);
    await new Promise((resolve) => setTimeout(resolve, 1));
    gc();
  })();
  gc();
  const { E, heap } = await open();
  const { used: taken } = heap.use();
  E.small(100, 100);
  await collect();
  expect(heap.use().used).toBe(taken);
});

test("small matrices share rooms: disjoint, zero at first, free once all matrices and views are dead", async () => {
  const { E, heap } = await open(2); // growth does not detach views of a shared memory
  const { used: taken } = heap.use();
  const made = Array.from({ length: 500 }, (_, i) => E.small(1 + (i % 9), 7));
  for (const [i, M] of made.entries()) {
    expect(M.data.every((v) => v === 0)).toBe(true);
    E.fill(M, i + 1);
  }
  for (const [i, M] of made.entries()) expect(M.data.every((v) => v === i + 1)).toBe(true);
  expect(heap.use().used - taken).toBeLessThan(500 * 9 * 64 + 2 ** 18);
  const [kept, view] = [made[100]!, made[300]!.data];
  expect([heap.matrixOf(view), heap.matrixOf(new Float64Array(1))]).toEqual([made[300], undefined]);
  made.length = 0;
  for (let round = 0; round < 20; round++) {
    await collect();
    for (let i = 0; i < 500; i++) {
      const M = E.small(9, 7);
      expect(M.data.every((v) => v === 0)).toBe(true);
      E.fill(M, -1);
    }
  }
  expect(kept.data.every((v) => v === 101)).toBe(true);
  expect(view.every((v) => v === 301)).toBe(true);
  // 5 MB in all
  expect(heap.use().used - taken).toBeLessThan(2 ** 21);
  E.dispose();
});

test("small garbage starts the collector", async () => {
  const { E, heap } = await open();
  // 1 GiB in all
  for (let i = 0; i < 2 ** 20; i++) {
    E.small(11, 11);
    if (i % 1000 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  // the collector is called before half a GiB of garbage waits
  expect(heap.use().used).toBeLessThan(2 ** 29);
});

test("garbage is bounded for any rate of allocation and any time of marking", async () => {
  const { E, heap } = await open();
  const program = Array.from({ length: 300_000 }, (_, i) => ({ i }));
  const kept = E.tall(2 ** 20, 8);
  let most = 0;
  // 64 MiB each, 3 GiB in all
  for (let i = 0; i < 48; i++) {
    E.tall(2 ** 20, 8);
    most = Math.max(most, heap.use().used);
    await new Promise((resolve) => setImmediate(resolve));
  }
  // half a GiB until the collector is called, and a few more until what it found comes back
  expect(most).toBeLessThan(0.75 * 2 ** 30);
  expect([program.length, kept.data.length]).toEqual([300_000, 2 ** 23]);
});

test("a view keeps the space of its dropped matrix", async () => {
  const { E } = await open(2); // growth does not detach views of a shared memory
  const view = (() => {
    const M = E.tall(1000, 10);
    E.fill(M, 7);
    return M.data;
  })();
  await collect();
  for (let i = 0; i < 20; i++) E.fill(E.tall(1000, 10), -1);
  expect(view.every((v) => v === 7)).toBe(true);
  E.dispose();
});

test("an error of too little memory has the numbers, and the engine stays usable", async () => {
  const { E } = await open();
  const half = E.tall(2 ** 28, 1);
  const words = /16384×16384 .*\(2 GiB|2\.00 GiB/;
  expect(() => E.small(2 ** 14, 2 ** 14)).toThrow(EngineError);
  expect(() => E.small(2 ** 14, 2 ** 14)).toThrow(words);
  expect(half.data.length).toBe(2 ** 28);
  // beyond 2 GiB, where a pointer is negative for a signed number
  const [A, S, Y] = [E.tall(50, 9), E.small(9, 9), E.tall(50, 9)];
  E.fill(A, 2);
  E.gram(S, A);
  E.mul(Y, A, S, 0.5, 0);
  expect(S.data.every((v) => v === 200)).toBe(true);
  expect(Y.data.every((v) => v === 1800)).toBe(true);
  expect(E.dot(A, A)).toBe(1800);
});

test("after dispose every call is refused in a sentence", async () => {
  const { E } = await open(2);
  const A = E.small(3, 3);
  E.dispose();
  expect(() => E.dot(A, A)).toThrow(/disposed/);
  expect(() => E.small(2, 2)).toThrow(/disposed/);
});

describe("the free list", () => {
  const request = fc.record({ take: fc.boolean(), size: fc.integer({ min: 1, max: 9 }), pick: fc.nat() });

  test("gives no byte twice, loses none, and merges adjacent pieces", () => {
    fc.assert(
      fc.property(fc.array(request, { maxLength: 200 }), (requests) => {
        const list = freeList();
        const room = 100;
        list.give(0, room);
        const held: { at: number; size: number }[] = [];
        for (const { take, size, pick } of requests) {
          if (take) {
            const longest = Math.max(0, ...list.pieces().map((piece) => piece.end - piece.at));
            const at = list.take(size);
            expect(at >= 0).toBe(longest >= size);
            if (at < 0) continue;
            expect(at + size).toBeLessThanOrEqual(room);
            for (const other of held) expect(at + size <= other.at || other.at + other.size <= at).toBe(true);
            held.push({ at, size });
          } else if (held.length > 0) {
            const [{ at, size: back }] = held.splice(pick % held.length, 1) as [{ at: number; size: number }];
            list.give(at, back);
          }
          const free = list.pieces().reduce((sum, piece) => sum + piece.end - piece.at, 0);
          expect(free + held.reduce((sum, { size: s }) => sum + s, 0)).toBe(room);
          list.pieces().forEach((piece, i, all) => {
            if (i > 0) expect(all[i - 1]!.end).toBeLessThan(piece.at);
          });
        }
      }),
      { numRuns: 300, seed: 1 },
    );
  });
});
