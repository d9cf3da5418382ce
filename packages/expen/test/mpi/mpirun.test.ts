/** The command line under a real mpirun of both MPIs, where EXPEN_REQUIRE has "mpi"; test/engines/mpi has ranks without them. */
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startedAs } from "@expen/engines/mpi";
import { describe, expect, test } from "vitest";
import { type Launched, launch, launchers } from "../../src/cli/mpi-launch.js";

const MAIN = fileURLToPath(new URL("../../../expen/dist/main.js", import.meta.url));
const required = (process.env.EXPEN_REQUIRE ?? "").includes("mpi");
const here = required && !startedAs() ? launchers() : [];
const sizes = process.env.EXPEN_LONG ? [2, 3] : [2];
const folder = mkdtempSync(join(tmpdir(), "expen-mpi-"));

/** ½‖U − A‖² + ½‖Z − B‖² */
const PARTS = `export default ({ engine: E }) => {
  const make = (n) => E.tall(n, 2, Array.from({ length: 2 * n }, (_, k) => Math.sin(1 + k)));
  const [A, B] = [make(9), make(5)];
  return {
    fg(G, X) {
      E.combine(G.U, 1, X.U, -1, A);
      E.combine(G.Z.re, 1, X.Z.re, -1, B);
      E.copy(G.Z.im, X.Z.im);
      return 0.5 * (E.dot(G.U, G.U) + E.dot(G.Z.re, G.Z.re) + E.dot(G.Z.im, G.Z.im));
    },
  };
};`;

test.runIf(required)("both MPIs are installed", () => {
  expect(here.map(({ by }) => by).sort()).toEqual(["MPICH", "Open MPI"]);
});

if (here.length === 0) test.skip('only with "mpi" in EXPEN_REQUIRE, as in .ci/run', () => undefined);

describe.each(here)("$by", (launcher) => {
  const solve = (ranks: number, ...args: string[]): Promise<Launched> =>
    launch(launcher, ranks, MAIN, ["solve", ...args]);

  test.each(sizes)("noeig on %i ranks: one voice, the answer of one process, the same bits again", async (ranks) => {
    const out = join(folder, `${launcher.by}-${ranks}.npy`);
    const args = ["noeig", "--n", "301", "--p", "4", "--json", "--quiet", "--engine", "mpi:wasm"];
    const { code, stdout } = await solve(ranks, ...args, "--out", out);
    expect(code).toBe(0);
    const r = JSON.parse(stdout);
    const one = JSON.parse(
      (await launch(launcher, 1, MAIN, ["solve", ...args.slice(0, -2), "--engine", "wasm"])).stdout,
    );
    expect(Math.abs(r.fval - one.fval)).toBeLessThan(1e-9 * one.fval);
    expect(r.certificate.level).toBe(one.certificate.level);
    expect(r.feasibility).toBeLessThan(1e-13);
    expect(r.communication).toMatchObject({ ranks });
    const again = JSON.parse((await solve(ranks, ...args)).stdout);
    expect([again.fval, again.stationarity, again.communication]).toEqual([r.fval, r.stationarity, r.communication]);
    // a header of 128 bytes, then the numbers
    expect(readFileSync(out).length).toBe(128 + 8 * 301 * 4);
    // each rank reads its rows of it
    const from = await solve(ranks, ...args, "--start", out, "--tol", "1e-5");
    expect(JSON.parse(from.stdout)).toMatchObject({ iterations: 0, status: "converged" });
  });

  test("several matrices and complex ones: --on, --out and --start over two ranks", async () => {
    const out = join(folder, `${launcher.by}.npz`);
    const path = join(folder, "parts.mjs");
    writeFileSync(path, PARTS);
    const args = [path, "--on", "product(U: stiefel(9, 2), Z: complex-stiefel(5, 2))", "--json", "--quiet"];
    const two = await solve(2, ...args, "--engine", "mpi:js", "--out", out);
    const one = await launch(launcher, 1, MAIN, ["solve", ...args, "--engine", "js", "--start", out, "--tol", "1e-5"]);
    expect([two.code, one.code]).toEqual([0, 0]);
    expect(JSON.parse(one.stdout)).toMatchObject({ iterations: 0, status: "converged" });
    const again = await solve(2, ...args, "--engine", "mpi:js", "--start", out, "--tol", "1e-5");
    expect(JSON.parse(again.stdout)).toMatchObject({ iterations: 0, status: "converged" });
  });

  test.each([
    ["grid", 400, 4, "mpi"],
    ["pca", 13, 3, "mpi-data"],
    ["ica", 13, 3, "mpi-data"],
    ["dictionary", 13, 5, "mpi-data"],
  ])("examples/ranks/%s.ts: two ranks find what one process finds", async (name, n, p, engine) => {
    const args = [`examples/ranks/${name}.ts`, "--n", `${n}`, "--p", `${p}`, "--json", "--quiet"];
    const two = await solve(2, ...args, "--engine", engine);
    const one = await launch(launcher, 1, MAIN, ["solve", ...args]);
    expect([two.code, one.code]).toEqual([0, 0]);
    const [several, single] = [two, one].map(({ stdout }) => JSON.parse(stdout));
    expect(Math.abs(several.fval - single.fval)).toBeLessThan(1e-8 * Math.abs(single.fval));
  });

  test("a time limit ends all ranks alike", async () => {
    const { code, stdout } = await solve(
      2,
      "noeig",
      "--n",
      "200000",
      "--p",
      "20",
      "--tol",
      "0",
      "--max-time",
      "1",
      "--json",
      "--quiet",
      "--engine",
      "mpi",
    );
    expect(code).toBe(1);
    expect(JSON.parse(stdout).status).toBe("time");
  });

  test("bad input is one sentence", async () => {
    const { code, stderr } = await solve(2, "noeig", "--n", "3", "--p", "4", "--engine", "mpi");
    expect(code).not.toBe(0);
    expect(stderr.match(/expen: .*/g)).toEqual([expect.stringMatching(/p = 4 is above n = 3/)]);
  });

  test("EXPEN_BLAS=none hides the BLAS from every rank", async () => {
    const hidden = (engine: string): Promise<Launched> =>
      launch(launcher, 2, MAIN, ["solve", "noeig", "--n", "40", "--p", "2", "--quiet", "--engine", engine], {
        env: { EXPEN_BLAS: "none" },
      });
    expect((await hidden("mpi")).stdout).toMatch(/2 ranks .*, each on WebAssembly/);
    const { code, stderr } = await hidden("mpi:blas");
    expect(code).not.toBe(0);
    expect(stderr.match(/expen: .*/g)).toEqual([expect.stringMatching(/blas: hidden by EXPEN_BLAS=none/)]);
  });

  test.skipIf(here.length < 2)("the library of another MPI is one sentence", async () => {
    const other = launcher.by === "MPICH" ? "libmpi.so.40" : "libmpich.so.12";
    const { code, stderr } = await launch(launcher, 2, MAIN, ["solve", "noeig", "--engine", "mpi"], {
      env: { EXPEN_MPI: other },
    });
    expect(code).not.toBe(0);
    expect(stderr.match(/expen: .*/g)).toEqual([expect.stringMatching(/started 2 processes but .* sees 1/)]);
  });
});

test.skipIf(startedAs())("without mpirun: one sentence", async () => {
  const { openEngine } = await import("@expen/engines");
  await expect(openEngine("mpi")).rejects.toThrow(/not started by mpirun/);
});
