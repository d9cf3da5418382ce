/** What is thrown at the product, counted: `npm run trials` prints this table, docs/trials.md shows it. */
import { execFileSync } from "node:child_process";
import { runKills } from "@expen/bench/kills";
import { randomStart } from "@expen/core";
import { quickCheck } from "@expen/core/check";
import { openEngine } from "@expen/engines";
import { runTraps } from "@expen/testing/certify/traps";
import { formats, runMutations } from "@expen/testing/data/mutations";
import { rightObjectives } from "@expen/testing/right-objectives";
import { SHAPES, wrongEntriesFound } from "@expen/testing/wrong-entries";

/** What was tried, how often, what came of it; `wrong` is what must be 0. */
export interface Trial {
  what: string;
  tried: number;
  outcome: string;
  wrong: number;
}

/** Each as soon as it is known. `share`: of the full counts. */
export async function* trials(share = 1): AsyncGenerator<Trial> {
  const count = (full: number): number => Math.max(1, Math.round(share * full));
  for (const name of ["js", "wasm", "blas"] as const) {
    const E = await openEngine(name).catch(() => undefined);
    if (!E) continue;
    const { tried, minima, false: wrong } = await runTraps([E], { every: Math.round(1 / share) });
    const outcome = `${minima} minima proved, nothing else called global`;
    yield { what: `certificates at planted points, ${name}`, tried, outcome, wrong: wrong.length };
    E.dispose();
  }
  const E = await openEngine("js");
  let [right, alarms] = [0, 0];
  for (const { f, seed } of rightObjectives(count(5000))) {
    right++;
    if (!quickCheck(E, f, randomStart(E, f.n, f.p, seed), { seed }).passed) alarms++;
  }
  const kinds = "noisy, badly scaled and nearly nonsmooth ones among them";
  yield { what: `right gradients, ${kinds}`, tried: right, outcome: `${right - alarms} pass`, wrong: alarms };
  for (const [n, p] of SHAPES) {
    const tried = count(100);
    const found = wrongEntriesFound(E, n, p, tried);
    const missed = Math.max(0, tried - found - Math.floor(0.01 * tried));
    yield { what: `one entry of ${n}×${p} off by 1 %`, tried, outcome: `${found} found and named`, wrong: missed };
  }
  for (const format of formats) {
    const { tried, matrices, sentences, failures } = await runMutations(format, count(10_000), 1);
    const outcome = `${matrices} matrices, ${sentences} sentences`;
    yield { what: `damaged .${format} files`, tried, outcome, wrong: failures.length };
  }
  const { kills, resumed, differences } = await runKills(count(20), 1);
  const outcome = `resumed ${resumed} times to the same answer`;
  yield { what: "kills of reproduce and bench at random moments", tried: kills, outcome, wrong: differences.length };
  yield lostWorkers();
}

function lostWorkers(): Trial {
  const args = ["vitest", "run", "packages/engines/test/wasm/lost-workers.test.ts", "--reporter=json"];
  const text = execFileSync("npx", args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  const { numTotalTests, numFailedTests } = JSON.parse(text.slice(text.indexOf("{")));
  const what = "ways to lose a worker of the threaded engine";
  return { what, tried: numTotalTests, outcome: "an error in a sentence within seconds", wrong: numFailedTests };
}
