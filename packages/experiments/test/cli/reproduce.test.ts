import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { jsEngine } from "@expen/linalg/engine";
import { expen, scratch, start } from "@expen/testing/cli/run-cli";
import type { Report } from "expen/cli";
import { describe, expect, test } from "vitest";
import { brockett } from "../../src/paper/brockett.js";
import { competitors } from "../../src/paper/competitors.js";
import { paperTables } from "../../src/paper/paper-tables.js";
import { type Plan, rowsOf, taskKey, tasksOf } from "../../src/paper/plan.js";
import { type RunRecord, runTask } from "../../src/paper/run-task.js";
import { profile, summarise } from "../../src/paper/summary.js";

const folder = scratch();
const SMALL = "all --sizes 200x4,400x12 --runs 2 --solvers auto,expen-cg --engine wasm";
const reportOf = (out: string): Report => JSON.parse(readFileSync(join(folder, out, "report.json"), "utf8"));
const linesOf = (out: string): RunRecord[] =>
  readFileSync(join(folder, out, "runs.jsonl"), "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
/** The report without times */
const timeless = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (key, v) =>
      ["seconds", "secondsToGap", "date"].includes(key) || v?.measure === "seconds" ? undefined : v,
    ),
  );

describe("the plan", () => {
  const plan: Plan = {
    tables: paperTables.map((t) => t.id),
    figure: true,
    runs: 10,
    competitors,
    quick: false,
    engine: "js",
  };

  test("has all 20 rows of the paper; rows that occur in two tables and the figure run once", () => {
    expect(rowsOf(plan).flatMap((t) => t.sizes)).toHaveLength(20);
    const tasks = tasksOf(plan);
    // (1000, 50) is in both tables of each problem; the figure adds a reference run for each of its three sizes
    expect(tasks).toHaveLength(18 * 10 * competitors.length + 3);
    expect(new Set(tasks.map((t) => taskKey(t, "js"))).size).toBe(tasks.length);
    expect(tasks.filter((t) => t.curve)).toHaveLength(3 * competitors.length);
  });

  test("a larger number of runs keeps the existing ones", () => {
    const keys = new Set(tasksOf(plan).map((t) => taskKey(t, "js")));
    for (const task of tasksOf({ ...plan, runs: 3 })) expect(keys.has(taskKey(task, "js"))).toBe(true);
  });

  test("a quick run is a part of the whole", () => {
    const keys = new Set(tasksOf(plan).map((t) => taskKey(t, "js")));
    const quick = tasksOf({ ...plan, runs: 1, quick: true });
    expect(quick.length).toBeLessThan(keys.size / 10);
    for (const task of quick) expect(keys.has(taskKey(task, "js"))).toBe(true);
  });
});

test("a solver that throws becomes a failed record", async () => {
  const E = jsEngine();
  const plan: Plan = {
    tables: ["brockett-n"],
    figure: false,
    runs: 1,
    competitors,
    quick: false,
    engine: "js",
    sizes: [{ n: 8, p: 2 }],
  };
  const task = tasksOf(plan)[0]!;
  const problem = brockett(E, { n: 8, p: 2 });
  const context = { machine: "here", now: () => new Date(0) };
  const good = await runTask(E, problem, task, context);
  expect(good).toMatchObject({ converged: true, start: 1, machine: "here", at: "1970-01-01T00:00:00.000Z" });
  expect(good.secondsToGap).not.toBeNull();
  const broken = {
    ...problem,
    optimum: good.optimum!,
    objective: {
      ...problem.objective,
      fg: () => {
        throw new Error("no more");
      },
    },
  };
  const bad = await runTask(E, broken, task, context);
  expect(bad).toMatchObject({ key: good.key, converged: false, status: "failed", optimum: good.optimum });
  expect(bad.text).toContain("no more");
});

