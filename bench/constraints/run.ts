/** The suite constraints: problems with known optimum on other manifolds, to a relative gap, ours beside the peers. */
import { openEngine } from "@expen/engines";
import { attempt, type Clock, type Outcome, work } from "../contender.js";
import { byEngine, type Sides, withSides } from "../contenders.js";
import { startResults } from "../store.js";
import type { Session } from "../suite.js";
import { textTable } from "../tables.js";
import { generalizedEigenvalues } from "./generalized-eigenvalues.js";
import { drawInstance, type Instance } from "./instance.js";
import { columnLengths, spectrumOnSphere, threeFactors, unitaryBrockett } from "./mixed.js";
import { hermitianEigenvalues, maxCut, nearestUnitary } from "./other-algebras.js";
import { type ConstrainedContender, openOwnOn } from "./ours.js";
import type { ConstrainedProblem } from "./problem.js";
import { lowRank, singularVectors, tucker } from "./products.js";
import { type ConstrainedResults, type ConstrainedRun, kind } from "./results.js";
import { constraintTable } from "./tables.js";

export interface Entry {
  readonly problem: ConstrainedProblem;
  readonly contenders: readonly string[];
}

const EIGENVALUES = ["auto@blas", "numpy-eigh", "numpy-eigh-lowest", "numpy-landing", "pymanopt-rcg", "cdopt-lbfgs"];
const OTHERS = ["auto@blas", "pymanopt-rcg", "cdopt-lbfgs"];
/** CDOpt has no products in NumPy. */
const PRODUCTS = ["auto@blas", "pymanopt-rcg"];

/** The problems of a whole run, each with its contenders. */
const ENTRIES: readonly Entry[] = [
  ...[50, 500].map((p) => ({ problem: generalizedEigenvalues(1000, p), contenders: EIGENVALUES })),
  ...[singularVectors, tucker, lowRank].map((problem) => ({ problem, contenders: PRODUCTS })),
  ...[hermitianEigenvalues, nearestUnitary, maxCut].map((problem) => ({ problem, contenders: OTHERS })),
];

/** Problems that run by name alone, kept for tests: no constant was ever tuned on them. */
const OTHER_ENTRIES: readonly Entry[] = [unitaryBrockett, spectrumOnSphere, columnLengths, threeFactors].map(
  (problem) => ({ problem, contenders: PRODUCTS }),
);

export const ALL_ENTRIES = [...ENTRIES, ...OTHER_ENTRIES];

/** Gradient norm small enough for a run to end at its target alone. */
const NO_TOLERANCE = 1e-12;
/** Seconds of a run from which it is not repeated. */
const LONG = 2;
/** Seconds on a case after which a contender is not repeated, but for a second run: the first ones of a process are slow. */
const ENOUGH = 3;

export interface ConstrainedOptions extends Session<ConstrainedResults> {
  problems?: readonly Entry[];
  seeds?: number;
  /** seconds a run may take */
  limit?: number;
  gap?: number;
  repeats?: number;
  clock?: Clock;
}

export function benchConstraints(options: ConstrainedOptions): Promise<ConstrainedResults> {
  const { problems = ENTRIES } = options;
  const names = [...new Set(problems.flatMap(({ contenders }) => contenders))];
  return withSides(names, 1, byEngine(openOwnOn), (sides) => benchSides(sides, options));
}

async function benchSides(
  { all, contenders, skipped }: Sides<ConstrainedContender>,
  {
    problems = ENTRIES,
    seeds = 1,
    limit = 60,
    gap = 1e-10,
    repeats = 20,
    clock = "wall",
    before,
    save = () => {},
    log = console.log,
  }: ConstrainedOptions,
): Promise<ConstrainedResults> {
  const settings = { threads: 1, clock, limit, gap, repeats };
  const results = startResults<ConstrainedResults>(kind, { ...settings, contenders, skipped, runs: [] }, before);
  const { runs } = results;
  for (const [name, why] of Object.entries(skipped)) log(`${name}: skipped, ${why}`);
  const E = await openEngine("auto", { threads: 1 });
  try {
    for (const { problem, contenders } of problems) {
      for (let seed = 1; seed <= seeds; seed++) {
        const id = `${problem.name}:${problem.p}`;
        if (runs.some((run) => run.problem === id && run.seed === seed)) continue;
        const instance = drawInstance(E, problem, seed, gap);
        for (const contender of all.filter(({ name }) => contenders.includes(name))) {
          const { status, text, seconds = null, evaluations = null } = await best(contender, instance);
          const run = { problem: id, seed, contender: contender.name, status, text, seconds, evaluations };
          runs.push(run);
          log(`${id}:${seed} ${contender.name}: ${brief(run)}`);
        }
        instance.dispose();
        save(results);
      }
    }
  } finally {
    E.dispose();
  }
  log(`\n${textTable(constraintTable(results))}`);
  return results;

  async function best(contender: ConstrainedContender, instance: Instance): Promise<Outcome> {
    let last: Outcome | undefined;
    let [seconds, spent] = [Number.POSITIVE_INFINITY, 0];
    for (let round = 0; round < repeats && (round < 2 || spent < ENOUGH); round++) {
      last = await attempt(contender, instance, { tol: NO_TOLERANCE, target: instance.target, limit, clock });
      seconds = Math.min(seconds, last.seconds ?? seconds);
      spent += last.seconds ?? 0;
      if (last.status !== "converged" || seconds > LONG) break;
    }
    return { ...last!, ...(Number.isFinite(seconds) && { seconds }) };
  }
}

const brief = ({ status, text, seconds, evaluations }: ConstrainedRun): string =>
  status === "converged" ? `${seconds!.toFixed(3)} s, ${evaluations ? work(evaluations) : "?"} evaluations` : text;
