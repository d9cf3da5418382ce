import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { reasons } from "../specialists/reasons.js";
import { compared, type SpecialistResults, type SpecialistRun } from "../specialists/results.js";
import { specialists } from "../specialists/suite.js";
import { behind, specialistTable, summaryTable } from "../specialists/tables.js";
import { fields } from "../specialists/tasks.js";

const run = (contender: string, f: number | null, seconds: number | null, rest = {}): SpecialistRun => ({
  contender,
  status: "converged",
  text: "",
  seconds,
  iterations: 3,
  evaluations: null,
  f,
  stationarity: 1e-7,
  ...rest,
});

const machine = { name: "", cpu: "", cores: 2, memoryGB: 1, os: "", node: "", load: 0 };
const about = { date: "2026-01-01", commit: "", machine, threads: 1, clock: "cpu", contenders: {}, skipped: {} };

test("an answer is the same within 1e-7 of |f|, better below and worse above; a failure has no ratio", () => {
  const ours = run("expen", -2, 0.5);
  expect(compared({ scale: 1 }, ours, run("tool", -2 - 1e-8, 1))).toEqual({ ratio: 2, verdict: "same" });
  expect(compared({ scale: 1 }, ours, run("tool", -1.9, 1)).verdict).toBe("better");
  expect(compared({ scale: 1 }, ours, run("tool", -2.1, 1)).verdict).toBe("worse");
  expect(compared({ scale: 1e6 }, run("expen", 1e-18, 1), run("tool", 1e-23, 1)).verdict).toBe("same");
  expect(compared({ scale: 1 }, ours, run("tool", null, null))).toEqual({ ratio: undefined, verdict: "failed" });
});

test("the summary counts ratios and verdicts, of tools with the same function alone", () => {
  const runs = [
    run("expen", -2, 1),
    run("fast", -2, 0.5),
    run("slow", -1.9, 8),
    run("other", -3, 100, { other: true }),
  ];
  const results = {
    cases: [{ field: "pca", name: "data", starts: 1, scale: 1, runs }],
  } as unknown as SpecialistResults;
  const { body } = summaryTable(results);
  expect(body.at(-1)).toEqual(["all", "2", "2.00", "0.500", "1", "1", "0", "1"]);
  const lines = specialistTable(results).body;
  expect(lines).toHaveLength(4);
  expect(lines[3]!.at(-1)).toBe("ours is higher; another function");
});

test("pairs in which ours is behind are named, and every field has its reason", () => {
  const runs = [run("expen", -2, 1), run("quick", -2, 0.5), run("lower", -3, 4), run("slow", -2, 4)];
  const cases = [{ field: "pca", name: "data", starts: 1, scale: 1, runs }];
  const results = { ...about, cases } as unknown as SpecialistResults;
  expect(behind(results).map(({ tool, ratio, higher }) => [tool, ratio, higher])).toEqual([
    ["quick", 0.5, 0],
    ["lower", 4, 1 / 3],
  ]);
  const page = specialists.page(results);
  const quick = specialistTable(results).body[1]!;
  expect([quick[2], quick[3], ...quick.slice(-2)]).toEqual(["`quick`", "500", "0.500", "the same"]);
  expect(page).toContain("| pca | 3 | ");
  expect(page).toContain("- pca, data, `quick`: its time is 0.50 of ours\n");
  expect(page).toContain("- pca, data, `lower`: our f is higher by 3e-1 of it\n");
  expect(Object.keys(reasons)).toEqual(fields);
});

test("the tools know every field", () => {
  const tools = readFileSync("bench/peers/specialists.py", "utf8");
  for (const field of fields) expect(tools).toContain(`"${field}"`);
});
