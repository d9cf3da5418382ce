/**
 * `npm run bench:short`: what users of short runs wait for. Each process imports expen, opens the fastest engine and runs one problem 200
 * times; processes of the problems take turns, and the least of each column counts.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { list, number, scriptOptions } from "./arguments.js";
import { problems } from "./short/problems.js";
import type { Times } from "./short/process.js";
import { textTable } from "./tables.js";

// node bench/dist/short.js [--problems varimax] [--processes 8] [--runs 200] [--cache] [--stationary]
const {
  problems: names,
  processes = 8,
  runs = 200,
  cache,
  stationary,
} = scriptOptions({ problems: list, processes: number("processes", 1), runs: number("runs", 5) }, [
  "cache",
  "stationary",
]);
const chosen = problems.filter(({ name }) => !names || names.includes(name));
/** compiled code, which the first process leaves for the others; from Node 22.1 */
const folder = cache ? mkdtempSync(join(tmpdir(), "expen-short-")) : undefined;
const options = JSON.stringify(stationary ? { certificate: "stationary" } : {});
const program = fileURLToPath(new URL("./short/process.js", import.meta.url));

const measure = (name: string): Times => {
  const args = [program, name, String(runs), options, ...(folder ? [folder] : [])];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: "utf8" })) as Times;
};
const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;

const seen = chosen.map((): Times[] => []);
for (let k = 0; k < processes; k++) for (const [i, { name }] of chosen.entries()) seen[i]!.push(measure(name));
if (folder) rmSync(folder, { recursive: true });

const { clock, engine } = seen[0]![0]!;
console.log(`Node ${process.version}, ${engine}\n${clock} in ms: the least of ${processes} processes\n`);
const least = (times: readonly Times[], of: (one: Times) => number): string => Math.min(...times.map(of)).toFixed(1);
const rows = chosen.map(({ name, n, p }, i) => {
  const times = seen[i]!;
  return [
    `${name} ${n}×${p}`,
    String(times[0]!.evaluations),
    least(times, (one) => one.import),
    least(times, (one) => one.open),
    least(times, (one) => one.runs[0]!),
    least(times, (one) => mean(one.runs.slice(1, 5))),
    least(times, (one) => mean(one.runs.slice(0, 20))),
    Math.min(...times.map(({ best }) => best)).toFixed(2),
    least(times, (one) => one.process),
  ];
});
const head = [
  "",
  "evaluations",
  "import",
  "engine",
  "first run",
  "runs 2–5",
  "mean of 20",
  "best, wall",
  "process, 20 runs",
];
console.log(textTable({ head, body: rows }));
