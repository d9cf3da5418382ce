import { expect, test } from "vitest";
import { jsEngine } from "../../src/engines/js.js";
import { wasmEngine } from "../../src/engines/wasm.js";
import { engineContract } from "../contracts/engine.js";
import { linalgContract } from "../contracts/linalg.js";
import { split } from "./split.js";

engineContract("split", async () => split(jsEngine()));
linalgContract("split", async () => split(await wasmEngine()));

test("the rows lie in three uneven parts, some of them empty where n is small", () => {
  const E = split(jsEngine());
  const heights = (n: number): number[] =>
    (E.tall(n, 2) as unknown as { pieces: { rows: number }[] }).pieces.map(({ rows }) => rows);
  expect(heights(90)).toEqual([10, 30, 50]);
  expect(heights(4)).toEqual([0, 1, 3]);
  expect(heights(1)).toEqual([0, 0, 1]);
  expect(() => E.tall(3, 1).data).toThrow(/lie apart/);
});
