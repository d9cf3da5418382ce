/** Killed, interrupted, started twice: nothing is lost, nothing is double, nothing is left behind. */
import { execFileSync } from "node:child_process";
import {
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { bench, reproduce, runKills } from "@expen/bench/kills";
import { readNpy, savePieces } from "@expen/data";
import { expen, scratch, start } from "@expen/testing/cli/run-cli";
import { describe, expect, test } from "vitest";
import { lock } from "../../src/cli/lock.js";
import { clearPartials, writeWhole } from "../../src/cli/whole-file.js";

const folder = scratch();
const at = (name: string): string => join(folder, name);
/** `bench` warms up for a second at every start: in full runs only */
const long = !!process.env.EXPEN_LONG;
const [COUNT, VICTIMS] = long ? [20, [reproduce, bench]] : [2, [reproduce]];

test(`killed ${COUNT} times and resumed, the answer is that without`, { timeout: 600_000 }, async () => {
  const { kills, resumed, differences } = await runKills(COUNT, 1, VICTIMS);
  expect(differences).toEqual([]);
  expect(kills).toBe(COUNT * VICTIMS.length);
  expect(resumed).toBeGreaterThan(0);
});

describe("a signal", () => {
  const endless = "--n 3000 --p 40 --tol 1e-14 --engine wasm --quiet".split(" ");
  /** Eigenvalues over seven decades: no solver is done with it before the signal comes. */
  const HARD = `import { lstatSync, symlinkSync, writeFileSync } from "node:fs";
  let calls = 0;
  export default ({ n, p }) => {
    const weights = Float64Array.from({ length: n * p }, (_, i) => 10 ** ((7 * Math.floor(i / p)) / n));
    return {
      fg(G, X) {
        if (++calls === 20) writeFileSync("begun", "");
        const [g, x] = [G.data, X.data];
        let sum = 0;
        for (let i = 0; i < n * p; i++) {
          g[i] = weights[i] * x[i];
          sum += 0.5 * g[i] * x[i];
        }
        return sum;
      },
    };
  };`;
  /** The signal when the command has surely begun to compute: `file` is there */
  async function signalled(args: string[], signal: NodeJS.Signals, file = "begun") {
    writeFileSync(at("hard.mjs"), HARD);
    rmSync(at(file), { force: true });
    const { child, ended } = start(args, folder);
    while (!existsSync(at(file)) && child.exitCode === null) await sleep(20);
    child.kill(signal);
    return ended;
  }

  test.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)("%s in solve: the point so far is saved whole, exit code %i", async (signal, code) => {
    const out = `${signal}.npy`;
    const ended = await signalled(["solve", "hard.mjs", ...endless, "--no-check", "--out", out, "--json"], signal);
    expect(ended.code).toBe(code);
    expect(JSON.parse(ended.stdout)).toMatchObject({ status: "aborted" });
    expect(readNpy(readFileSync(at(out))).matrix).toMatchObject({ rows: 3000, cols: 40 });
    expect(readdirSync(folder).filter((name) => name.startsWith(signal))).toEqual([out]);
  });

  test("SIGTERM in compare: the table so far", async () => {
    const { code, stdout } = await signalled(
      ["compare", "hard.mjs", ...endless, "--solvers", "expen-cg,rcg"],
      "SIGTERM",
    );
    expect(code).toBe(143);
    expect(stdout).toContain("expen-cg");
    expect(readdirSync(folder).filter((name) => /partial|probe/.test(name))).toEqual([]);
  });

  test("SIGTERM in reproduce: the report so far, and the folder is free again", async () => {
    const sizes = "--sizes 200x4,2000x40 --runs 9 --solvers expen-cg --engine wasm --quiet --out r".split(" ");
    const { code } = await signalled(["reproduce", "noeig-p", ...sizes], "SIGTERM", "r/runs.jsonl");
    expect(code).toBe(143);
    expect(readdirSync(at("r")).sort()).toEqual(["report.html", "report.json", "report.md", "runs.jsonl"]);
  });
});

describe("one process at a time", () => {
  test("a folder in use is refused in a sentence; what a dead process left is taken over", async () => {
    mkdirSync(at("used"));
    const unlock = lock(at("used/lock"), "it");
    const args = "reproduce noeig-p --sizes 30x2 --runs 1 --solvers auto --quiet --out used";
    const second = await start(args.split(" "), folder).ended;
    expect(second.code).toBe(2);
    expect(second.stderr).toBe(
      `expen: the folder used is in use by process ${process.pid}; wait for it, or choose another place.\n`,
    );
    unlock();
    // this process's number, but another time of its start
    writeFileSync(at("used/lock"), `${process.pid} 1`);
    writeFileSync(at("used/report.html.123.partial.html"), "half");
    expect((await expen(args, folder)).code).toBe(0);
    expect(readdirSync(at("used")).sort()).toEqual(["report.html", "report.json", "report.md", "runs.jsonl"]);
  });
});

describe("a file is there whole or not at all", () => {
  test("what cannot be finished leaves what was there", async () => {
    writeFileSync(at("x.csv"), "old");
    await expect(
      savePieces(at("x.csv"), function* () {
        yield "ha";
        throw new Error("no more");
      }),
    ).rejects.toThrow("no more");
    expect(readFileSync(at("x.csv"), "utf8")).toBe("old");
    mkdirSync(at("taken"));
    expect(() => writeWhole({ [at("y.txt")]: "new", [at("taken")]: "new" })).toThrow();
    expect(readdirSync(folder).filter((name) => name.includes("partial"))).toEqual([]);
  });

  test("a link stays one", async () => {
    writeFileSync(at("place.csv"), "old");
    symlinkSync(at("place.csv"), at("link.csv"));
    await savePieces(at("link.csv"), () => ["new"]);
    expect(lstatSync(at("link.csv")).isSymbolicLink()).toBe(true);
    expect(readFileSync(at("place.csv"), "utf8")).toBe("new");
  });

  test("what is no file, a pipe, is written to and not replaced", async () => {
    execFileSync("mkfifo", [at("pipe.csv")]);
    const pipe = openSync(at("pipe.csv"), "r+");
    await savePieces(at("pipe.csv"), () => ["new"]);
    const got = Buffer.alloc(3);
    readSync(pipe, got);
    closeSync(pipe);
    expect(got.toString()).toBe("new");
    expect(lstatSync(at("pipe.csv")).isFIFO()).toBe(true);
  });

  test("remains of others are taken away, nothing else", () => {
    for (const name of ["z.md.7.partial.md", "z.md", "zz.md.7.partial.md"]) writeFileSync(at(name), "");
    clearPartials(at("z.md"));
    expect(existsSync(at("z.md.7.partial.md"))).toBe(false);
    expect(existsSync(at("z.md")) && existsSync(at("zz.md.7.partial.md"))).toBe(true);
  });
});
