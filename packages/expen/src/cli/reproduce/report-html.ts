/** The report as one HTML file that needs nothing else: style and plots are inside. */
import type { Curve, FigureSummary, Profile, TableSummary } from "@expen/experiments/paper";
import { markup, type Series, svgPlot } from "../../plot/svg-plot.js";
import { htmlPage } from "../report/html-page.js";
import { lineOf, type Report } from "./report-data.js";
import { reportStyle } from "./report-style.js";

/** number of line styles, of which the last is for the default solver */
const STYLES = 7;
/** The same solver has the same colour everywhere; the default has the strongest. */
const styles = (labels: readonly string[]): Map<string, string> => {
  const others = labels.filter((label) => label !== "auto (default)");
  const classes = new Map(others.map((label, i) => [label, `s${i % (STYLES - 1)}`]));
  return classes.set("auto (default)", `s${STYLES - 1}`);
};

export function reportHtml(report: Report): string {
  const { title, command, date, machines, settings, findings, remarks, summary } = report;
  const labels = summary.profiles[0]!.series.map((s) => s.label);
  const style = styles(labels);
  const figure = summary.figure.filter((f) => f.curves.length > 0);
  const body = [
    `<h1>${markup(title)}</h1>`,
    `<p class="lead">min f(X) over n×p matrices with XᵀX = I; the tables and the figure of the paper's section 4.2, its printed numbers beside ours.</p>`,
    `<ul class="findings">${findings.map((f) => `<li>${markup(f)}</li>`).join("")}</ul>`,
    ...summary.tables.map(tableHtml),
    ...(figure.length > 0 ? figures(figure, style) : []),
    ...(summary.profiles[0]!.instances > 0 ? [profiles(summary.profiles, style)] : []),
    `<h2>How it was run</h2>`,
    `<ul>${remarks.map((r) => `<li>${markup(r)}</li>`).join("")}</ul>`,
    `<dl><dt>Command</dt><dd><code>${markup(command)}</code></dd>`,
    `<dt>Settings</dt><dd>gradient tolerance ${settings.tolerance}, at most ${settings.maxIterations} iterations; instance seed ${settings.instanceSeed}, start seeds ${settings.startSeeds}; engine ${markup(settings.engine)}; means over the runs that converged</dd>`,
    ...machines.map((m) => `<dt>Machine</dt><dd>${markup(m)}</dd>`),
    `<dt>Last run</dt><dd>${markup(date)}</dd></dl>`,
  ];
  return htmlPage(title, reportStyle, body);
}

function tableHtml({ id, problem, caption, groups }: TableSummary): string {
  const closed = problem === "brockett";
  const noted = groups.some((g) => g.cells.some((c) => lineOf(c).note !== ""));
  const columns = 13 + (closed ? 2 : 0) + (noted ? 1 : 0);
  const both = "<th>ours</th><th>paper</th>";
  const head =
    `<tr><th></th><th colspan="2">f</th><th colspan="3">iterations</th><th>evaluations</th><th colspan="2">stationarity</th><th colspan="2">feasibility</th><th colspan="2">time (s)</th>` +
    `${closed ? `<th>f − f*</th><th>time to 1e-4</th>` : ""}${noted ? "<th></th>" : ""}</tr>` +
    `<tr><th></th>${both}${both}<th>Δ</th><th>ours</th>${both}${both}${both}${closed ? "<th>ours</th><th>(s), ours</th>" : ""}${noted ? "<th></th>" : ""}</tr>`;
  const rows = groups.flatMap(({ n, p, optimum, cells }) => {
    const star =
      optimum === null
        ? ""
        : ` &nbsp; <span style="font-weight:400">closed form f* = ${optimum.toPrecision(7).replace("-", "−")}</span>`;
    const least = (of: (mean: { evaluations: number; hvp: number; seconds: number }) => number): number =>
      Math.min(...cells.flatMap((c) => (c.mean && c.converged === c.runs ? [of(c.mean)] : [])));
    const [fewest, fastest] = [least((m) => m.evaluations + m.hvp), least((m) => m.seconds)];
    return [
      `<tr class="group"><td colspan="${columns}">n = ${n}, p = ${p}${star}</td></tr>`,
      ...cells.map((c) => {
        const l = lineOf(c);
        const mark =
          c.agrees === null
            ? ""
            : c.agrees
              ? ' <span class="good" title="all printed digits agree">✓</span>'
              : ' <span class="bad" title="differs from the paper">✗</span>';
        const near = c.iterationRatio !== null && Math.abs(c.iterationRatio - 1) <= 0.25;
        const best = (is: boolean): string => (is ? ' class="best"' : "");
        const cellsHtml = [
          `<td>${l.f[0]}${mark}</td><td class="paper">${l.f[1]}</td>`,
          `<td>${l.iterations[0]}</td><td class="paper">${l.iterations[1]}</td><td class="${near ? "good" : "paper"}">${l.difference}</td>`,
          `<td${best(c.mean !== null && c.mean.evaluations + c.mean.hvp === fewest)}>${l.evaluations}</td>`,
          `<td>${l.stationarity[0]}</td><td class="paper">${l.stationarity[1]}</td>`,
          `<td>${l.feasibility[0]}</td><td class="paper">${l.feasibility[1]}</td>`,
          `<td${best(c.mean !== null && c.mean.seconds === fastest)}>${l.seconds[0]}</td><td class="paper">${l.seconds[1]}</td>`,
          closed ? `<td>${l.gap}</td><td>${l.secondsToGap}</td>` : "",
          noted ? `<td class="note">${markup(l.note)}</td>` : "",
        ];
        return `<tr${c.paper === null ? ' class="own"' : ""}><th scope="row">${markup(l.label)}</th>${cellsHtml.join("")}</tr>`;
      }),
    ];
  });
  const legend =
    problem === "noeig"
      ? "✓: f agrees with the paper in all printed digits. Green Δ: within 25 % of the paper's iterations. Bold: fewest evaluations, shortest time."
      : "Green Δ: within 25 % of the paper's iterations. Bold: fewest evaluations, shortest time. Time to 1e-4: until f − f* ≤ 1e-4·|f*| at the projected iterate.";
  return `<section id="${id}"><h2>${markup(caption.replace(/\.$/, ""))}</h2><p class="caption">${legend}</p><div class="scroll"><table><thead>${head}</thead><tbody>${rows.join("")}</tbody></table></div></section>`;
}

