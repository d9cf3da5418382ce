import { wasmEngine } from "@expen/engines/wasm";
import { engineContract } from "@expen/testing/contracts/engine";
import { linalgContract } from "@expen/testing/contracts/linalg";
import { opaque } from "@expen/testing/engines/opaque";
import { expect, test } from "vitest";
import { polar } from "../../src/dense/polar.js";
import { jsEngine } from "../../src/engine/js.js";
import { EngineError } from "../../src/errors.js";
import { random } from "../../src/random.js";

engineContract("opaque", async () => opaque(jsEngine()));
linalgContract("opaque", async () => opaque(await wasmEngine()));

test("the numbers cannot be read, and the sentence says what to do; those that cross are counted", () => {
  const E = opaque(jsEngine());
  const [X, S] = [E.tall(5, 2), E.small(2, 2)];
  for (const M of [X, S]) {
    expect(() => M.data).toThrow(EngineError);
    expect(() => M.data).toThrow(/2 matrix .* not in host memory; copy it with read\(\), or use engine operations/);
  }
  E.gram(S, X);
  expect(E.crossings).toEqual({ tall: 0, small: 0 });
  E.read(S);
  E.write(S, [1, 2, 3, 4]);
  E.small(2, 3, [1, 2, 3, 4, 5, 6]);
  E.read(X);
  expect(E.crossings).toEqual({ tall: 10, small: 14 });
});

test("the polar factor reads no tall matrix, near and far from the manifold, with full rank and without", () => {
  const E = opaque(jsEngine());
  const project = polar(E, 30, 4);
  const [X, Y, S] = [E.tall(30, 4), E.tall(30, 4), E.small(4, 4)];
  E.write(X, random(1).normal);
  const { tall } = E.crossings;
  project(Y, X);
  project(X, Y);
  E.write(S, (i = 0) => ++i);
  E.mul(Y, X, S);
  expect(project(X, Y)).toBe(1);
  // but for the random columns that take the place of missing ones
  expect(E.crossings.tall - tall).toBe(3 * 30);
});
