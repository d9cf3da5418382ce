/** What looks at the numbers of small matrices does so on engines whose matrices cannot be read in place. */

import { wasmEngine } from "@expen/engines/wasm";
import { opaque } from "@expen/testing/engines/opaque";
import { split } from "@expen/testing/engines/split";
import { expect, test } from "vitest";
import type { Matrix } from "../src/contracts/matrix.js";
import { lanczos } from "../src/dense/lanczos.js";
import { svd } from "../src/dense/svd.js";
import { spectralSpread } from "../src/dense/symmetric-eigenvalues.js";
import { tracer } from "../src/dense/trace.js";
import { jsEngine } from "../src/engine/js.js";
import { random } from "../src/random.js";

test.each([
  ["js", async () => jsEngine()],
  ["opaque", async () => opaque(await wasmEngine())],
  ["split", async () => split(jsEngine())],
] as const)("%s: trace, spread, the smallest eigenvalue, singular values of a tall matrix", async (_, open) => {
  const E = await open();
  const D = E.small(3, 3, [2, 5, 5, 5, -1, 5, 5, 5, 7]);
  expect(tracer(E, 3)(D)).toBe(8);
  E.write(D, [2, 0, 0, 0, -1, 0, 0, 0, 7]);
  expect(spectralSpread(3, E)(D)).toBeCloseTo(8, 14);

  // X ↦ X·D has the eigenvalues of D
  const { lowest, vector } = lanczos(
    E,
    20,
    3,
    (Y, X) => E.mul(Y, X, D),
    () => {},
    { tolerance: 1e-12 },
  );
  expect(lowest.value).toBeCloseTo(-1, 10);
  const V = E.tall(20, 3);
  vector(V);
  expect(E.dot(V, V)).toBeCloseTo(1, 8);

  const X = E.tall(40, 5);
  E.write(X, random(2).normal);
  const { U, s, V: W } = svd(E, X);
  expect((U as Matrix & { kind: string }).kind).toBe("tall");
  const S = E.small(5, 5);
  E.gram(S, U);
  E.addDiagonal(S, -1);
  expect(Math.sqrt(E.dot(S, S))).toBeLessThan(1e-14);
  E.write(
    S,
    Float64Array.from({ length: 25 }, (_v, i) => (i % 6 === 0 ? s[i / 6]! : 0)),
  );
  const [T, back] = [E.tall(40, 5), E.tall(40, 5)];
  E.mul(T, U, S);
  E.mulT(back, T, W);
  E.combine(back, 1, back, -1, X);
  expect(Math.sqrt(E.dot(back, back))).toBeLessThan(1e-13 * s[0]!);
});
