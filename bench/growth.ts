/** `npm run bench:growth`: time of an evaluation and memory of `expen` as n and p grow, on noeig, and a plot of it in bench/reports/growth.svg. */
import "@expen/engines/relaxed-simd";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { randomStart } from "@expen/core";
import { openEngine } from "@expen/engines";
import { noeig } from "@expen/experiments/paper";
import type { Engine, Matrix } from "@expen/linalg";
import { solveStiefel } from "@expen/solvers";
import { scriptOptions } from "./arguments.js";
import { type Clock, clockNamed, clocks } from "./contender.js";
import { collectGarbage } from "./garbage.js";
import { MATRICES, type MemoryPoint, peakMemory, weighing } from "./memory.js";
import { ROOT } from "./peers.js";
import { logLogPlot } from "./plot.js";
import { profiled, type Share } from "./profile.js";
import { type Table, textTable } from "./tables.js";

export interface GrowthPoint {
  n: number;
  p: number;
  /** time of a whole run over its evaluations, start and end included */
  seconds: number;
  /** n×p matrices that the run allocates beside those of f */
  matrices: number;
  /** p×p matrices; part of `matrices` where they are not counted separately */
  squares?: number;
}

export interface GrowthLine {
  /** the dimension that grows */
  letter: "n" | "p";
  /** the value of the other dimension */
  fixed: number;
  points: GrowthPoint[];
  /** least-squares slope of log(seconds) over log(n) or log(p) */
  exponent: number;
}

/** The time of an evaluation at one size, by operation. */
export interface GrowthProfile {
  n: number;
  p: number;
  evaluations: number;
  /** time of the run; operations aside, it is JavaScript, LAPACK and the start */
  seconds: number;
  shares: Share[];
}

export interface Growth {
  engine: string;
  lines: GrowthLine[];
  memory: MemoryPoint[];
  profiles: GrowthProfile[];
}

/** The dimension that grows, the value of the other, and the values it takes. */
type Plan = readonly ["n" | "p", number, readonly number[]];
const PLAN: readonly Plan[] = [
  ["n", 10, [1000, 3000, 10_000, 30_000, 100_000]],
  ["n", 50, [1000, 3000, 10_000, 30_000, 100_000]],
  ["p", 1000, [10, 20, 50, 100, 200]],
  ["p", 10_000, [10, 20, 50, 100, 200]],
];
type Size = readonly [number, number];
/** Sizes in cache and far out of it. */
const PROFILED: readonly Size[] = [
  [1000, 10],
  [100_000, 10],
];
/** A size at which matrices make the peak memory of a process. */
const WEIGHED: readonly Size[] = [
  [100_000, 10],
  [10_000, 100],
];

/** Iterations of each run; noeig needs more at every size. */
const ITERATIONS = 40;
/** Seconds of repeated runs at a small size, since one run ends before the processor reaches full speed. */
const SECONDS = 0.4;
/** Bound of these repeats. */
const RUNS = 20;
/** Passes through the sizes of a line, of which the best time of each size counts: a shared machine may be slow for some seconds. */
const ROUNDS = 2;

export function slope(points: readonly (readonly [number, number])[]): number {
  const logs = points.map(([x, y]) => [Math.log(x), Math.log(y)] as const);
  const mean = (k: 0 | 1): number => logs.reduce((sum, point) => sum + point[k], 0) / logs.length;
  const [mx, my] = [mean(0), mean(1)];
  let [xy, xx] = [0, 0];
  for (const [x, y] of logs) {
    xy += (x - mx) * (y - my);
    xx += (x - mx) ** 2;
  }
  return xy / xx;
}

/** Times one whole run from the same start. */
async function timedRun(
  E: Engine,
  X0: Matrix,
  clock: Clock,
  { objective } = noeig(E, { n: X0.rows, p: X0.cols }),
): Promise<{ seconds: number; evaluations: number }> {
  const options = { start: X0, tol: 0, maxIterations: ITERATIONS, certificate: "stationary" } as const;
  const began = clocks[clock]();
  const steps = await solveStiefel(E, objective, options);
  for (;;) {
    const next = steps.next();
    if (next.done) return { seconds: clocks[clock]() - began, evaluations: next.value.evaluations.f };
  }
}

