/** Normals drawn on the device are those of the seed, bit for bit, and leave the generator where the host would have left it. */

import { normalStream, random } from "@expen/linalg";
import { emulatedCuda } from "@expen/testing/engines/cuda/emulated";
import { expect, test } from "vitest";
import { cudaEngineOn } from "../src/cuda/engine.js";
import { jumps } from "../src/cuda/xoshiro-jump.js";

test.each([
  [2 ** 14, 0],
  [20_001, 0],
  [20_001, 1],
  [30_000, 3],
])("%i normals after %i others", (size, before) => {
  const E = cudaEngineOn(emulatedCuda());
  const [r, s] = [random(7, "device"), random(7, "device")];
  for (let i = 0; i < before; i++) expect(r.normal()).toBe(s.normal());
  const A = E.tall(size, 1);
  E.write(A, r.normal);
  expect(E.read(A)).toEqual(Float64Array.from({ length: size }, s.normal));
  for (let i = 0; i < 5; i++) expect(r.normal()).toBe(s.normal());
});

test.each([
  ["before the first draw of the device", false],
  ["after it", true],
])("on a full device no draw is lost: %s", (_title, drawnBefore) => {
  const cuda = emulatedCuda();
  const E = cudaEngineOn(cuda);
  const [r, s] = [random(7, "device"), random(7, "device")];
  const [size, A] = [20_000, E.tall(20_000, 1)];
  const fill = (): void => {
    E.write(A, r.normal);
    expect(E.read(A)).toEqual(Float64Array.from({ length: size }, s.normal));
  };
  if (drawnBefore) fill();
  // one of a pair is waiting
  expect(r.normal()).toBe(s.normal());
  cuda.capacity = cuda.used;
  fill();
  for (let i = 0; i < 5; i++) expect(r.normal()).toBe(s.normal());
});

test("2^k steps at once are 2^k steps", () => {
  const r = random(3, "jump");
  const state = normalStream(r.normal)!.state();
  const matrices = jumps(3, 2);
  for (const [k, steps] of [8, 16].entries()) {
    const words = new Uint32Array(4);
    for (let j = 0; j < 128; j++) {
      if (((state[j >> 5]! >>> (j & 31)) & 1) === 0) continue;
      for (let w = 0; w < 4; w++) words[w]! ^= matrices[512 * k + 4 * j + w]!;
    }
    const other = random(1);
    normalStream(other.normal)!.restart(state);
    // a uniform number takes two words
    for (let i = 0; i < steps / 2; i++) other.uniform();
    expect(words).toEqual(normalStream(other.normal)!.state());
  }
});
