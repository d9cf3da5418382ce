import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { afterAll, describe, expect, test, vi } from "vitest";
import type { Results } from "../paper/results.js";
import { bench } from "../paper/run.js";
import { paper, runOptions } from "../paper/suite.js";
import { ROOT } from "../peers.js";
import { benchFromArguments } from "../run.js";
import { newestResults, wholePath, writeResults } from "../store.js";

const chosen = { contenders: ["auto@js"], repeats: 1, gap: 0, warmUp: 0, clock: "cpu" as const };

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
  expect(both.rows[1]!.runs[0]).toMatchObject({ contender: "auto@js", status: "converged" });
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
    const args = ["--rows", "brockett:30x3", "--contenders", "auto@js", "--repeats", "1", "--gap", "0", "--out", out];
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

test("a run over all rows takes three starts and measures the limits; a part of the rows does not", () => {
  expect(runOptions({ quick: false }, {})).toMatchObject({ limits: true, starts: 3 });
  expect(runOptions({ quick: true }, {})).toMatchObject({ limits: false, rows: "quick" });
  expect(runOptions({ quick: true }, {}).starts).toBeUndefined();
  expect(runOptions({ quick: true, starts: 2 }, {})).toMatchObject({ starts: 2 });
});

/** The exit code of the suite and its messages. */
async function refused(...args: string[]): Promise<string> {
  const error = vi.spyOn(console, "error").mockImplementation(() => {});
  try {
    expect(await paper.bench(args)).toBe(2);
    return error.mock.calls.join();
  } finally {
    error.mockRestore();
  }
}

test.each([
  ["--repeats", "0"],
  ["--starts", "0"],
  ["--limit", "x"],
  ["--gap", "-1"],
  ["--clock", "sun"],
])("%s %s is refused with a sentence", async (name, value) => {
  expect(await refused(`${name}=${value}`)).toMatch(new RegExp(`^${name} is '${value}'; it must be .*\\.$`));
});

test("an unknown option is refused with the known ones", async () => {
  expect(await refused("--limits", "0")).toMatch(/^Unknown option '--limits'; there are --rows, .*--resume\.$/);
  expect(await refused("--rows")).toMatch(/^Option '--rows <value>' argument missing; there are /);
});

describe("the store", () => {
  const folder = mkdtempSync(join(tmpdir(), "expen-store-test-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const kind = { name: "any-f", format: 2 };
  const machine = { name: "", cpu: "", cores: 2, memoryGB: 1, os: "", node: "", load: 0 };
  const about = { suite: "any-f", format: 2, commit: "", machine, clock: "cpu", limit: 1, contenders: {}, skipped: {} };
  const results = (date: string, format = 2) => ({ ...about, clock: "cpu" as const, threads: 1, date, format });

  test("without results it says how to make them", () => {
    expect(() => newestResults(kind, folder)).toThrow(
      /has no results of a whole run; 'npm run bench -- --suite any-f' measures them on this machine\.$/,
    );
  });

  test("the newest of several runs is read, and none of another format", () => {
    for (const date of ["2026-01-03", "2026-01-02"]) writeResults(join(folder, `${date}.json`), results(date));
    expect(newestResults(kind, folder).date).toBe("2026-01-03");
    expect(() => newestResults({ ...kind, format: 3 }, folder)).toThrow(/no results of the suite any-f in format 3; /);
  });

  test("git ignores the results", () => {
    const path = wholePath(results("2026-01-02"));
    expect(path).toMatch(/any-f\/2026-01-02-2-cores\.json$/);
    // by its text, since a copy of the files has no repository
    const ignored = readFileSync(join(ROOT, ".gitignore"), "utf8").split("\n");
    expect(ignored).toContain(`${relative(ROOT, path).split("/")[0]}/`);
  });
});
