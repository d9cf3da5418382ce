import { expect, test } from "vitest";
import { EngineError, type Kind, makeEngine, type Owned } from "../../src/engines/engine.js";
import { spilling } from "../../src/engines/spill.js";
import { type WasmParts, wasmParts } from "../../src/engines/wasm.js";
import { engineContract } from "../contracts/engine.js";

const open = async (wasm?: Parameters<typeof spilling>[0]) =>
  makeEngine({ name: "spilling", ...(await spilling(wasm)) });

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
  return open(crowded(() => count++ % 2 === 1));
});

engineContract("spilling, no WebAssembly at all", () => open(() => Promise.reject(new EngineError("none"))));

test("where the memory is full, matrices go to the JavaScript heap; after dispose there are none", async () => {
  const E = await open(crowded((rows) => rows > 100));
  const [inside, outside] = [E.small(3, 3) as Owned, E.tall(101, 2) as Owned];
  expect(inside.at).toBeGreaterThan(0);
  expect(outside.at).toBe(0);
  E.dispose();
  expect(() => E.small(2, 2)).toThrow(/disposed/);
  expect(() => E.tall(101, 2)).toThrow();
});
