/** The answer of an application as one HTML file that needs nothing else: numbers, a scatter plot, the main matrix. */
import type { Label, Table } from "@expen/linalg";
import { markup } from "../../plot/svg-plot.js";
import type { Answer, ShellApplication } from "../applications/application.js";
import { reportStyle } from "../reproduce/report-style.js";
import { htmlPage } from "./html-page.js";
import { classesOf, scatterPlot } from "./scatter.js";

/** Rows and columns of a matrix that the page shows at most */
const [MOST_ROWS, MOST_COLUMNS] = [40, 12];

const STYLE = `${reportStyle}
main { max-width: 820px; } svg circle { fill-opacity: 0.75; } .swatch { display: inline-block; width: 10px; height: 10px; border-radius: 5px; margin-right: 6px; }
${Array.from({ length: 7 }, (_, k) => `svg .p${k} { fill: var(--c${k}); } .swatch.p${k} { background: var(--c${k}); }`).join("\n")}`;

interface Source {
  readonly files: readonly string[];
  readonly labels?: readonly Label[];
}

export function applicationReport(application: ShellApplication, answer: Answer, { files, labels }: Source): string {
  const { name, summary, points } = application;
  const [main, M] = Object.entries(answer.matrices)[0]!;
  const scatter = points === undefined ? undefined : answer.matrices[points];
  const title = `${name} of ${files.join(", ")}`;
  const fitting = labels?.length === scatter?.rows ? labels : undefined;
  const body = [
    `<h1>${markup(title)}</h1>`,
    `<p class="lead">${markup(summary)}</p>`,
    `<p class="${answer.succeeded ? "good" : "bad"}">${answer.succeeded ? "✓" : "✗"} ${markup(answer.headline)}</p>`,
    `<dl>${answer.lines.map(([what, text]) => `<dt>${markup(what)}</dt><dd>${markup(text)}</dd>`).join("")}</dl>`,
    ...(scatter ? [`<h2>${markup(points!)}</h2>`, legend(fitting), scatterPlot(scatter, fitting)] : []),
    `<h2>${markup(main)}</h2>`,
    matrixTable(M, M.rows === answer.model?.names?.length ? answer.model.names : undefined),
    ...(answer.notes.length > 0
      ? ["<h2>Notes</h2>", `<ul>${answer.notes.map((n) => `<li>${markup(n)}</li>`).join("")}</ul>`]
      : []),
  ];
  return htmlPage(title, STYLE, body);
}

function legend(labels: readonly Label[] | undefined): string {
  if (!labels) return "";
  const item = (label: string, k: number): string =>
    `<li><span class="swatch p${Math.min(k, 6)}"></span>${markup(label)}</li>`;
  return `<ul class="legend">${classesOf(labels).map(item).join("")}</ul>`;
}

/** The first rows and columns; `rowNames`: of the variables, if the rows are variables */
function matrixTable({ rows, cols, data, names }: Table, rowNames?: readonly string[]): string {
  const [m, n] = [Math.min(rows, MOST_ROWS), Math.min(cols, MOST_COLUMNS)];
  const indices = (count: number): number[] => Array.from({ length: count }, (_, k) => k);
  const head = indices(n).map((j) => `<th>${markup(names?.[j] ?? String(j + 1))}</th>`);
  const line = (i: number): string =>
    `<tr><th>${markup(rowNames?.[i] ?? String(i + 1))}</th>${indices(n)
      .map((j) => `<td>${Number(data[i * cols + j]!.toPrecision(6))}</td>`)
      .join("")}</tr>`;
  const rest =
    m < rows || n < cols ? `<p class="caption">the first ${m} of ${rows} rows and ${n} of ${cols} columns</p>` : "";
  return `<div class="scroll"><table><thead><tr><th></th>${head.join("")}</tr></thead><tbody>${indices(m).map(line).join("")}</tbody></table></div>${rest}`;
}
