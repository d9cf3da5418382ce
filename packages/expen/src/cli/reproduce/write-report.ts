import { join } from "node:path";
import { writeWhole } from "../whole-file.js";
import type { Report } from "./report-data.js";
import { reportHtml } from "./report-html.js";
import { reportMarkdown } from "./report-markdown.js";
import { explain } from "./store.js";

const REPORTS = ["report.json", "report.md", "report.html"] as const;

/** report.html, report.md and report.json; all three whole, or those that were there before. Returns the path of the first. */
export function writeReport(folder: string, report: Report): string {
  const texts: Record<(typeof REPORTS)[number], string> = {
    "report.json": `${JSON.stringify(report, null, 1)}\n`,
    "report.md": reportMarkdown(report),
    "report.html": reportHtml(report),
  };
  const html = join(folder, "report.html");
  explain(html, () => writeWhole(Object.fromEntries(REPORTS.map((name) => [join(folder, name), texts[name]]))));
  return html;
}
