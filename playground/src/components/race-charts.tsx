/** The three curves of a race against iterations, evaluations or time. */
import { setting } from "../address.js";
import { Chart } from "../chart/chart.js";
import type { ChartContent } from "../chart/series.js";
import { type Look, look } from "../palette.js";
import { placeOf, STIEFEL } from "../places.js";
import type { Point } from "../protocol.js";
import type { RunState } from "../run-state.js";
import { dark } from "../theme.js";
import { Segments } from "./fields.js";
import { hiddenLanes, Legend, reference } from "./leaderboard.js";

const AXES = [
  { value: "k", label: "Iterations" },
  { value: "evaluations", label: "Evaluations" },
  { value: "seconds", label: "Time" },
];

export function raceCharts(run: RunState): ChartContent[] {
  const axis = setting("x", "k") as "k" | "evaluations" | "seconds";
  const { value: optimum, name } = reference(run);
  const hidden = hiddenLanes();
  const content = (title: string, y: (p: Point) => number): ChartContent => ({
    title,
    xLabel: axis === "k" ? "iterations" : axis === "seconds" ? "seconds" : "evaluations of f",
    yLabel: title,
    log: true,
    series: run.lanes.value.map(({ label, points }, i) => ({
      label,
      look: look(i, dark.value),
      x: points.map((p) => p[axis]),
      y: points.map(y),
      hidden: hidden.has(i),
    })),
  });
  // rounding: a difference below 1e-16 of the values is nothing
  const floor = 1e-16 * Math.max(1, Math.abs(optimum));
  const on = run.spec.value?.on ?? STIEFEL;
  const K = placeOf(on)?.K ?? "K(X)";
  const hasSubject = run.spec.value?.subjectTo !== undefined;
  const label = run.course.value?.valueLabel;
  return [
    ...(label ? [withLine({ ...content(label, (p) => p.fval), log: false }, optimum, name)] : []),
    content(name === "best" ? "f − best value seen" : `f − ${name}`, (p) => Math.max(p.fval - optimum, floor)),
    content("Stationarity ‖grad f‖", (p) => p.stationarity),
    ...(hasSubject
      ? [content("Violation and complementarity", (p) => Math.max(p.residual ?? Number.NaN, 1e-17))]
      : [content(feasibilityOf(on, K), (p) => Math.max(p.feasibility, 1e-17))]),
  ];
}

const feasibilityOf = (on: string, K: string): string =>
  `Feasibility ‖${K}‖${on === STIEFEL ? " before projection" : ""}`;

/** The same with a level line at the reference. */
function withLine(content: ChartContent, y: number, label: string): ChartContent {
  const last = Math.max(0, ...content.series.flatMap(({ x }) => x)) || 1;
  const line: Look = { colour: dark.value ? "#dddddd" : "#444444", dash: [3, 3], marker: "none" };
  const series = { label, look: line, x: [0, last], y: [y, y] };
  return Number.isFinite(y) ? { ...content, series: [...content.series, series] } : content;
}

export function RaceCharts({ run }: { run: RunState }) {
  const [first, ...others] = raceCharts(run) as [ChartContent, ...ChartContent[]];
  return (
    <section class="card" aria-label="Curves">
      <div class="chart-head">
        <Segments name="x" label="Plot against" absent="k" choices={AXES} />
        <Legend run={run} />
      </div>
      <Chart content={first} height={300} />
      <div class="pair">
        {others.map((content, i) => (
          <Chart key={others.length - i} content={content} height={220} />
        ))}
      </div>
    </section>
  );
}
