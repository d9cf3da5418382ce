import { jsEngine } from "@expen/linalg/engine";
import { expect, test } from "vitest";
import { benchMolecules, median, moleculeReport } from "../hartree-fock.js";

test("the median of an odd and of an even number of counts", () => {
  expect([median([5, 1, 3]), median([4, 1, 3, 2]), median([7])]).toEqual([3, 2.5, 7]);
});

test("the report counts who was better, and who reached the lowest energy", () => {
  const row = { name: "X", N: 2, occupied: 1, energy: -1, level: "second-order", certificate: 3 };
  const report = moleculeReport([
    { ...row, error: 1e-9, builds: 4, diis: 6, diisError: 1e-12 },
    { ...row, error: 1e-7, builds: 9, diis: 7, diisError: 0.1 },
    { ...row, error: -1e-10, builds: 5, diis: 5, diisError: 0 },
  ]);
  expect(report.split("\n").at(-1)).toBe(
    "median of the builds 5 (DIIS 6); fewer than DIIS in 1, more in 1; 2 (DIIS 2) of 3 within 1e-8 hartree of the lowest energy",
  );
});

test("the files of a folder, one row each, by a general solver too", async () => {
  const folder = "examples/data/molecules";
  const rows = await benchMolecules(jsEngine(), folder, { only: /^(H2|LiH)-/, solver: "rtr" });
  expect(rows.map((r) => r.name)).toEqual(["H2-6-31g", "H2-sto-3g", "LiH-6-31g", "LiH-sto-3g"]);
  for (const { error, builds, diis } of rows) {
    expect(Math.abs(error)).toBeLessThan(1e-8);
    expect(Number.isInteger(builds) && Number.isInteger(diis)).toBe(true);
  }
});
