/** How much code a run walks through from f to the certificate: a reader of it has to know these files. */
import { execFileSync } from "node:child_process";
import { resolve } from "node:path";
import { expect, test } from "vitest";

/** Files and lines at most: 5 % above those of this state, by `node scripts/entered.mjs`. They may only fall. */
const MOST = { files: 58, lines: 4630 };

test("a run of minimize({ f, grad }) enters no more files and lines than before", () => {
  const script = resolve(import.meta.dirname, "../scripts/entered.mjs");
  const printed = execFileSync(process.execPath, [script], { encoding: "utf8" });
  expect(printed).toMatch(/^converged/);
  const [files, lines] = /from f to the certificate[\s\S]*?in all +(\d+) files +(\d+) lines/
    .exec(printed)!
    .slice(1)
    .map(Number);
  expect(files).toBeGreaterThan(20);
  expect(files).toBeLessThanOrEqual(MOST.files);
  expect(lines).toBeLessThanOrEqual(MOST.lines);
});
