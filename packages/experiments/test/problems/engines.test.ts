/** Every problem is the same function on every engine: the same instance, values and derivatives equal to rounding. */

import { openEngine } from "@expen/engines";
import { cudaEngineOn } from "@expen/engines/cuda";
import type { Engine, Tall } from "@expen/linalg";
import { gaussian, random } from "@expen/linalg";
import { jsEngine } from "@expen/linalg/engine";
import { emulatedCuda } from "@expen/testing/engines/cuda/emulated";
import { opaque } from "@expen/testing/engines/opaque";
import { split } from "@expen/testing/engines/split";
import { beforeAll, describe, expect, test } from "vitest";
import { problems } from "../../src/problems/catalog.js";

const [n, p] = [29, 6];

const engines: Record<string, () => Promise<Engine | undefined>> = {
  wasm: () => openEngine("wasm"),
  // a machine may have no BLAS
  blas: () => openEngine("blas").catch(() => undefined),
  opaque: async () => opaque(await openEngine("wasm")),
  split: async () => split(await openEngine("wasm")),
  cuda: async () => cudaEngineOn(emulatedCuda()),
};

describe.each(Object.entries(engines))("problems on %s", (_name, open) => {
  let E: Engine | undefined;
  beforeAll(async () => {
    E = await open();
  });

  test.for([...problems.values()])("$name", ({ make }, context) => {
    if (!E) return context.skip("there is no BLAS here");
    const evaluate = (K: Engine) => {
      const problem = make(K, { n, p, seed: 3 });
      const [X, D] = [1, 2].map((seed) => K.tall(n, p, gaussian(n, p, random(seed)).data)) as [Tall, Tall];
      const [G, H] = [K.tall(n, p), K.tall(n, p)];
      const f = problem.objective.fg(G, X);
      problem.objective.hvp!(H, X, D);
      return { f, G: K.read(G), H: K.read(H), optimum: problem.optimum };
    };
    const { f, G, H, optimum } = evaluate(E);
    const { f: f0, G: G0, H: H0, optimum: optimum0 } = evaluate(jsEngine());
    const size = (A: Float64Array): number => Math.hypot(...A);
    const distance = (A: Float64Array, B: Float64Array): number => Math.hypot(...A.map((v, k) => v - B[k]!));
    expect(Math.abs(f - f0)).toBeLessThanOrEqual(1e-13 * size(G0) * Math.sqrt(n * p));
    expect(distance(G, G0)).toBeLessThanOrEqual(1e-13 * size(G0));
    expect(distance(H, H0)).toBeLessThanOrEqual(1e-13 * size(H0));
    if (optimum0 === undefined) expect(optimum).toBeUndefined();
    else expect(Math.abs(optimum! - optimum0)).toBeLessThanOrEqual(1e-13 * (1 + Math.abs(optimum0)));
  });
});
