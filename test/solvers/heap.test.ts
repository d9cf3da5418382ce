import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { heapOf, heapRows } from "../../bench/heap.js";
import { blasHere } from "../contracts/blas-here.js";

const script = fileURLToPath(new URL("../../dist/bench/heap.js", import.meta.url));
const { absent } = await blasHere({});

describe.each(absent ? (["js", "wasm"] as const) : (["js", "wasm", "blas"] as const))("on %s", (engine) => {
  test.each(heapRows([engine]).map((row) => [row.problem, row.solver, row.beta, row] as const))(
    "%s: the compiled loop of %s, β %s, makes no matrix and less than 64 bytes of heap an iteration",
    // V8 compiles beside the run: where processors are busy, perhaps not before the windows are measured
    { retry: 2 },
    (_problem, _solver, _beta, row) => {
      expect(existsSync(script), "run npm run build first").toBe(true);
      const { made, kept, matrices, iterations } = heapOf(row, script);
      expect({ enough: iterations > 1500, matrices }).toEqual({ enough: true, matrices: 0 });
      // all that is made, and what of it outlives a collection
      expect(made, "made").toBeLessThan(64);
      expect(kept, "kept").toBeLessThan(64);
    },
  );
});
