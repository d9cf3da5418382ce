// The command of `npm test`: set-up, then linter and types beside the tests, which would leave a core idle while they wait.
// Their output comes after that of the tests; if either fails, the command fails. Arguments go to vitest: `npm test -- packages/core/test`.
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import "./setup.mjs";

const cwd = fileURLToPath(new URL("..", import.meta.url));
const vitest = fileURLToPath(new URL("../node_modules/vitest/vitest.mjs", import.meta.url));

/** Whether it ended with 0 */
const well = (child) =>
  new Promise((resolve, reject) => child.once("error", reject).once("close", (code) => resolve(code === 0)));

const lint = spawn("npm run --silent lint", { cwd, shell: true, stdio: ["ignore", "pipe", "pipe"] });
const words = [];
for (const stream of [lint.stdout, lint.stderr]) stream.on("data", (part) => words.push(part));
// the runner of modules loads vitest.config.ts without writing it to node_modules first
const tests = spawn(process.execPath, [vitest, "run", "--configLoader=runner", ...process.argv.slice(2)], {
  cwd,
  stdio: "inherit",
});

const [linted, tested] = await Promise.all([well(lint), well(tests)]);
process.stdout.write(Buffer.concat(words));
if (!linted) console.error("npm test: the linter or the types failed; their words are above.");
if (!tested) console.error("npm test: tests failed; they are named above.");
process.exitCode = linted && tested ? 0 : 1;
