/** The suite any-f: plain functions with their gradients, families × sizes × seeds, ours beside the peers. */
import { setImmediate } from "node:timers/promises";
import { openEngine } from "@expen/engines";
import { digits } from "@expen/linalg";
import { attempt, type Outcome, work } from "../contender.js";
import { byEngine, type Sides, withSides } from "../contenders.js";
import { startResults } from "../store.js";
import type { Session } from "../suite.js";
import { textTable } from "../tables.js";
import { families } from "./families.js";
import type { Family } from "./family.js";
import { type AnyInstance, type Case, caseId, drawCase, judgeOf } from "./instance.js";
import { type AnyContender, FORMER, openOwn } from "./ours.js";
import { type AnyCase, type AnyResults, type AnyRun, isReached, kind } from "./results.js";
import { familyTable, meansOf } from "./tables.js";

/** Riemannian L-BFGS with 30 pairs and the rules of Manopt (peers/rlbfgs.py). */
export const RLBFGS = "numpy-rlbfgs";

const ANY_CONTENDERS = [
  "auto@blas",
  `${FORMER}@blas`,
  RLBFGS,
  "pymanopt-rcg",
  "pymanopt-tr",
  "scipy-lbfgsb",
  "scipy-cg",
  "cdopt-lbfgs",
  "cdopt-cg",
];

export interface AnyOptions extends Session<AnyResults> {
  families?: readonly Family[];
  contenders?: readonly string[];
  seeds?: number;
  repeats?: number;
  threads?: number;
  clock?: AnyResults["clock"];
  tol?: number;
  /** seconds a run may take */
  limit?: number;
  /** seconds of warm-up of each contender on each of three functions */
  warmUpSeconds?: number;
}

/** Seconds on a case after which a contender is not repeated: short runs are repeated often, long ones never. */
const ENOUGH = 0.3;
/** A tall X, a square one, and an f that costs little. */
const WARM_UP = [
  ["brockett", 60, 5],
  ["procrustes-square", 10, 10],
  ["noeig", 60, 5],
] as const;

export function benchAny(options: AnyOptions = {}): Promise<AnyResults> {
  const { contenders = ANY_CONTENDERS, threads = 1 } = options;
  return withSides(contenders, threads, byEngine(openOwn), (sides) => benchSides(sides, options));
}

async function benchSides(
  { all, contenders, skipped }: Sides<AnyContender>,
  {
    families: chosen = families,
    seeds = 3,
    repeats = 20,
    threads = 1,
    clock = "wall",
    tol = 1e-6,
    limit = 5,
    warmUpSeconds = 1,
    before,
    save = () => {},
    log = console.log,
  }: AnyOptions,
): Promise<AnyResults> {
  const settings = { threads, clock, repeats, tol, limit, seeds };
  const results = startResults<AnyResults>(kind, { ...settings, contenders, skipped, cases: [] }, before);
  for (const [name, description] of Object.entries(contenders)) log(`${name}: ${description}`);
  for (const [name, why] of Object.entries(skipped)) log(`${name}: skipped, ${why}`);
  const E = await openEngine("auto", { threads: 1 });
  const cases = chosen.flatMap((family) =>
    family.sizes.flatMap(([n, p]) => Array.from({ length: seeds }, (_, k): Case => ({ family, n, p, seed: k + 1 }))),
  );
  const began = performance.now();
  try {
    await warmUp();
    for (const [index, one] of cases.entries()) {
      if (results.cases.some((known) => sameCase(known, one))) continue;
      const instance = drawCase(E, one, tol);
      const result = await race(instance);
      instance.dispose();
      results.cases.push(result);
      save(results);
      const done = `${index + 1}/${cases.length}, ${minutes(began)} min`;
      log(`${done}  ${caseId(one)}  ${result.runs.map((run) => brief(result, run)).join("  ")}`);
    }
  } finally {
    E.dispose();
  }
  log(`\n${textTable(familyTable(results))}\n\n${textTable(meansOf(results))}`);
  return results;

  /** Runs each contender on three functions until it has used some seconds by its own clock. */
  async function warmUp(): Promise<void> {
    for (const [name, n, p] of WARM_UP) {
      const instance = drawCase(E, { family: families.find((family) => family.name === name)!, n, p, seed: 1 }, tol);
      for (const contender of all) {
        for (let spent = 0; spent < warmUpSeconds; ) {
          const { seconds } = await once(contender, instance);
          // a failure ends the warm-up
          spent += seconds ?? warmUpSeconds;
        }
      }
      instance.dispose();
    }
  }

  /** Runs all contenders in turn, so that noise of the machine hits them alike. */
  async function race(instance: AnyInstance): Promise<AnyCase> {
    const { family, n, p, seed, tol } = instance;
    const measure = judgeOf(E, instance);
    const lanes = all.map((contender) => ({
      contender,
      best: Number.POSITIVE_INFINITY,
      spent: 0,
      last: {} as Outcome,
    }));
    for (let round = 0; round < repeats; round++) {
      for (const lane of lanes) {
        if (round > 0 && (lane.last.status !== "converged" || lane.spent > ENOUGH)) continue;
        lane.last = await once(lane.contender, instance);
        const { seconds = Number.POSITIVE_INFINITY } = lane.last;
        lane.best = Math.min(lane.best, seconds);
        lane.spent += seconds;
      }
    }
    const runs = lanes.map(({ contender, best, last }): AnyRun => {
      const { status, text, evaluations = null, iterations = null, X } = last;
      const judged = X?.data.every(Number.isFinite) ? measure(X) : undefined;
      return {
        contender: contender.name,
        status,
        text,
        seconds: Number.isFinite(best) ? best : null,
        evaluations,
        iterations,
        f: judged?.fval ?? null,
        stationarity: judged?.stationarity ?? null,
      };
    });
    return { family: family.name, n, p, seed, tol, runs };
  }

  async function once(contender: AnyContender, instance: AnyInstance): Promise<Outcome> {
    // memory of dead matrices is reclaimed when the event loop turns; otherwise each run would touch new pages
    await setImmediate();
    return attempt(contender, instance, { tol: instance.tol, target: null, limit, clock });
  }
}

const brief = (one: AnyCase, run: AnyRun): string =>
  isReached(one, run) && run.evaluations ? String(work(run.evaluations)) : `(${run.status})`;

const minutes = (since: number): string => digits((performance.now() - since) / 60_000, 3);

const sameCase = (known: AnyCase, { family, n, p, seed }: Case): boolean =>
  known.family === family.name && known.n === n && known.p === p && known.seed === seed;
