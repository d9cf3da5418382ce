// Adds up vitest's JSON reports and prints the plain line that continuous integration reads. A report that is not there is a failure.
import { existsSync, readFileSync } from "node:fs";

let [passed, failed, skipped] = [0, 0, 0];
for (const file of process.argv.slice(2)) {
  if (!existsSync(file)) {
    console.log(`no test report at ${file}`);
    failed++;
    continue;
  }
  const report = JSON.parse(readFileSync(file, "utf8"));
  passed += report.numPassedTests;
  failed +=
    report.numFailedTests +
    report.testResults.filter((r) => r.status === "failed" && r.assertionResults.length === 0).length;
  skipped += report.numPendingTests;
}
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
process.exit(failed > 0 || passed === 0 ? 1 : 0);
