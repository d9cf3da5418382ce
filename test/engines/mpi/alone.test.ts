import { expect, test } from "vitest";
import { complexEngine } from "../../../src/engines/algebras/complex.js";
import { cudaEngineOn } from "../../../src/engines/cuda.js";
import { jsEngine } from "../../../src/engines/js.js";
import { startedAs } from "../../../src/engines/mpi/started.js";
import { mpiEngine } from "../../../src/engines/mpi.js";
import { wasmEngine } from "../../../src/engines/wasm.js";
import { requireMemory } from "../../../src/memory/require.js";
import { random } from "../../../src/random.js";
import { engineContract } from "../../contracts/engine.js";
import { linalgContract } from "../../contracts/linalg.js";
import { emulatedCuda } from "../cuda/emulated.js";
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
