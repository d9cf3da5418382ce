// node scripts/count-tests.mjs <steps>
// Each line of the file is a step of .ci/run: its name, seconds, exit status, and the place of vitest's JSON report if it ran tests, between
// tabs. Names what failed, prints a table of the steps, and the plain line that continuous integration reads.
// A report that is not there is a failure, and so is a step that fails without a failed test; a report that says why it was skipped is none.
import { existsSync, readFileSync } from "node:fs";

/** "file: test (message)" of each test that failed, and of each file that broke outside its tests */
function failures({ testResults }) {
  return testResults.flatMap(({ name, status, message, assertionResults }) => {
    const wrong = assertionResults.filter((test) => test.status === "failed");
    const path = name.slice(name.lastIndexOf("/test/") + 1);
    if (status === "failed" && wrong.length === 0) return [withReason(path, message)];
    return wrong.map(({ fullName, failureMessages }) => withReason(`${path}: ${fullName}`, failureMessages[0]));
  });
}

function withReason(what, message = "") {
  const [first] = message.trim().split("\n");
  return first ? `${what} (${first})` : what;
}

function outcome(line) {
  const [name, seconds, status, file] = line.split("\t");
  const row = { name, seconds: Number(seconds), passed: 0, skipped: 0, failed: [] };
  if (file && existsSync(file)) {
    const report = JSON.parse(readFileSync(file, "utf8"));
    if (report.skipped) return { ...row, why: report.skipped };
    row.passed = report.numPassedTests;
    row.skipped = report.numPendingTests;
    row.failed = failures(report);
    if (row.passed === 0) row.failed.push("no test ran");
  } else if (file) row.failed.push("no report of its tests");
  if (status !== "0" && row.failed.length === 0) row.failed.push(`exit status ${status}; its words are above`);
  return row;
}

const [steps] = process.argv.slice(2);
const rows = readFileSync(steps, "utf8").trim().split("\n").map(outcome);

for (const { name, failed } of rows) for (const what of failed) console.log(`failed: ${name}: ${what}`);

const result = ({ failed, why }) => (why ? `skipped: ${why}` : failed.length > 0 ? "failed" : "ok");
const table = [
  ["environment or step", "passed", "failed", "seconds", "result"],
  ...rows.map((row) => [row.name, row.passed, row.failed.length, row.seconds, result(row)]),
].map((cells) => cells.map(String));
const widths = [0, 1, 2, 3].map((i) => Math.max(...table.map((cells) => cells[i].length)));
console.log();
for (const [name, ...cells] of table) {
  const numbers = cells.slice(0, 3).map((cell, i) => cell.padStart(widths[i + 1]));
  console.log([name.padEnd(widths[0]), ...numbers, cells[3]].join("  ").trimEnd());
}

const sum = (of) => rows.reduce((total, row) => total + of(row), 0);
const failed = sum((row) => row.failed.length);
console.log(`\n${sum((row) => row.passed)} passed, ${failed} failed, ${sum((row) => row.skipped)} skipped`);
process.exit(failed > 0 ? 1 : 0);
