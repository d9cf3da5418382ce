import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Report } from "./report-data.js";
import { reportHtml } from "./report-html.js";
import { reportMarkdown } from "./report-markdown.js";
import { explained } from "./store.js";

/** report.html, report.md and report.json; each is whole or the one that was there before. Returns the path of the first. */
export function writeReport(folder: string, report: Report): string {
  const texts = {
    "report.json": `${JSON.stringify(report, null, 1)}\n`,
    "report.md": reportMarkdown(report),
    "report.html": reportHtml(report),
  };
  for (const [name, text] of Object.entries(texts)) writeWhole(join(folder, name), text);
  return join(folder, "report.html");
}

function writeWhole(path: string, text: string): void {
  const partial = `${path}.${process.pid}.partial`;
  explained(path, () => {
    try {
      const file = openSync(partial, "w");
      try {
        writeFileSync(file, text);
        fsyncSync(file);
      } finally {
        closeSync(file);
      }
      renameSync(partial, path);
    } catch (error) {
      rmSync(partial, { force: true });
      throw error;
    }
  });
}
