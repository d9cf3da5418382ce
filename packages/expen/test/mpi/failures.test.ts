/** Whatever goes wrong on one rank of a real mpirun ends all of them, with one sentence, and leaves no process behind. */
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { startedAs } from "@expen/engines/mpi";
import { afterEach, describe, expect, test } from "vitest";
import { ALLOWED, type Launched, launch, launchers } from "../../src/cli/mpi-launch.js";

const MAIN = fileURLToPath(new URL("../../dist/main.js", import.meta.url));
const required = (process.env.EXPEN_REQUIRE ?? "").includes("mpi");
const here = required && !startedAs() ? launchers() : [];
const folder = mkdtempSync(join(tmpdir(), "expen-failures-"));

if (here.length === 0) test.skip('only with "mpi" in EXPEN_REQUIRE, as in .ci/run', () => undefined);

/** A file whose f is ½⟨X, Diag(1, …, n)·X⟩; `before` and `within` stand where it is loaded and where f begins */
const problem = (before: string, within: string, value = "0.5 * E.dot(X, G)"): string => `
  import { existsSync, rmSync, writeFileSync } from "node:fs";
  const rank = Number(process.env.OMPI_COMM_WORLD_RANK ?? process.env.PMI_RANK);
  ${before}
  export default ({ n, engine: E }) => {
    const d = E.tall(n, 1, Float64Array.from({ length: n }, (_, i) => i + 1));
    let calls = 0;
    return {
      fg(G, X) {
        calls++;
        ${within}
        E.scaleRows(G, d, X);
        return ${value};
      },
    };
  };`;
// fifty evaluations take ten seconds: a launcher takes one to hand a signal on
const pause = "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);";

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

/** Processes that were started with a file of this test */
const left = (): string[] =>
  readdirSync("/proc").filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(folder);
    } catch {
      return false;
    }
  });