async function measure([n, p]: Size, repeats: number, clock: Clock): Promise<GrowthPoint> {
  const E = await openEngine("auto", { threads: 1 });
  const X0 = randomStart(E, n, p, 1);
  const { engine, held } = weighing(E);
  await timedRun(engine, X0, clock, noeig(E, { n, p })); // warms up too
  let best = Number.POSITIVE_INFINITY;
  for (let [runs, spent] = [0, 0]; runs < repeats || (repeats > 1 && spent < SECONDS && runs < RUNS); runs++) {
    await collectGarbage();
    const { seconds, evaluations } = await timedRun(E, X0, clock);
    best = Math.min(best, seconds / evaluations);
    spent += seconds;
  }
  E.dispose();
  const { tall, small } = held();
  return { n, p, seconds: best, matrices: tall / (n * p), squares: small / (p * p) };
}

/** The fastest of several runs. */
async function profile([n, p]: Size, repeats: number): Promise<GrowthProfile> {
  const E = await openEngine("auto", { threads: 1 });
  const X0 = randomStart(E, n, p, 1);
  await timedRun(E, X0, "wall");
  let best: GrowthProfile = { n, p, evaluations: 0, shares: [], seconds: Number.POSITIVE_INFINITY };
  for (let i = 0; i < repeats; i++) {
    await collectGarbage();
    const { engine, shares } = profiled(E);
    const { evaluations, seconds } = await timedRun(engine, X0, "wall");
    if (seconds < best.seconds) best = { n, p, evaluations, shares: shares(), seconds };
  }
  E.dispose();
  return best;
}

export async function growth({
  repeats = 3,
  plan = PLAN,
  sizes = { profiled: PROFILED, weighed: WEIGHED },
  clock = "wall" as Clock,
} = {}): Promise<Growth> {
  const { description, dispose } = await openEngine("auto", { threads: 1 });
  dispose();
  const lines: GrowthLine[] = [];
  for (const [letter, fixed, values] of plan) {
    const points: GrowthPoint[] = [];
    for (let round = 0; round < Math.min(ROUNDS, repeats); round++) {
      for (const [i, value] of values.entries()) {
        const point = await measure(letter === "n" ? [value, fixed] : [fixed, value], repeats, clock);
        if (!points[i] || point.seconds < points[i].seconds) points[i] = point;
      }
    }
    lines.push({ letter, fixed, points, exponent: slope(points.map((point) => [point[letter], point.seconds])) });
  }
  const profiles: GrowthProfile[] = [];
  for (const size of sizes.profiled) profiles.push(await profile(size, repeats));
  const memory = sizes.weighed.map(([n, p]) => peakMemory(n, p));
  return { engine: description, lines, memory, profiles };
}

export function growthPlot({ lines }: Growth): string {
  const series = (letter: "n" | "p", y: (point: GrowthPoint) => number, name: (line: GrowthLine) => string) =>
    lines
      .filter((line) => line.letter === letter)
      .map((line) => ({
        name: name(line),
        points: line.points.map((point) => [point[letter], y(point)] as const),
      }));
  const other = ({ letter, fixed }: GrowthLine): string => `${letter === "n" ? "p" : "n"} = ${fixed}`;
  const panels = (["n", "p"] as const).map((letter) => ({
    title: `time of an evaluation over ${letter}`,
    x: letter,
    y: "ms",
    series: series(letter, ({ seconds }) => seconds * 1000, growthTitle),
    guide: { power: letter === "n" ? 1 : 2, name: letter === "n" ? "∝ n" : "∝ p²" },
  }));
  const memory = {
    title: "memory of a run over n",
    x: "n",
    y: "matrices of n×p",
    range: [2, 90] as const,
    series: series("n", ({ matrices }) => matrices, other),
    guide: { power: 0, name: `${MATRICES} matrices`, through: [1000, MATRICES] as const },
  };
  return logLogPlot({ width: 400, height: 300, panels: [...panels, memory] });
}

