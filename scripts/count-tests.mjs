// Adds up vitest's JSON reports, names what failed, and prints the plain line that continuous integration reads.
// A report that is not there is a failure.
import { existsSync, readFileSync } from "node:fs";
import { relative } from "node:path";

let [passed, failed, skipped] = [0, 0, 0];

function fail(what, message = "") {
  failed++;
  const [first] = message.trim().split("\n");
  console.log(`failed: ${what}${first && ` (${first})`}`);
}

for (const file of process.argv.slice(2)) {
  if (!existsSync(file)) {
    fail(`no test report at ${file}`);
    continue;
  }
  const report = JSON.parse(readFileSync(file, "utf8"));
  passed += report.numPassedTests;
  skipped += report.numPendingTests;
  for (const { name, status, message, assertionResults } of report.testResults) {
    const wrong = assertionResults.filter((test) => test.status === "failed");
    const path = relative(process.cwd(), name);
    for (const { fullName, failureMessages } of wrong) fail(`${path}: ${fullName}`, failureMessages[0]);
    // a file that broke outside its tests
    if (status === "failed" && wrong.length === 0) fail(path, message);
  }
}
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
process.exit(failed > 0 || passed === 0 ? 1 : 0);
