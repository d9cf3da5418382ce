import { expect, test, vi } from "vitest";
import { EngineError, type Kind, type Owned } from "../../src/engines/engine.js";
import { wasmParts } from "../../src/engines/wasm.js";
import { engineContract } from "../contracts/engine.js";

vi.mock("../../src/engines/wasm.js", async (original) => {
  const real = await original<typeof import("../../src/engines/wasm.js")>();
  return { ...real, wasmParts: vi.fn(real.wasmParts) };
});
const { spilling } = await import("../../src/engines/spill.js");
const { makeEngine } = await import("../../src/engines/engine.js");
const open = async () => makeEngine({ name: "spilling", ...(await spilling()) });

engineContract("spilling, WebAssembly memory only", open);

/** WebAssembly memory that refuses the matrices that `full` says */
async function crowded(full: (rows: number) => boolean): Promise<void> {
  const real = await wasmParts();
  const memory = {
    ...real.memory,
    allocate(rows: number, cols: number, owner: object, kind: Kind): Owned {
      if (full(rows)) throw new EngineError("full");
      return real.memory.allocate(rows, cols, owner, kind);
    },
  };
  vi.mocked(wasmParts).mockResolvedValueOnce({ ...real, memory });
}

engineContract("spilling, matrices on both sides", async () => {
  let count = 0;
  await crowded(() => count++ % 2 === 1);
  return open();
});

engineContract("spilling, no WebAssembly at all", async () => {
  vi.mocked(wasmParts).mockRejectedValueOnce(new EngineError("none"));
  return open();
});

test("where the memory is full, matrices go to the JavaScript heap; after dispose there are none", async () => {
  await crowded((rows) => rows > 100);
  const E = await open();
  const [inside, outside] = [E.small(3, 3) as Owned, E.tall(101, 2) as Owned];
  expect(inside.at).toBeGreaterThan(0);
  expect(outside.at).toBe(0);
  E.dispose();
  expect(() => E.small(2, 2)).toThrow(/disposed/);
  expect(() => E.tall(101, 2)).toThrow();
});