function saveGrowthPlot(growth: Growth): string {
  const path = join(ROOT, "bench/reports/growth.svg");
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, growthPlot(growth));
  return path;
}

const perEntry = ({ n, p, seconds }: GrowthPoint): number => (seconds / (n * p)) * 1e9;

/** For each size: time of an evaluation and of an entry, the power of n or p since the previous size, memory of the run. */
export function growthTable({ letter, points }: GrowthLine): Table {
  return {
    head: ["size", "ms an evaluation", "ns an entry", `power of ${letter}`, "n×p matrices", "p×p ones", "in all"],
    body: points.map((point, i) => {
      const { n, p, seconds, matrices, squares } = point;
      const pair = points.slice(i - 1, i + 1).map((point) => [point[letter], point.seconds] as const);
      return [
        `${n}×${p}`,
        (seconds * 1000).toPrecision(3),
        perEntry(point).toPrecision(3),
        i === 0 ? "" : slope(pair).toFixed(2),
        matrices.toFixed(1),
        squares?.toFixed(1) ?? "",
        `${((8 * p * (matrices * n + (squares ?? 0) * p)) / 2 ** 20).toPrecision(3)} MB`,
      ];
    }),
  };
}

export const growthTitle = ({ letter, fixed, exponent }: GrowthLine): string =>
  `${letter === "n" ? `p = ${fixed}: n` : `n = ${fixed}: p`}^${exponent.toFixed(2)}`;

/** The time of each operation at each size; the bandwidth shows which are bound by memory. */
export function profileTable({ profiles }: Growth, rows = 8): Table {
  const operations = [...new Set(profiles.flatMap(({ shares }) => shares.map(({ operation }) => operation)))];
  const cost = (operation: string, { n, p, evaluations, shares }: GrowthProfile) => {
    const share = shares.find((share) => share.operation === operation);
    if (!share) return { ns: 0, cells: ["–", "–", "–"] };
    const ns = (share.seconds / evaluations / (n * p)) * 1e9;
    const bandwidth = share.bytes / share.seconds / 1e9;
    return { ns, cells: [(share.calls / evaluations).toFixed(1), ns.toFixed(2), bandwidth.toPrecision(2)] };
  };
  const body = operations.map((operation) => {
    const costs = profiles.map((profile) => cost(operation, profile));
    return { most: Math.max(...costs.map(({ ns }) => ns)), cells: [operation, ...costs.flatMap(({ cells }) => cells)] };
  });
  body.sort((a, b) => b.most - a.most);
  return {
    head: ["", ...profiles.flatMap(({ n, p }) => [`${n}×${p}: calls`, "ns an entry", "GB/s"])],
    body: body.slice(0, rows).map(({ cells }) => cells),
  };
}

export function memoryText({ memory }: Growth): string[] {
  return memory.map(
    ({ n, p, asked, squares, peak }) =>
      `${n}×${p}: ${asked.toFixed(1)} n×p matrices asked for in a run${squares === undefined ? "" : ` and ${squares.toFixed(1)} p×p ones`}, ${peak === null ? "peak not measured" : `${peak.toFixed(1)} resident at the peak of a process of its own`}`,
  );
}

export function growthText(growth: Growth): string {
  return [
    ...growth.lines.flatMap((line) => [growthTitle(line), textTable(growthTable(line)), ""]),
    textTable(profileTable(growth)),
    "",
    ...memoryText(growth),
  ].join("\n");
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const measured = await growth(scriptOptions({ clock: clockNamed }));
  console.log(`noeig on ${measured.engine}`);
  console.log(growthText(measured));
  console.log(saveGrowthPlot(measured));
}
