/** `npm run bench:growth`: time of an evaluation and memory of `expen` as n and p grow, on noeig, and a plot of it in docs/growth.svg. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { openEngine } from "../src/engines/open.js";
import { noeig } from "../src/problems/noeig.js";
import { solveStiefel } from "../src/stiefel.js";
import type { Engine } from "../src/types.js";
import { type Clock, clockNamed, clocks } from "./contender.js";
import { ROOT } from "./peers.js";
import { logLogPlot } from "./plot.js";

export interface GrowthPoint {
  n: number;
  p: number;
  /** of one evaluation of f and ∇f with everything a solver does around it */
  seconds: number;
  /** all memory that was taken, objective included, in matrices of n×p */
  matrices: number;
}

export interface GrowthLine {
  /** what grows */
  letter: "n" | "p";
  /** the other one */
  fixed: number;
  points: GrowthPoint[];
  /** least-squares slope of log(seconds) over log(n) or log(p) */
  exponent: number;
}

export interface Growth {
  engine: string;
  lines: GrowthLine[];
}

/** What grows, at which value of the other, through which values. */
type Plan = readonly ["n" | "p", number, readonly number[]];
const PLAN: readonly Plan[] = [
  ["n", 10, [1000, 3000, 10_000, 30_000, 100_000]],
  ["n", 50, [1000, 3000, 10_000, 30_000]],
  ["p", 1000, [10, 20, 50, 100, 200]],
  ["p", 10_000, [10, 20, 50, 100]],
];

/** Measured between these iterations: what happens once, at the start, is left out. */
const FIRST = 8;
const LAST = 28;

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

/** The same engine, which adds up the numbers it was asked to hold. */
function weighing(E: Engine): { engine: Engine; held: () => number } {
  let numbers = 0;
  return {
    engine: {
      ...E,
      matrix(rows, cols) {
        numbers += rows * cols;
        return E.matrix(rows, cols);
      },
      from(source) {
        numbers += source.rows * source.cols;
        return E.from(source);
      },
    },
    held: () => numbers,
  };
}

function measure(E: Engine, n: number, p: number, repeats: number, clock: Clock): GrowthPoint {
  /** seconds of one evaluation between the two iterations */
  const run = (E: Engine): number => {
    const { objective } = noeig(E, { n, p });
    let [seconds, evaluations] = [0, 0];
    for (const state of solveStiefel(E, objective, { tol: 0, maxIterations: LAST, certificate: "stationary" })) {
      if (state.k !== FIRST && state.k !== LAST) continue;
      seconds = clocks[clock]() - seconds;
      evaluations = state.evaluations.f - evaluations;
    }
    return seconds / evaluations;
  };
  const { engine, held } = weighing(E);
  run(engine);
  const matrices = held() / (n * p);
  const seconds = Math.min(...Array.from({ length: repeats }, () => run(E)));
  return { n, p, seconds, matrices };
}

export async function growth({ repeats = 3, plan = PLAN, clock = "wall" as Clock } = {}): Promise<Growth> {
  const E = await openEngine("auto", { threads: 1 });
  const lines = plan.map(([letter, fixed, values]) => {
    const points = values.map((value) =>
      letter === "n" ? measure(E, value, fixed, repeats, clock) : measure(E, fixed, value, repeats, clock),
    );
    return { letter, fixed, points, exponent: slope(points.map((point) => [point[letter], point.seconds])) };
  });
  const { description } = E;
  E.dispose();
  return { engine: description, lines };
}

export function growthPlot({ lines }: Growth): string {
  return logLogPlot({
    width: 420,
    height: 300,
    panels: (["n", "p"] as const).map((letter) => ({
      title: `time of one evaluation over ${letter}`,
      x: letter,
      y: "ms",
      series: lines
        .filter((line) => line.letter === letter)
        .map(({ fixed, points, exponent }) => ({
          name: `${letter === "n" ? "p" : "n"} = ${fixed}: ${letter}^${exponent.toFixed(2)}`,
          points: points.map((point) => [point[letter], point.seconds * 1000] as const),
        })),
      guide: { power: letter === "n" ? 1 : 2, name: letter === "n" ? "∝ n" : "∝ p²" },
    })),
  });
}

export function saveGrowthPlot(growth: Growth): string {
  mkdirSync(join(ROOT, "docs"), { recursive: true });
  const path = join(ROOT, "docs/growth.svg");
  writeFileSync(path, growthPlot(growth));
  return path;
}

export function growthText({ lines }: Growth): string {
  return lines
    .flatMap(({ letter, fixed, points, exponent }) => [
      `${letter === "n" ? `p = ${fixed}: n` : `n = ${fixed}: p`}^${exponent.toFixed(2)}`,
      ...points.map(
        ({ n, p, seconds, matrices }) =>
          `  ${`${n}×${p}`.padEnd(12)} ${(seconds * 1000).toPrecision(3).padStart(8)} ms an evaluation, ${matrices.toFixed(1)} n×p matrices`,
      ),
    ])
    .join("\n");
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const { values } = parseArgs({ options: { clock: { type: "string" } } });
  const measured = await growth({ clock: clockNamed(values.clock) });
  console.log(`noeig on ${measured.engine}`);
  console.log(growthText(measured));
  console.log(saveGrowthPlot(measured));
}
