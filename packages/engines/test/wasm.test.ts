import { readFileSync } from "node:fs";
import { EngineError, fillNormal, random } from "@expen/linalg";
import { constantTridiagonal } from "@expen/linalg/arrays";
import { jsKernels, type Owned } from "@expen/linalg/engine";
import { engineContract } from "@expen/testing/contracts/engine";
import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { type WasmParts, wasmEngine, wasmParts } from "../src/wasm/engine.js";

engineContract("wasm, plain SIMD", () => wasmEngine({ relaxed: false }));
engineContract("wasm, relaxed SIMD", () => wasmEngine({ relaxed: true }));
engineContract("wasm, 2 threads", () => wasmEngine({ threads: 2 }));

describe("relaxed SIMD", () => {
  // (1 + ε)(1 − ε) − 1 is −ε² with one rounding and 0 with two. Relaxed SIMD rounds once where the processor can.
  const e = 2 ** -30;
  const once =
    process.arch !== "x64" || process.platform !== "linux" || /\bfma\b/.test(readFileSync("/proc/cpuinfo", "utf8"));

  test.each([
    [true, "relaxed SIMD"],
    [false, "SIMD"],
  ])("relaxed = %s says and runs %s", async (relaxed, words) => {
    const parts = await wasmParts({ relaxed });
    expect(parts.description).toBe(`WebAssembly ${words}, 1 thread`);
    const madd = parts.host.exports.multiplyAdd(1 + e, 1 - e, -1);
    expect(madd).toBe(relaxed && once ? -e * e : 0);
    const E = await wasmEngine({ relaxed });
    const A = E.small(1, 2, [1, 1 + e]);
    const B = E.small(2, 1, [-1, 1 - e]);
    const C = E.small(1, 1);
    E.mul(C, A, B);
    expect(C.data[0]).toBe(madd);
    E.mulT(C, A, E.small(1, 2, B.data));
    expect(C.data[0]).toBe(madd);
  });

  test("without the option, relaxed SIMD is used if the host has it", async () => {
    expect((await wasmEngine()).description).toMatch(/relaxed/);
  });
});

/** A matrix between two fences of NaN: whatever is read from beside it shows. */
function fenced(parts: WasmParts, rows: number, cols: number, seed: number): Owned {
  const fence = (): void => void parts.memory.allocate(8, 1, parts, "tall").data.fill(Number.NaN);
  fence();
  const M = parts.memory.allocate(rows, cols, parts, "tall");
  fence();
  fillNormal(M, random(seed, "fenced"));
  return M;
}

function expectNear(A: Owned, B: Owned, length: number): void {
  const tolerance = 2 ** -52 * 40 * (length + 1);
  const wrong = B.data.findIndex((v, i) => !(Math.abs(A.data[i]! - v) <= tolerance));
  expect(wrong, `entry ${wrong} of ${A.rows}×${A.cols}: ${A.data[wrong]} instead of ${B.data[wrong]}`).toBe(-1);
}

describe("gemm and gram of all remainders of the sizes, next to NaN, with all transposes", () => {
  function checkGemm(parts: WasmParts, m: number, n: number, k: number, tA: boolean, tB: boolean): void {
    const A = fenced(parts, tA ? k : m, tA ? m : k, 1);
    const B = fenced(parts, tB ? n : k, tB ? k : n, 2);
    const [C, c] = [fenced(parts, m, n, 3), fenced(parts, m, n, 3)];
    parts.kernels.gemm(m, n, k, -0.5, A, tA, B, tB, 2, C);
    jsKernels.gemm(m, n, k, -0.5, A, tA, B, tB, 2, c);
    expectNear(C, c, k);
  }
  function checkGram(parts: WasmParts, n: number, k: number): void {
    const [S, s] = [fenced(parts, n, n, 4), fenced(parts, n, n, 4)];
    const X = fenced(parts, k, n, 5);
    parts.kernels.gram(k, n, X, 0, S);
    jsKernels.gram(k, n, X, 0, s);
    expectNear(S, s, k);
  }

  test("random small sizes", async () => {
    const parts = await wasmParts();
    const size = fc.integer({ min: 1, max: 37 });
    fc.assert(
      fc.property(size, size, size, fc.boolean(), fc.boolean(), (m, n, k, tA, tB) => {
        checkGemm(parts, m, n, k, tA, tB);
        checkGram(parts, n, k);
      }),
      { numRuns: 300, seed: 1 },
    );
  });

  test.each([
    [5, 259, 514],
    [258, 7, 257],
    [13, 513, 3],
    [1, 300, 300],
  ])("beyond the blocks: %i×%i, inner %i", async (m, n, k) => {
    const parts = await wasmParts({ relaxed: false });
    for (const tA of [false, true]) for (const tB of [false, true]) checkGemm(parts, m, n, k, tA, tB);
    checkGram(parts, n, k);
  });
});

test("the ends of a tridiagonal matrix use neither lower[0] nor upper[n−1], nor turn ∞ into NaN", async () => {
  const E = await wasmEngine();
  for (const [n, p] of [
    [1, 1],
    [1, 3],
    [4, 1],
    [4, 5],
  ] as const) {
    const T = constantTridiagonal(n, 1, 1, 1);
    T.lower.data[0] = Number.NaN;
    T.upper.data[n - 1] = Number.NaN;
    const [X, Y] = [E.tall(n, p), E.tall(n, p)];
    E.fill(X, Number.POSITIVE_INFINITY);
    E.operator(T).apply(Y, X);
    expect(Y.data.every((y) => y === Number.POSITIVE_INFINITY)).toBe(true);
  }
});

test("without SIMD the error names the js engine; without relaxed SIMD plain SIMD is used", async () => {
  const validate = vi.spyOn(WebAssembly, "validate").mockReturnValue(false);
  try {
    await expect(wasmEngine()).rejects.toThrow(EngineError);
    await expect(wasmEngine()).rejects.toThrow(/no WebAssembly SIMD; use the js engine/);
    // the smallest module for plain SIMD is shorter than the one for relaxed SIMD
    validate.mockImplementation((bytes) => bytes.byteLength < 35);
    expect((await wasmEngine()).description).toBe("WebAssembly SIMD, 1 thread");
    await expect(wasmEngine({ relaxed: true })).rejects.toThrow(/no relaxed SIMD/);
  } finally {
    validate.mockRestore();
  }
});

test("invalid options are refused in a sentence", async () => {
  for (const threads of [0, -1, 1.5, Number.NaN, 1e6]) {
    await expect(wasmEngine({ threads })).rejects.toThrow(EngineError);
    await expect(wasmEngine({ threads })).rejects.toThrow(`threads is ${threads}`);
  }
});
