/** `npm run bench:growth`: time of an evaluation and memory of `expen` as n and p grow, on noeig, and a plot of it in docs/growth.svg. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { openEngine } from "../src/engines/open.js";
import { noeig } from "../src/problems/noeig.js";
import { solveStiefel } from "../src/stiefel.js";
import type { Engine } from "../src/types.js";
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

const ROWS = [1000, 3000, 10_000, 30_000, 100_000];
const COLUMNS = [10, 20, 50, 100, 200];

/** Iterations of the shorter and the longer run: their difference is free of what happens once. */
const SHORT = 8;
const LONG = 28;

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

function measure(E: Engine, n: number, p: number, repeats: number): GrowthPoint {
  const run = (E: Engine, maxIterations: number): { seconds: number; evaluations: number } => {
    const { objective } = noeig(E, { n, p });
    const began = performance.now();
    const steps = solveStiefel(E, objective, { tol: 0, maxIterations, certificate: "stationary" });
    let next = steps.next();
    while (!next.done) next = steps.next();
    return { seconds: (performance.now() - began) / 1000, evaluations: next.value.evaluations.f };
  };
  const { engine, held } = weighing(E);
  run(engine, LONG);
  const matrices = held() / (n * p);
  let [short, long] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  let evaluations = 0;
  for (let i = 0; i < repeats; i++) {
    const [a, b] = [run(E, SHORT), run(E, LONG)];
    short = Math.min(short, a.seconds);
    long = Math.min(long, b.seconds);
    evaluations = b.evaluations - a.evaluations;
  }
  return { n, p, seconds: (long - short) / evaluations, matrices };
}

export async function growth({ repeats = 3, rows = ROWS, columns = COLUMNS } = {}): Promise<Growth> {
  const E = await openEngine("auto", { threads: 1 });
  const line = (letter: "n" | "p", fixed: number, values: number[]): GrowthLine => {
    const points = values.map((value) =>
      letter === "n" ? measure(E, value, fixed, repeats) : measure(E, fixed, value, repeats),
    );
    const exponent = slope(points.map((point) => [point[letter], point.seconds]));
    return { letter, fixed, points, exponent };
  };
  const lines = [
    line("n", 10, rows),
    line("n", 50, rows.slice(0, -1)),
    line("p", 1000, columns),
    line("p", 10_000, columns.slice(0, -1)),
  ];
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
  const measured = await growth();
  console.log(`noeig on ${measured.engine}`);
  console.log(growthText(measured));
  console.log(saveGrowthPlot(measured));
}
