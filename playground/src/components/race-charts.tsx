/** The three curves of a race against iterations, evaluations or time. */
import { setting } from "../address.js";
import { Chart } from "../chart/chart.js";
import type { ChartContent } from "../chart/series.js";
import { look } from "../palette.js";
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
  const { value: optimum, known } = reference(run);
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
  return [
    content(known ? "f − f*" : "f − best value seen", (p) => Math.max(p.fval - optimum, floor)),
    content("Stationarity ‖grad f‖", (p) => p.stationarity),
    content("Feasibility ‖XᵀX − I‖ before projection", (p) => Math.max(p.feasibility, 1e-17)),
  ];
}

export function RaceCharts({ run }: { run: RunState }) {
  const [gap, stationarity, feasibility] = raceCharts(run) as [ChartContent, ChartContent, ChartContent];
  return (
    <section class="card" aria-label="Curves">
      <div class="chart-head">
        <Segments name="x" label="Against" absent="k" choices={AXES} />
        <Legend run={run} />
      </div>
      <Chart content={gap} height={300} />
      <div class="pair">
        <Chart content={stationarity} height={220} />
        <Chart content={feasibility} height={220} />
      </div>
    </section>
  );
}
