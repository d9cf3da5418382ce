/** Every solver on the emulated device: its first steps are those of `js`. */

import { cudaEngineOn } from "@expen/engines/cuda";
import type { Engine } from "@expen/linalg";
import { jsEngine } from "@expen/linalg/engine";
import { solvers } from "@expen/solvers";
import { emulatedCuda } from "@expen/testing/engines/cuda/emulated";
import { brockett, feasible } from "@expen/testing/operators";
import { expect, test } from "vitest";
import type { SolverEntry } from "../../src/contracts/solver.js";

const STEPS = 4;

async function values(E: Engine, entry: SolverEntry): Promise<number[]> {
  const f = brockett(E, 24, 4, 3);
  const steps = await entry.create(E, f, feasible(E, f.n, f.p, 1), {});
  const found: number[] = [];
  for (let k = 0; k < STEPS; k++) {
    const next = steps.next();
    if (next.done) break;
    found.push(next.value.f, next.value.gnorm);
  }
  return found;
}

test.each(Object.entries<SolverEntry>(solvers))("%s", async (_name, entry) => {
  const [here, there] = [await values(cudaEngineOn(emulatedCuda()), entry), await values(jsEngine(), entry)];
  expect(here.length).toBe(there.length);
  here.forEach((v, i) => {
    expect(Math.abs(v - there[i]!)).toBeLessThanOrEqual(1e-8 * (1 + Math.abs(there[i]!)));
  });
});
