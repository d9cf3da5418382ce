/** The command line under a real mpirun of both MPIs, where EXPEN_REQUIRE has "mpi"; test/engines/mpi has ranks without them. */
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { type Launched, launch, launchers } from "../../cli/mpi-launch.js";
import { startedAs } from "../../src/engines/mpi/started.js";

const MAIN = fileURLToPath(new URL("../../dist/bundle/main.js", import.meta.url));
const required = (process.env.EXPEN_REQUIRE ?? "").includes("mpi");
const here = required && !startedAs() ? launchers() : [];
const sizes = process.env.EXPEN_LONG ? [2, 3] : [2];
const folder = mkdtempSync(join(tmpdir(), "expen-mpi-"));

const THROWS = `export default ({ engine: E }) => {
  let calls = 0;
  return {
    fg(G, X) {
      if (++calls > 3 && E.ranks.rank === 1) throw new Error("no more samples");
      E.copy(G, X);
      return 0.5 * E.dot(X, X);
    },
  };
};`;
const STUCK = `import { setTimeout } from "node:timers";
export default ({ engine: E }) => {
  let calls = 0;
  return {
    fg(G, X) {
      if (++calls > 3 && E.ranks.rank === 1) process.kill(process.pid, "SIGKILL");
      E.copy(G, X);
      return 0.5 * E.dot(X, X);
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
  const file = (name: string, text: string): string => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  };

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

  test("an exception on one rank ends all, with one sentence", async () => {
    const { code, stderr } = await solve(
      2,
      file("throws.mjs", THROWS),
      "--n",
      "9",
      "--p",
      "2",
      "--quiet",
      "--no-check",
      "--engine",
      "mpi",
    );
    expect(code).not.toBe(0);
    expect(stderr.match(/expen: .*/g)).toEqual([expect.stringMatching(/^expen: rank 1: .*no more samples/)]);
  });

  test("a rank that dies ends all", async () => {
    const { code } = await solve(
      2,
      file("dies.mjs", STUCK),
      "--n",
      "9",
      "--p",
      "2",
      "--quiet",
      "--no-check",
      "--engine",
      "mpi",
    );
    expect(code).not.toBe(0);
  });

  test("bad input is one sentence", async () => {
    const { code, stderr } = await solve(2, "noeig", "--n", "3", "--p", "4", "--engine", "mpi");
    expect(code).not.toBe(0);
    expect(stderr.match(/expen: .*/g)).toEqual([expect.stringMatching(/p = 4 is above n = 3/)]);
  });

  test("bad input on one rank is its sentence, and the end of all", async () => {
    const path = file(
      "alone.mjs",
      `
      if ((process.env.OMPI_COMM_WORLD_RANK ?? process.env.PMI_RANK) === "1") throw new Error("no data here");
      export default () => ({ f: () => 0, grad: () => {} });`,
    );
    const { code, stderr } = await solve(2, path, "--n", "5", "--p", "2", "--quiet", "--engine", "mpi");
    expect(code).not.toBe(0);
    expect(stderr.match(/expen: .*/g)).toEqual([expect.stringMatching(/^expen: rank 1: .*no data here/)]);
  });

  test("the library of another MPI is one sentence", async () => {
    const other = launcher.by === "MPICH" ? "libmpi.so.40" : "libmpich.so.12";
    if (here.length < 2) return;
    const { code, stderr } = await launch(launcher, 2, MAIN, ["solve", "noeig", "--engine", "mpi"], {
      env: { EXPEN_MPI: other },
    });
    expect(code).not.toBe(0);
    expect(stderr.match(/expen: .*/g)).toEqual([expect.stringMatching(/started 2 processes but .* sees 1/)]);
  });
});

test("without mpirun: one sentence", async () => {
  if (startedAs()) return;
  const { openEngine } = await import("../../src/engines/open.js");
  await expect(openEngine("mpi")).rejects.toThrow(/not started by mpirun/);
});
