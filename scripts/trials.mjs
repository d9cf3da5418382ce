// Throws planted traps, damaged files, kills and lost workers at the product, and prints what came of them.
import { createJiti } from "jiti";

const quick = process.argv.includes("--quick");
const unknown = process.argv.slice(2).find((argument) => argument !== "--quick");
if (unknown) {
  console.error(`trials: unknown option '${unknown}'; there is --quick, a tenth of the counts.`);
  process.exit(2);
}
const { trials } = await createJiti(import.meta.url).import("../packages/expen/test/trials.ts");
console.log("| what | tried | outcome | wrong |\n| --- | ---: | --- | ---: |");
let failed = false;
for await (const { what, tried, outcome, wrong } of trials(quick ? 0.1 : 1)) {
  console.log(`| ${what} | ${tried} | ${outcome} | ${wrong} |`);
  failed ||= wrong > 0;
}
process.exitCode = failed ? 1 : 0;