describe("the summary", () => {
  const record = (label: string, start: number, f: number, converged = true): RunRecord => ({
    ...({ problem: "noeig", n: 10, p: 2, instance: 1, solver: label, engine: "js", status: "", text: "why" } as const),
    ...({ fval: 1, iterations: 1, stationarity: 0, feasibility: 0, seconds: f, beta: 1, optimum: null } as const),
    ...({ gap: null, secondsToGap: null, machine: "", at: "", key: `${label} ${start}` } as const),
    ...{ label, start, converged, evaluations: { f, grad: f, hvp: 0 } },
  });

  test("performance profile: shares of instances within τ of the best, never for a failure", () => {
    const records = [
      record("a", 1, 10),
      record("b", 1, 20),
      record("a", 2, 30),
      record("b", 2, 10),
      record("a", 3, 5),
      record("b", 3, 1, false),
    ];
    const { instances, series } = profile("evaluations", ["a", "b"], records);
    expect(instances).toBe(3);
    expect(series[0]!.points).toEqual([
      [1, 1 / 3],
      [1, 2 / 3],
      [3, 1],
    ]);
    expect(series[1]!.points).toEqual([
      [1, 1 / 3],
      [2, 2 / 3],
    ]);
  });

  test("means are over converged runs and beside the paper's row; f agrees to the printed digits or not", () => {
    const plan: Plan = {
      tables: ["noeig-p"],
      figure: false,
      runs: 2,
      competitors: [competitors[0]!],
      quick: false,
      engine: "js",
    };
    const make = (fvals: number[], converged: boolean[]) => {
      const records = new Map<string, RunRecord>();
      for (const task of tasksOf(plan).filter((t) => t.p === 10)) {
        const i = task.start - 1;
        const r = {
          ...record("ExPen-CG", task.start, 100 * task.start, converged[i]),
          n: 1000,
          p: 10,
          fval: fvals[i]!,
          iterations: 150 + 20 * i,
        };
        records.set(taskKey(task, "js"), { ...r, key: taskKey(task, "js") });
      }
      return summarise(plan, records).tables[0]!.groups[0]!.cells[0]!;
    };
    expect(make([35.708571, 35.708572], [true, true])).toMatchObject({
      runs: 2,
      converged: 2,
      agrees: true,
      paper: { iterations: 165.1 },
    });
    expect(make([35.708571, 35.708572], [true, true]).mean).toMatchObject({ iterations: 160, evaluations: 150 });
    expect(make([35.70866, 35.70857], [true, true]).agrees).toBe(false);
    expect(make([35.708571, 99], [true, false])).toMatchObject({
      converged: 1,
      agrees: true,
      mean: { iterations: 150 },
      failures: ["why"],
    });
  });
});

