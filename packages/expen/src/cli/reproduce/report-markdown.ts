import { lineOf, type Report } from "./report-data.js";

/** The report as Markdown: tables and text, without the plots */
export function reportMarkdown(report: Report): string {
  const { title, command, date, machines, settings, findings, remarks, summary } = report;
  const out = [`# ${title}`, "", ...findings.map((f) => `- ${f}`), ""];
  for (const { id, problem, caption, groups } of summary.tables) {
    const closed = problem === "brockett";
    out.push(`## ${id}: ${caption}`, "");
    const head = [
      "n, p",
      "solver",
      "f",
      "f, paper",
      "iterations",
      "paper",
      "Δ",
      "evaluations",
      "stationarity",
      "paper",
      "feasibility",
      "paper",
      "time (s)",
      "paper",
    ];
    if (closed) head.push("f − f*", "time to 1e-4 (s)");
    head.push("");
    out.push(row(head), row(head.map((_, j) => (j < 2 || j === head.length - 1 ? "---" : "---:"))));
    for (const { n, p, cells } of groups) {
      cells.forEach((c, i) => {
        const l = lineOf(c);
        const agree = c.agrees === null ? "" : c.agrees ? " ✓" : " ✗";
        const numbers = [
          l.f[0] + agree,
          l.f[1],
          ...l.iterations,
          l.difference,
          l.evaluations,
          ...l.stationarity,
          ...l.feasibility,
          ...l.seconds,
        ];
        out.push(
          row([i === 0 ? `${n}, ${p}` : "", l.label, ...numbers, ...(closed ? [l.gap, l.secondsToGap] : []), l.note]),
        );
      });
    }
    out.push("", "✓: f agrees with the paper to all printed digits.", "");
  }
  if (summary.figure.some((f) => f.curves.length > 0)) {
    out.push(
      "## Figure",
      "",
      "The convergence curves and the performance profiles are in report.html, their numbers in report.json.",
      "",
    );
  }
  out.push("## How it was run", "", ...remarks.map((r) => `- ${r}`), "");
  out.push(`- Command: \`${command}\``);
  out.push(
    `- Tolerance ${settings.tolerance} on the gradient, at most ${settings.maxIterations} iterations, instance seed ${settings.instanceSeed}, start seeds ${settings.startSeeds}, engine ${settings.engine}`,
  );
  for (const machine of machines) out.push(`- Machine: ${machine}`);
  out.push(`- Last run: ${date}`, "");
  return out.join("\n");
}

const row = (cells: readonly string[]): string => `| ${cells.map((c) => c.replaceAll("|", "\\|")).join(" | ")} |`;
