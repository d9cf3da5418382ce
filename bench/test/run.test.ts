import { existsSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readArguments } from "../arguments.js";
import type { Results } from "../results.js";
import { benchFromArguments } from "../run.js";
import { bench } from "../side-by-side.js";

const chosen = { contenders: ["expen@js"], repeats: 1, gap: 0, warmUp: 0, clock: "cpu" as const };

test("an interrupted run is resumed where it stopped", async () => {
  const saved: Results[] = [];
  const log = (): void => {};
  const first = await bench({
    ...chosen,
    rows: "brockett:30x3",
    log,
    save: (results) => saved.push(structuredClone(results)),
  });
  expect(saved.map(({ rows }) => rows.map(({ id }) => id))).toEqual([["brockett:30x3"]]);
  // a mark that only a row taken over can have
  saved[0]!.rows[0]!.runs[0]!.seconds = [1234];
  const both = await bench({ ...chosen, rows: "brockett:30x3,noeig:30x3", before: saved[0]!, log });
  expect(both.rows.map(({ id }) => id)).toEqual(["brockett:30x3", "noeig:30x3"]);
  expect(both.rows[0]!.runs[0]!.seconds).toEqual([1234]);
  expect(both.rows[1]!.runs[0]).toMatchObject({ contender: "expen@js", status: "converged" });
  await expect(bench({ ...chosen, repeats: 2, rows: "brockett:30x3", before: first, log })).rejects.toThrow(
    "--resume: the interrupted run had other repeats (1, now 2); run without --resume.",
  );
});

test("results are written row by row; what is not there cannot be resumed", async () => {
  const out = join(tmpdir(), `expen-bench-test-${process.pid}.json`);
  const said: string[] = [];
  const [log, error] = [console.log, console.error];
  console.log = () => {};
  console.error = (line: string) => void said.push(line);
  try {
    const args = ["--rows", "brockett:30x3", "--contenders", "expen@js", "--repeats", "1", "--gap", "0", "--out", out];
    expect(await benchFromArguments([...args, "--resume"])).toBe(2);
    expect(said.join()).toMatch(/^--resume: there is no interrupted run in /);
    expect(existsSync(out)).toBe(false);
    expect(await benchFromArguments(args)).toBe(0);
    expect((JSON.parse(readFileSync(out, "utf8")) as Results).rows).toHaveLength(1);
    expect(await benchFromArguments([...args, "--resume"])).toBe(0);
  } finally {
    [console.log, console.error] = [log, error];
    rmSync(out, { force: true });
  }
});

test("only a run over everything is kept with the project", () => {
  expect(readArguments([])).toMatchObject({ full: true, limits: true, resume: false, starts: 3 });
  expect(readArguments(["--threads", "all", "--gap", "0"])).toMatchObject({ full: true, threads: "all", gap: 0 });
  expect(readArguments(["--quick"])).toMatchObject({ full: false, limits: false, rows: "quick" });
  expect(readArguments(["--quick"]).starts).toBeUndefined();
  expect(readArguments(["--quick", "--starts", "2"])).toMatchObject({ starts: 2 });
  expect(readArguments(["--contenders", "expen@js"])).toMatchObject({ full: false, limits: true });
});

test.each([
  ["--repeats", "0"],
  ["--starts", "0"],
  ["--limit", "x"],
  ["--gap", "-1"],
  ["--clock", "sun"],
])("%s %s is refused with a sentence", (name, value) => {
  expect(() => readArguments([`${name}=${value}`])).toThrow(new RegExp(`^${name} is '${value}'; it must be .*\\.$`));
});

test("an option that is not there is refused with those that are", () => {
  expect(() => readArguments(["--limits", "0"])).toThrow(/^Unknown option '--limits'; there are --rows, .*--resume\.$/);
  expect(() => readArguments(["--rows"])).toThrow(/^Option '--rows <value>' argument missing; there are /);
});
