/** A process of `npm run bench:short`: imports expen, opens the fastest engine and runs one problem again and again. */
import module from "node:module";
import { setImmediate } from "node:timers/promises";
import { clock } from "./clock.js";

export interface Times {
  readonly clock: string;
  /** of importing expen, and of opening the fastest engine */
  readonly import: number;
  readonly open: number;
  /** of each run */
  readonly runs: number[];
  /** wall time of the fastest: the clock of a thread is too coarse for it */
  readonly best: number;
  /** of all threads, with the first 20 runs */
  readonly process: number;
  readonly evaluations: number;
  readonly engine: string;
}

async function measure(name: string, count: number, options: object): Promise<Times> {
  const { now } = clock;
  const began = now();
  const { minimize, openEngine, stiefel } = await import("expen");
  const imported = now();
  const E = await openEngine();
  const opened = now();
  const { problems } = await import("./problems.js");
  const { n, p, on } = problems.find((one) => one.name === name)!;
  const f = on(E);
  const whole = process.cpuUsage();
  const runs: number[] = [];
  let [evaluations, ofProcess, best] = [0, 0, Number.POSITIVE_INFINITY];
  for (let k = 0; k < count; k++) {
    const [start, startOfWall] = [now(), performance.now()];
    const { evaluations: own, certificate } = await minimize(f, { on: stiefel(n, p), engine: E, ...options });
    best = Math.min(best, performance.now() - startOfWall);
    runs.push(now() - start);
    evaluations = own.f + own.hvp + certificate.evaluations.f + certificate.evaluations.hvp;
    if (k === Math.min(count, 20) - 1) {
      const { user, system } = process.cpuUsage(whole);
      ofProcess = (user + system) / 1000;
    }
    // memory of dead matrices is given back when the event loop turns
    await setImmediate();
  }
  const engine = E.description;
  E.dispose();
  const before = { import: imported - began, open: opened - imported };
  return { clock: clock.name, ...before, runs, best, process: ofProcess, evaluations, engine };
}

const [name, count, options, cache] = process.argv.slice(2) as [string, string, string, string?];
// as the command line has it
if (cache) (module as { enableCompileCache?(folder: string): void }).enableCompileCache?.(cache);
process.stdout.write(JSON.stringify(await measure(name, Number(count), JSON.parse(options))));
