import { wasmEngine } from "@expen/engines/wasm";
import { engineContract } from "@expen/testing/contracts/engine";
import { linalgContract } from "@expen/testing/contracts/linalg";
import { split } from "@expen/testing/engines/split";
import { expect, test } from "vitest";
import { jsEngine } from "../../src/engine/js.js";

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
