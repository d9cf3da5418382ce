import { noeig } from "@expen/experiments/paper";
import type { Engine } from "@expen/linalg";
import { random } from "@expen/linalg";
import { complexEngine } from "@expen/linalg/algebras";
import { jsEngine } from "@expen/linalg/engine";
import { requireMemory } from "@expen/linalg/memory";
import { solveStiefel } from "@expen/solvers";
import { engineContract } from "@expen/testing/contracts/engine";
import { linalgContract } from "@expen/testing/contracts/linalg";
import { emulatedCuda } from "@expen/testing/engines/cuda/emulated";
import { expect, test } from "vitest";
import { cudaEngineOn } from "../../src/cuda/engine.js";
import { mpiEngine } from "../../src/mpi/engine.js";
import { startedAs } from "../../src/mpi/started.js";
import { wasmEngine } from "../../src/wasm/engine.js";
import { alone } from "./alone.js";

// the threads of threads.test.ts have devices too
if (process.env.EXPEN_LONG)
  engineContract("mpi, one rank on an emulated device", async () => mpiEngine(alone(), cudaEngineOn(emulatedCuda())));
engineContract("mpi, one rank", async () => mpiEngine(alone(), jsEngine()));
linalgContract("mpi, one rank", async () => mpiEngine(alone(), await wasmEngine()));

test("sums that are added to each other go in one message: XᴴX", () => {
  const E = mpiEngine(alone(), jsEngine());
  const C = complexEngine(E);
  const [X, S] = [C.tall(5, 2), C.small(2, 2)];
  C.write(X, random(1, "complex").normal);
  const before = E.ranks!.traffic.reductions;
  C.gram(S, X);
  C.read(S);
  expect(E.ranks!.traffic.reductions - before).toBe(1);
});

test("a step on ranks goes over its rows little more than once beyond what one process does, with trial points that are refused", async () => {
  const [n, p, from, to] = [600, 5, 12, 60];
  /** entries and flops of the inner engine between two steps, per n·p, and what was evaluated there */
  const workOf = async (wrapped: (inner: Engine) => Engine) => {
    const inner = jsEngine();
    const E = wrapped(inner);
    const now = (evaluations: number) => ({ ...inner.counters, evaluations });
    let before = now(0);
    for (const { k, evaluations } of await solveStiefel(E, noeig(E, { n, p }).objective, {
      tol: 0,
      maxIterations: to,
    })) {
      if (k === from) before = now(evaluations.f);
      if (k === to) {
        const { entries, flops, evaluations: count } = now(evaluations.f);
        const per = n * p * (to - from);
        return {
          entries: (entries - before.entries) / per,
          flops: (flops - before.flops) / (per * p),
          evaluations: count - before.evaluations,
        };
      }
    }
    throw new Error("the run ended early");
  };
  const one = await workOf((inner) => inner);
  const ranks = await workOf((inner) => mpiEngine(alone(), inner));
  expect(ranks.evaluations).toBe(one.evaluations);
  expect(one.evaluations).toBeGreaterThan(to - from);
  expect(ranks.entries - one.entries).toBeLessThan(1.9);
  expect(ranks.flops / one.flops).toBeLessThan(1.05);
});

test("what a launcher has said: rank, ranks on this machine, and the device of this one", () => {
  const open = { OMPI_COMM_WORLD_RANK: "5", OMPI_COMM_WORLD_SIZE: "8", OMPI_COMM_WORLD_LOCAL_SIZE: "4" };
  expect(startedAs(open)).toEqual({ by: "Open MPI", rank: 5, size: 8, local: 4, localRank: 1 });
  expect(startedAs({ ...open, OMPI_COMM_WORLD_LOCAL_RANK: "3" })).toMatchObject({ localRank: 3 });
  const mpich = { PMI_RANK: "2", PMI_SIZE: "3", MPI_LOCALNRANKS: "3", MPI_LOCALRANKID: "2" };
  expect(startedAs(mpich)).toEqual({ by: "MPICH", rank: 2, size: 3, local: 3, localRank: 2 });
  expect(startedAs({})).toBeUndefined();
});

test("of each tall part of a product a rank needs memory for its share", () => {
  const parts = [
    { count: 1, rows: 1000, cols: 10 },
    { count: 1, rows: 10, cols: 10 },
  ];
  const on = { name: "mpi", ranks: { size: 2, local: 1 } } as never;
  const need = 8 * (500 * 10 + 100);
  expect(() => requireMemory(700, 10, parts, on, { bytes: need, text: "*" })).not.toThrow();
  expect(() => requireMemory(700, 10, parts, on, { bytes: need - 1, text: "*" })).toThrow(/needs about/);
});
