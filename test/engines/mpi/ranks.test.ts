/**
 * The suites of engines on real ranks: every rank runs this file, all in the same order. Started by .ci/run with
 * `mpirun -n 2 npx vitest run test/engines/mpi/ranks.test.ts`; skipped where nobody launched several processes.
 */
import { afterAll, describe, test } from "vitest";
import { startedAs } from "../../../src/engines/mpi/started.js";
import { closeMpi } from "../../../src/engines/mpi-open.js";
import { openEngine } from "../../../src/engines/open.js";
import { engineContract } from "../../contracts/engine.js";
import { linalgContract } from "../../contracts/linalg.js";

if (startedAs()) {
  afterAll(closeMpi);
  engineContract("mpi", () => openEngine("mpi", { inner: "js" }));
  linalgContract("mpi", () => openEngine("mpi", { inner: "wasm" }));
} else {
  describe("suites on ranks", () => {
    test.skip("not started by mpirun", () => undefined);
  });
}
