/** A file of its own, and so a process of its own: MKL keeps the threading it was first opened with. */

import { blasHere } from "@expen/testing/contracts/blas-here";
import { engineContract } from "@expen/testing/contracts/engine";
import { linalgContract } from "@expen/testing/contracts/linalg";
import { describe, expect, test } from "vitest";
import { blasEngine } from "../src/blas/engine.js";

const { absent, title } = await blasHere({ threads: 2 });

describe.skipIf(absent)(title, () => {
  engineContract("blas, 2 threads", () => blasEngine({ threads: 2 }));
  linalgContract("blas, 2 threads", () => blasEngine({ threads: 2 }));

  test("the description has the number of threads", async () => {
    const { description } = await blasEngine({ threads: 2 });
    expect(description).toMatch(/, 2 threads,.* elementwise|threads as the library decides/);
  });
});
