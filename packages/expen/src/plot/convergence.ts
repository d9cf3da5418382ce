/** The convergence of runs as an SVG: their gradient norms, or the distance of f from its minimum, over evaluations, seconds or steps. */
import type { Row } from "@expen/core";
import { chosenOptions, finite, oneOf, ProblemError, positive, type Schema, text } from "@expen/linalg";
import { markup, type Series, svgPlot } from "./svg-plot.js";

/** A result with its history, or a part of it */
export interface RunHistory {
  readonly history?: readonly Pick<Row, "k" | "f" | "gnorm" | "seconds" | "evaluations">[];
  readonly run?: { readonly solver: string; readonly method: string };
  readonly optimum?: number | null;
}

/** Options of `plotConvergence`: the two axes and the size of the picture */
export interface ConvergenceOptions {
  /** the number along the horizontal axis; default: evaluations */
  x?: "evaluations" | "seconds" | "iterations";
  /** gradient, the default: ‖grad f‖; gap: f less the optimum, or less the smallest f of all runs */
  y?: "gradient" | "gap";
  /** the optimum, where the results do not know it */
  optimum?: number;
  /** a line above the picture */
  title?: string;
  /** in pixels; default: 720 by 420 */
  width?: number;
  /** height of the picture */
  height?: number;
}

const schema = {
  x: oneOf(["evaluations", "seconds", "iterations"]),
  y: oneOf(["gradient", "gap"]),
  optimum: finite,
  title: text,
  width: positive,
  height: positive,
} satisfies Schema;

/** Width of a line of the legend for each of its letters, and height of a line, in pixels */
const [LETTER, LINE] = [7, 17];
/** Number of the colours and dashes in STYLE */
const STYLES = 8;
const STYLE = `
.convergence { --ink: #1b1f24; --soft: #68717c; --grid: #e9ebee; --paper: #fff; }
@media (prefers-color-scheme: dark) { .convergence { --ink: #e4e7eb; --soft: #98a2ad; --grid: #262b31; --paper: #14171b; } }
.convergence { font-family: ui-sans-serif, system-ui, sans-serif; background: var(--paper); }
.convergence .frame { fill: none; stroke: var(--soft); }
.convergence .grid { stroke: var(--grid); }
.convergence .minor { stroke: var(--soft); stroke-width: 0.7; }
.convergence .tick, .convergence .key { font-size: 11px; fill: var(--soft); }
.convergence .sup { font-size: 8.5px; }
.convergence .label { font-size: 12px; fill: var(--ink); }
.convergence .title { font-size: 12.5px; font-weight: 600; fill: var(--ink); }
.convergence .line { fill: none; stroke-width: 1.8; stroke-linejoin: round; }
.c0 { stroke: #0072b2; }
.c1 { stroke: #d55e00; stroke-dasharray: 7 3; }
.c2 { stroke: #009e73; stroke-dasharray: 2 2.5; }
.c3 { stroke: #cc79a7; stroke-dasharray: 8 3 2 3; }
.c4 { stroke: #e69f00; }
.c5 { stroke: #56b4e9; stroke-dasharray: 5 2; }
.c6 { stroke: #68717c; }
.c7 { stroke: #8c564b; stroke-dasharray: 3 3; }
`;

/**
 * A drawing of runs on one scale, as the text of an SVG file. The results are those of runs with `history: true`; an object gives them
 * names, a list takes those of their solvers.
 *
 *     const auto = await minimize(f, { on, history: true });
 *     const paper = await minimize(f, { on, history: true, solver: "expen-cg" });
 *     await writeFile("runs.svg", plotConvergence([auto, paper]));
 */
export function plotConvergence(
  results: RunHistory | readonly RunHistory[] | Readonly<Record<string, RunHistory>>,
  options: ConvergenceOptions = {},
): string {
  const o = chosenOptions("plotConvergence", options, schema);
  const { x = "evaluations", y = "gradient", title, width = 720, height = 420 } = o;
  const runs = namedRuns(results);
  const least = y === "gap" ? (o.optimum ?? leastValue(runs)) : 0;
  const series = runs.map(([label, { history }], i): Series => {
    const across = (row: RowOf): number => (x === "iterations" ? row.k : row[x]);
    const up = ({ gnorm, f }: RowOf): number => (y === "gradient" ? gnorm : f - least);
    return { label, style: `c${i % STYLES}`, points: history!.map((row) => [across(row), up(row)]) };
  });
  const plot = svgPlot({
    ...(title !== undefined && { title }),
    width,
    height,
    x: { label: x, min: 0 },
    y: { label: y === "gradient" ? "‖grad f‖" : "f − f*", log: true },
    series,
  });
  const open = `<svg xmlns="http://www.w3.org/2000/svg" class="convergence" width="${width}" height="${height}"`;
  return `${plot
    .replace('<svg class="plot"', open)
    .replace(/>/, `><style>${STYLE}</style>`)
    .replace(/<\/svg>$/, "")}${legend(series, width)}</svg>\n`;
}

type RowOf = NonNullable<RunHistory["history"]>[number];

/** Runs with the names of their lines; throws where one has no history. */
function namedRuns(results: Parameters<typeof plotConvergence>[0]): [string, RunHistory][] {
  if (typeof results !== "object" || results === null) {
    throw new ProblemError("plotConvergence: give a result of minimize, a list of them, or an object of them by name.");
  }
  const isOne = "history" in results || "run" in results;
  const list = isOne ? [results as RunHistory] : Array.isArray(results) ? (results as RunHistory[]) : undefined;
  const runs = list
    ? list.map((result, i): [string, RunHistory] => [labelOf(result, i, list), result])
    : Object.entries(results as Record<string, RunHistory>);
  if (runs.length === 0) throw new ProblemError("plotConvergence: there is no result to draw; give one at least.");
  for (const [name, result] of runs) {
    if (Array.isArray(result?.history)) continue;
    throw new ProblemError(`plotConvergence: the result '${name}' has no history; run it with history: true.`);
  }
  return runs;
}

/** The solver, with its method if there are several runs of it, and a number if that does not tell them apart */
function labelOf(result: RunHistory, i: number, list: readonly RunHistory[]): string {
  const name = ({ run }: RunHistory): string =>
    run ? (run.solver === run.method ? run.solver : `${run.solver} (${run.method})`) : "run";
  const own = name(result ?? {});
  return list.filter((other) => name(other ?? {}) === own).length > 1 ? `${own} ${i + 1}` : own;
}

/** The smallest optimum that a result knows, or f of a row */
function leastValue(runs: readonly [string, RunHistory][]): number {
  const known = runs.flatMap(([, { optimum }]) => (typeof optimum === "number" ? [optimum] : []));
  if (known.length > 0) return Math.min(...known);
  return runs.reduce(
    (least, [, { history }]) => history!.reduce((low, { f }) => (Number.isNaN(f) ? low : Math.min(low, f)), least),
    Number.POSITIVE_INFINITY,
  );
}

/** Names beside their lines, in the corner at the top right */
function legend(series: readonly Series[], width: number): string {
  const longest = Math.max(...series.map(({ label }) => label.length));
  const left = width - 24 - LETTER * longest;
  return series
    .map(({ label, style }, i) => {
      const top = 40 + LINE * i;
      const line = `<path class="line ${style}" d="M${left - 34} ${top}H${left - 6}"/>`;
      return `${line}<text class="key" x="${left}" y="${top + 4}">${markup(label)}</text>`;
    })
    .join("");
}