describe.each(here)("$by", (launcher) => {
  const solve = (path: string, ...args: string[]): Promise<Launched> =>
    launch(launcher, 2, MAIN, ["solve", path, "--n", "9", "--p", "2", "--quiet", "--engine", "mpi:js", ...args]);

  afterEach(async () => {
    for (let i = 0; i < 50 && left().length > 0; i++) await sleep(100);
    expect(left()).toEqual([]);
  });

  test.each([
    [
      "where the file is loaded",
      'if (rank === 1) throw new Error("no data here");',
      "",
      [],
      /^expen: rank 1: .*no data here/,
    ],
    ["in f", "", 'if (calls > 3 && rank === 1) throw new Error("no samples");', ["--no-check"], /rank 1: .*no samples/],
    ["in f of rank 0", "", 'if (calls > 3 && rank === 0) throw new Error("no samples");', ["--no-check"], /no samples/],
    ["at the check", "", 'if (rank === 1) throw new Error("no samples");', [], /rank 1: .*no samples/],
    [
      "for lack of memory",
      'if (rank === 1) process.env.EXPEN_MEMORY = "1e-9";',
      "",
      [],
      /rank 1: .*EXPEN_MEMORY allows/,
    ],
  ])("an exception on one rank, %s, is its sentence", async (_where, before, within, more, sentence) => {
    const { code, stderr } = await solve(file("throws.mjs", problem(before, within)), ...more);
    expect(code).not.toBe(0);
    expect(stderr.match(/expen: .*/g)).toEqual([expect.stringMatching(sentence)]);
  });

  test("exceptions on two of three ranks are the sentence of the first of them", async () => {
    const path = file("two.mjs", problem('if (rank > 0) throw new Error("no data here");', ""));
    const words = ["solve", path, "--n", "9", "--p", "2", "--quiet", "--engine", "mpi:js"];
    const { code, stderr } = await launch(launcher, 3, MAIN, words);
    expect(code).not.toBe(0);
    expect(stderr.match(/expen: .*/g)).toEqual([expect.stringMatching(/^expen: rank 1: .*no data here/)]);
  });

  test("a sparse B that is not positive definite is refused as in one process", async () => {
    const lines = Array.from({ length: 9 }, (_, i) => `${i + 1} ${i + 1} 1\n${i ? `${i + 1} ${i} 0.8\n` : ""}`);
    const B = file("B.mtx", `%%MatrixMarket matrix coordinate real symmetric\n9 9 17\n${lines.join("")}`);
    const words = ["--on", `generalized-stiefel(${B}, 2)`, "--quiet", "--engine", "mpi:js"];
    const { code, stderr } = await launch(launcher, 2, MAIN, ["solve", file("plain.mjs", problem("", "")), ...words]);
    expect(code).not.toBe(0);
    expect(stderr.match(/expen: .*/g)).toEqual([
      expect.stringMatching(/B is not positive definite: the pivot of row \d/),
    ]);
  });

  test.each([
    ["NaN", "rank === 1 && calls > 3 ? NaN : 0.5 * E.dot(X, G)"],
    ["the part of the rank", "0.5 * E.dot(X, G) + rank"],
  ])("f that is %s on one rank is one sentence", async (_what, value) => {
    const { code, stderr } = await solve(file("other.mjs", problem("", "", value)), "--no-check");
    expect(code).not.toBe(0);
    expect(stderr.match(/expen: .*/g)).toEqual([expect.stringMatching(/not the same on all ranks|different ways/)]);
  });

  test.each([
    ["an engine of one process", "--engine js", /rank 1: mpirun started 2 processes, which work together only in/],
    ["an option that there is not", "--engine mpi:js --bogus", /rank 1: unknown option '--bogus'/],
    ["another n", "--engine mpi:js --n 31", /the command line of rank 1 is not that of rank 0/],
    ["another inner engine", "--engine mpi:wasm", /the command line of rank 1 is not that of rank 0/],
    ["help only", "--help", /rank 1 has ended before it began/],
  ])("a rank that was started with %s is one sentence", async (_what, options, sentence) => {
    const words = ["solve", "noeig", "--n", "30", "--p", "2", "--quiet"];
    const other = [":", "-n", "1", process.execPath, MAIN, ...words, ...options.split(" ")];
    const { code, stderr } = await launch(launcher, 1, MAIN, [...words, "--engine", "mpi:js", ...other]);
    expect(code).not.toBe(0);
    expect(stderr.match(/expen: .*/g)).toEqual([expect.stringMatching(sentence)]);
  });

  test("several processes that were not told to work together are one sentence, not several runs", async () => {
    const { code, stdout, stderr } = await launch(launcher, 2, MAIN, ["solve", "noeig", "--n", "30", "--p", "2"]);
    expect([code, stdout.includes("noeig")]).toEqual([2, false]);
    expect(stderr.match(/expen: .*/g)).toEqual([expect.stringMatching(/^expen: mpirun started 2 .*--engine mpi/)]);
  });

  test.each([
    ["one rank", "if (E.ranks.rank === 1)", /^rank 1: Error: no samples/m],
    ["all ranks", "", /^rank 0: Error: no samples/m],
  ])("a script of one's own that throws on %s says what it was, once", async (_where, condition, sentence) => {
    // within the project, where it finds the package
    const project = fileURLToPath(new URL("../../../../.expen/", import.meta.url));
    mkdirSync(project, { recursive: true });
    const own = mkdtempSync(join(project, "script-"));
    const path = join(own, "script.mjs");
    writeFileSync(
      path,
      `import { openEngine } from "expen";
       const E = await openEngine("mpi", { inner: "js" });
       const X = E.tall(9, 2);
       ${condition} throw new Error("no samples");
       E.dot(X, X);`,
    );
    try {
      const { code, stderr } = await launch(launcher, 2, path, []);
      expect(code).not.toBe(0);
      expect(stderr).toMatch(sentence);
      expect(stderr.match(/no samples/g)).toHaveLength(1);
    } finally {
      rmSync(own, { recursive: true });
    }
  });

  test("a rank that is killed ends all", async () => {
    const within = 'if (calls > 3 && rank === 1) process.kill(process.pid, "SIGKILL");';
    const { code } = await solve(file("dies.mjs", problem("", within)), "--no-check");
    expect(code).not.toBe(0);
  });

  test("--out that cannot be written any more is one sentence of rank 0", async () => {
    const gone = mkdtempSync(join(folder, "gone-"));
    const before = `const gone = ${JSON.stringify(gone)};`;
    const within = "if (rank === 0 && existsSync(gone)) rmSync(gone, { recursive: true });";
    const { code, stderr } = await solve(file("full.mjs", problem(before, within)), "--out", join(gone, "X.npy"));
    expect(code).not.toBe(0);
    expect(stderr.match(/expen: .*/g)).toEqual([expect.stringMatching(/X\..*npy: there is no such file or folder/)]);
  });

  test("Ctrl-C ends all ranks with the point that they have, and 128 + the signal", async () => {
    const began = join(folder, `began-${launcher.by}`);
    const codes = join(folder, `code-${launcher.by}-`);
    const before = `process.once("exit", (code) => writeFileSync(${JSON.stringify(codes)} + rank, String(code)));`;
    const within = `${pause} if (calls === 5 && rank === 0) writeFileSync(${JSON.stringify(began)}, "");`;
    const path = file("slow.mjs", problem(before, within));
    const solving = [MAIN, "solve", path, "--n", "9", "--p", "2", "--tol", "0", "--quiet", "--engine", "mpi:js"];
    const child = spawn(launcher.command, ["-n", "2", process.execPath, ...solving], {
      env: { ...process.env, ...ALLOWED },
      detached: true,
    });
    let said = "";
    child.stdout.setEncoding("utf8").on("data", (text) => (said += text));
    child.stderr.setEncoding("utf8").on("data", (text) => (said += text));
    const ended = new Promise((resolve) => child.once("close", resolve));
    while (!existsSync(began)) await sleep(50);
    // as a terminal does: to the whole group
    process.kill(-child.pid!, "SIGINT");
    await ended;
    expect(said.match(/✗ aborted/g)).toHaveLength(1);
    // Open MPI hands an interrupt on as a request to end
    const expected = launcher.by === "MPICH" ? "130" : "143";
    for (const rank of [0, 1]) expect(readFileSync(codes + rank, "utf8")).toBe(expected);
  });
});
