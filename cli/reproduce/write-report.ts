import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Report } from "./report-data.js";
import { reportHtml } from "./report-html.js";
import { reportMarkdown } from "./report-markdown.js";
import { explained } from "./store.js";

/** report.html, report.md and report.json; all three whole, or those that were there before. Returns the path of the first. */
export function writeReport(folder: string, report: Report): string {
  const texts = {
    "report.json": `${JSON.stringify(report, null, 1)}\n`,
    "report.md": reportMarkdown(report),
    "report.html": reportHtml(report),
  };
  const partial = (name: string): string => join(folder, `${name}.${process.pid}.partial`);
  explained(join(folder, "report.html"), () => {
    try {
      for (const [name, text] of Object.entries(texts)) writeThrough(partial(name), text);
      for (const name of Object.keys(texts)) renameSync(partial(name), join(folder, name));
    } catch (error) {
      for (const name of Object.keys(texts)) rmSync(partial(name), { force: true });
      throw error;
    }
  });
  return join(folder, "report.html");
}

/** Written and on the disk: that it is full may be noticed only then. */
function writeThrough(path: string, text: string): void {
  const file = openSync(path, "w");
  try {
    writeFileSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
