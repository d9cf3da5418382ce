import { engineContract } from "@expen/testing/contracts/engine";
import { expect, test } from "vitest";
import { EngineError } from "../../src/engine/engine.js";
import { jsEngine } from "../../src/engine/js.js";

engineContract("js", async () => jsEngine());

test("a matrix whose buffer was transferred away is refused", () => {
  const E = jsEngine();
  const A = E.small(3, 3);
  structuredClone(A.data, { transfer: [A.data.buffer] });
  expect(() => E.dot(A, E.small(3, 3))).toThrow(EngineError);
  expect(() => E.dot(A, E.small(3, 3))).toThrow(/detached/);
});
