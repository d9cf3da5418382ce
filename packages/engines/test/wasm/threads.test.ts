/** Threads: every shared kernel equals the kernel of one thread, the workers end, and the process does not wait for them. */
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Engine, Matrix, Small, Tall } from "@expen/linalg";
import { fillNormal, random } from "@expen/linalg";
import { constantTridiagonal } from "@expen/linalg/arrays";
import { makeEngine } from "@expen/linalg/engine";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type WasmParts, wasmEngine, wasmParts } from "../../src/wasm/engine.js";

let one: Engine;
const crews: { parts: WasmParts; E: Engine }[] = [];

beforeAll(async () => {
  one = await wasmEngine();
  for (const threads of [2, 3]) {
    const parts = await wasmParts({ threads });
    crews.push({ parts, E: makeEngine({ name: "wasm", ...parts }) });
  }
});
afterAll(() => {
  for (const { E } of crews) E.dispose();
});

function filled<M extends Matrix>(M: M, seed: number): M {
  fillNormal(M, random(seed, `${M.rows}x${M.cols}`));
  return M;
}
const normal = (E: Engine, rows: number, cols: number, seed: number): Tall => filled(E.tall(rows, cols), seed);
const square = (E: Engine, p: number, seed: number): Small => filled(E.small(p, p), seed);

const [n, p] = [3001, 51];
const cases: [string, (E: Engine) => Matrix][] = [
  ["gram", (E) => intoSquare(E, p, (S) => E.gram(S, normal(E, n, p, 1)))],
  ["tmul", (E) => intoSquare(E, p, (S) => E.tmul(S, normal(E, n, p, 1), normal(E, n, p, 2), 2, -1))],
  ["mul", (E) => into(E, n, p, (Y) => E.mul(Y, normal(E, n, p, 1), square(E, p, 2), 2, -1))],
  ["mulT", (E) => into(E, n, p, (Y) => E.mulT(Y, normal(E, n, p, 1), square(E, p, 2), 2, 0))],
  ["copy", (E) => into(E, n, p, (Y) => E.copy(Y, normal(E, n, p, 1)))],
  ["fill", (E) => into(E, n, p, (Y) => E.fill(Y, 3))],
  ["combine in place", (E) => into(E, n, p, (Y) => E.combine(Y, 3, normal(E, n, p, 1), 2, Y))],
  ["combine", (E) => into(E, n, p, (Y) => E.combine(Y, 3, normal(E, n, p, 1), 2, normal(E, n, p, 2)))],
  ["rowDots", (E) => into(E, n, 1, (r) => E.rowDots(r, normal(E, n, p, 1), normal(E, n, p, 2)))],
  ["scaleRows", (E) => into(E, n, p, (Y) => E.scaleRows(Y, normal(E, n, 1, 1), normal(E, n, p, 2), 2, 1))],
  [
    "tridiagonal",
    (E) =>
      into(E, n, p, (Y) => {
        const T = { lower: normal(E, n, 1, 1), main: normal(E, n, 1, 2), upper: normal(E, n, 1, 3) };
        E.operator(T).apply(Y, normal(E, n, p, 4), 2, 1);
      }),
  ],
  [
    "tridiagonal, one row",
    (E) =>
      into(E, 1, 200_000, (Y) => {
        E.operator(constantTridiagonal(1, 1, 2, 1)).apply(Y, normal(E, 1, 200_000, 4), 2, 1);
      }),
  ],
  [
    "tridiagonalSolve",
    (E) =>
      into(E, n, p, (Y) => {
        E.operator(constantTridiagonal(n, -1, 2.5, -1)).solve!(Y, normal(E, n, p, 1));
      }),
  ],
];

/** The destination starts from numbers, not from zeros, so that what is not written shows. */
function into(E: Engine, rows: number, cols: number, op: (Y: Tall) => void): Matrix {
  const Y = normal(E, rows, cols, 99);
  op(Y);
  return Y;
}

function intoSquare(E: Engine, p: number, op: (S: Small) => void): Matrix {
  const S = square(E, p, 99);
  op(S);
  return S;
}

test.each(cases)("%s on several threads gives the bits of one thread", (_name, op) => {
  const expected = op(one).data;
  for (const { parts, E } of crews) {
    const before = parts.crew!.jobs();
    const Y = op(E);
    expect(parts.crew!.jobs()).toBe(before + 1);
    const wrong = Y.data.findIndex((v, i) => v !== expected[i]);
    if (wrong >= 0) expect.fail(`entry ${wrong}: ${Y.data[wrong]} instead of ${expected[wrong]}`);
  }
});

test("dot on several threads adds the parts", () => {
  for (const { parts, E } of crews) {
    const before = parts.crew!.jobs();
    const [X, Y] = [normal(E, n, p, 1), normal(E, n, p, 2)];
    const expected = one.dot(normal(one, n, p, 1), normal(one, n, p, 2));
    expect(Math.abs(E.dot(X, Y) - expected)).toBeLessThan(1e-9);
    expect(parts.crew!.jobs()).toBe(before + 1);
  }
});

test("many jobs, with pauses between them, are all done", async () => {
  const { E } = crews[0]!;
  const [X, Y] = [E.tall(2 ** 17, 1), E.tall(2 ** 17, 1)];
  E.fill(X, 1);
  for (let i = 0; i < 300; i++) {
    E.combine(Y, 1, X, 1, Y);
    if (i % 50 === 0) await new Promise((resolve) => setTimeout(resolve, 2));
  }
  expect(Y.data.every((v) => v === 300)).toBe(true);
});

test("a worker that wakes up without a job does nothing", async () => {
  const { E } = crews[0]!;
  const [X, Y] = [E.tall(2 ** 17, 1), E.tall(2 ** 17, 1)];
  E.fill(X, 1);
  E.combine(Y, 1, X, 1, Y);
  const pause = (): Promise<unknown> => new Promise((resolve) => setTimeout(resolve, 30));
  await pause();
  // its flags stand somewhere before the first matrix, at the beginning of a cache line
  const flags = new Int32Array(X.data.buffer, 0, X.data.byteOffset / 4);
  let woken = 0;
  for (let i = 0; i < flags.length; i += 16) woken += Atomics.notify(flags, i);
  expect(woken).toBe(1);
  await pause();
  expect(Y.data.every((v) => v === 1)).toBe(true);
});

test("a process that does not dispose its engine ends", () => {
  const url = new URL("../../dist/wasm.js", import.meta.url);
  const script = `
    const { wasmEngine } = await import(${JSON.stringify(url.href)});
    const E = await wasmEngine({ threads: 2 });
    const X = E.tall(5000, 50);
    E.fill(X, 1);
    const S = E.small(50, 50);
    E.gram(S, X);
    console.log(S.data[0]);`;
  const out = execFileSync(process.execPath, ["--input-type=module", "-e", script], {
    cwd: fileURLToPath(new URL("../../../..", import.meta.url)),
    timeout: 100_000,
    encoding: "utf8",
  });
  expect(out.trim()).toBe("5000");
});