const legendHtml = (labels: readonly string[], style: ReadonlyMap<string, string>): string =>
  `<ul class="legend">${labels.map((label) => `<li><svg viewBox="0 0 34 10"><path class="${style.get(label)}" d="M0 5H34"/></svg>${markup(label)}</li>`).join("")}</ul>`;

/** relative f − f* below which it is roundoff of f */
const ROUNDING = 1e-13;

const NAMES = { f: "f − f*", stationarity: "stationarity", feasibility: "‖XᵀX − I‖" };

function figures(sizes: readonly FigureSummary[], style: ReadonlyMap<string, string>): string[] {
  const panels = (only: string | undefined, by: "k" | "evaluations"): string =>
    sizes
      .flatMap(({ n, p, best, curves }) => {
        const visible = curves.filter((c) => only === undefined || c.label === only);
        return (["f", "stationarity", "feasibility"] as const).map((what) => {
          const valueAt = (curve: Curve, i: number): number =>
            what === "f" ? Math.max(curve.f[i]! - best, ROUNDING * Math.abs(best)) : curve[what][i]!;
          const series = visible.map(
            ({ label, curve }): Series => ({
              label,
              style: style.get(label)!,
              // the start is feasible to rounding, far below all that follows: left out there
              points: curve[by].map((x, i) => [x, valueAt(curve, i)]).slice(what === "feasibility" ? 1 : 0) as [
                number,
                number,
              ][],
            }),
          );
          return svgPlot({
            title: `(n, p) = (${n}, ${p})`,
            width: 352,
            height: 250,
            x: {
              label: by === "k" ? "iterations" : "evaluations of f and its gradient",
              min: by === "k" ? 0 : 1,
              log: by !== "k",
            },
            y: { label: NAMES[what], log: true },
            series,
          });
        });
      })
      .join("");
  const labels = [...new Set(sizes.flatMap((s) => s.curves.map((c) => c.label)))];
  const out: string[] = [];
  const note =
    "f and stationarity at the projected iterate, feasibility before the projection; f* is from a run to a gradient of 1e-7.";
  if (labels.includes("ExPen-CG")) {
    out.push(
      `<section id="figure"><h2>The convergence curves of ExPen-CG on nonlinear eigenvalue problems</h2><p class="caption">The paper's figure. ${note}</p><div class="panels">${panels("ExPen-CG", "k")}</div></section>`,
    );
  }
  out.push(
    `<section id="figure-all"><h2>The same with all solvers, over evaluations</h2><p class="caption">${note}</p>${legendHtml(labels, style)}<div class="panels">${panels(undefined, "evaluations")}</div></section>`,
  );
  return out;
}

function profiles(all: readonly Profile[], style: ReadonlyMap<string, string>): string {
  const most = Math.max(2, ...all.flatMap((q) => q.series.flatMap((s) => s.points.map((x) => x[0]))));
  const plots = all.map(({ measure, series }) =>
    svgPlot({
      title: measure === "seconds" ? "time" : "evaluations",
      width: 535,
      height: 320,
      x: { label: "τ: within τ times the best", log: true, min: 1, max: most * 1.05 },
      y: { label: "share of all runs", min: 0, max: 1 },
      series: series.map(({ label, points }) => ({
        label,
        style: style.get(label)!,
        steps: true,
        points: [
          [1, points.filter(([tau]) => tau <= 1).length / Math.max(1, all[0]!.instances)],
          ...points.filter(([tau]) => tau > 1),
        ],
      })),
    }),
  );
  const labels = all[0]!.series.map((s) => s.label);
  return `<section id="profile"><h2>Performance profile</h2><p class="caption">Share of the ${all[0]!.instances} runs (row and start) that a solver ended within τ times the cost of the best one; higher is better.</p>${legendHtml(labels, style)}<div class="panels two">${plots.join("")}</div></section>`;
}