// seconds on two free cores; room for busy ones
describe("reproduce", { timeout: 240_000 }, () => {
  test("writes tables, figure, profile and their twins", async () => {
    const { code, stdout } = await expen(`reproduce ${SMALL} --out whole --quiet`, folder);
    expect(code).toBe(0);
    expect(stdout).toContain("The report is whole/report.html");
    const { summary, settings, machines, command } = reportOf("whole");
    expect(summary).toMatchObject({ complete: true, planned: 18, finished: 18 });
    expect(summary.tables.map((t) => t.id)).toEqual(["noeig-n", "noeig-p", "brockett-n", "brockett-p"]);
    for (const { problem, groups } of summary.tables) {
      for (const { cells, optimum } of groups) {
        expect(cells.map((c) => [c.label, c.converged])).toEqual([
          ["auto (default)", 2],
          ["ExPen-CG", 2],
        ]);
        for (const { mean } of cells) {
          expect(mean!.stationarity).toBeLessThanOrEqual(1e-3);
          if (problem === "noeig") continue;
          expect(mean!.gap! / Math.abs(optimum!)).toBeLessThan(1e-3);
          expect(mean!.gap).toBeGreaterThan(-1e-12);
          expect(mean!.secondsToGap! <= mean!.seconds).toBe(true);
        }
      }
    }
    expect(summary.figure).toHaveLength(2);
    for (const { best, curves } of summary.figure) {
      expect(curves.map((c) => c.label)).toEqual(["auto (default)", "ExPen-CG"]);
      for (const { curve } of curves) {
        expect(Math.min(...curve.f)).toBeGreaterThan(best - 1e-9);
        expect(curve.stationarity[0]).toBeGreaterThan(curve.stationarity.at(-1)!);
      }
    }
    expect(settings).toMatchObject({ tolerance: 1e-3, startSeeds: "1–2" });
    expect(machines).toHaveLength(1);
    expect(command).toBe(`expen reproduce all --runs 2 --solvers auto,expen-cg --sizes 200x4,400x12 --engine wasm`);
    const markdown = readFileSync(join(folder, "whole/report.md"), "utf8");
    expect(markdown.match(/^\| 200, 4 \| auto \(default\) \|/gm)).toHaveLength(4);
    const html = readFileSync(join(folder, "whole/report.html"), "utf8");
    expect(html.match(/<table>/g)).toHaveLength(4);
    expect(html.match(/<svg class="plot"/g)).toHaveLength(6 + 6 + 2);
    // self-contained: nothing is fetched
    expect(html).not.toMatch(/(src|href)=|url\(|@import/);
  });

  test("after an interruption no run is repeated, and the report equals that of an uninterrupted run", async () => {
    const args = `reproduce ${SMALL} --out parts`.split(" ");
    const { child, ended } = start(args, folder);
    await new Promise<void>((seen) => {
      let lines = 0;
      child.stderr!.on("data", (text: string) => (lines += text.split("\n").length - 1) >= 2 && seen());
    });
    child.kill("SIGINT");
    const { code } = await ended;
    expect(code).toBe(130);
    const before = linesOf("parts");
    expect(before.length).toBeGreaterThanOrEqual(2);
    expect(before.length).toBeLessThan(18);
    expect(reportOf("parts").summary).toMatchObject({ complete: false, finished: before.length });

    // a crash in the middle of a line besides
    const path = join(folder, "parts/runs.jsonl");
    truncateSync(path, readFileSync(path).length - 40);
    expect((await expen(args.join(" "), folder)).code).toBe(0);
    const text = readFileSync(path, "utf8").split("\n").filter(Boolean);
    const after = text.flatMap((line) => {
      try {
        return [JSON.parse(line) as RunRecord];
      } catch {
        return [];
      }
    });
    expect(after.slice(0, before.length - 1)).toEqual(before.slice(0, -1));
    expect(new Set(after.map((r) => r.key)).size).toBe(after.length);
    expect(after).toHaveLength(18);
    expect(timeless(reportOf("parts"))).toEqual(timeless(reportOf("whole")));

    // with everything there, nothing is run and the very same report is written
    const report = readFileSync(join(folder, "parts/report.html"), "utf8");
    const { stderr } = await expen(args.join(" "), folder);
    expect(stderr).toBe("");
    expect(readFileSync(join(folder, "parts/report.html"), "utf8")).toBe(report);
  });

  test("--json prints the report as one document", async () => {
    const { stdout } = await expen(`reproduce ${SMALL} --out whole --json`, folder);
    expect(JSON.parse(stdout)).toEqual(reportOf("whole"));
  });

  test("a report that cannot be written: one sentence, exit code 2, the runs and the old report stay", async () => {
    mkdirSync(join(folder, "blocked/report.md/x"), { recursive: true });
    writeFileSync(join(folder, "blocked/report.html"), "old");
    const { code, stderr } = await expen(
      "reproduce noeig-p --sizes 30x2 --runs 1 --solvers auto --out blocked --quiet",
      folder,
    );
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /^expen: blocked\/report\.html cannot be written: .*; the runs finished so far are kept\.\n$/,
    );
    expect(linesOf("blocked")).toHaveLength(1);
    expect(readFileSync(join(folder, "blocked/report.html"), "utf8")).toBe("old");
    expect(readdirSync(join(folder, "blocked")).filter((name) => name.includes("partial"))).toEqual([]);
  });

  test("a full disk: one sentence, exit code 2, the runs stay", async (context) => {
    const disk = join(folder, "disk");
    mkdirSync(disk);
    try {
      execFileSync("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", disk], { stdio: "ignore" });
    } catch {
      return context.skip("a small disk cannot be mounted here");
    }
    try {
      const { code, stderr } = await expen(
        "reproduce figure --sizes 200x3,210x3,200x4 --solvers auto,expen-cg --out disk --quiet",
        folder,
      );
      expect(code).toBe(2);
      expect(stderr).toMatch(
        /^expen: disk\/(report\.html|runs\.jsonl) cannot be written: the disk is full; the runs finished so far are kept\.\n$/,
      );
      expect(readFileSync(join(disk, "runs.jsonl"), "utf8").split("\n").length).toBeGreaterThan(1);
      expect(existsSync(join(disk, "report.html"))).toBe(false);
    } finally {
      execFileSync("umount", [disk]);
    }
  });
});
