/**
 * The suites of engines on real ranks: every rank runs this file, all in the same order. Started by .ci/run with
 * `mpirun -n 2 npx vitest run packages/engines/test/mpi/ranks.test.ts`; skipped in a process that mpirun did not start.
 */

import { engineContract } from "@expen/testing/contracts/engine";
import { linalgContract } from "@expen/testing/contracts/linalg";
import { afterAll, describe, test } from "vitest";
import { closeMpi } from "../../src/mpi/open.js";
import { startedAs } from "../../src/mpi/started.js";
import { openEngine } from "../../src/open.js";

if (startedAs()) {
  afterAll(closeMpi);
  engineContract("mpi", () => openEngine("mpi", { inner: "js" }));
  linalgContract("mpi", () => openEngine("mpi", { inner: "wasm" }));
} else {
  describe("suites on ranks", () => {
    test.skip("not started by mpirun", () => undefined);
  });
}
