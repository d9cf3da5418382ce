/** `npm run bench -- --suite constraints`: problems with known optimum on other manifolds, to a relative gap, ours beside the peers. */
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { openEngine } from "@expen/engines";
import { work } from "../any-f/results.js";
import { clockNamed, type Outcome } from "../contender.js";
import { findPython, openPeer } from "../peers.js";
import { commit, machine } from "../results.js";
import { textTable } from "../tables.js";
import { generalizedEigenvalues } from "./generalized-eigenvalues.js";
import { drawInstance, type Instance } from "./instance.js";
import { columnLengths, spectrumOnSphere, threeFactors, unitaryBrockett } from "./mixed.js";
import { hermitianEigenvalues, maxCut, nearestUnitary } from "./other-algebras.js";
import { type ConstrainedContender, openOwnOn } from "./ours.js";
import type { ConstrainedProblem } from "./problem.js";
import { lowRank, singularVectors, tucker } from "./products.js";
import { type ConstrainedRun, PARTIAL, writeConstrained } from "./results.js";
import { constraintTable } from "./tables.js";

interface Entry {
  readonly problem: ConstrainedProblem;
  readonly contenders: readonly string[];
}

const EIGENVALUES = ["expen@blas", "numpy-eigh", "numpy-eigh-lowest", "numpy-landing", "pymanopt-rcg", "cdopt-lbfgs"];
const OTHERS = ["expen@blas", "pymanopt-rcg", "cdopt-lbfgs"];
/** CDOpt has none in NumPy */
const PRODUCTS = ["expen@blas", "pymanopt-rcg"];

/** All problems, each with those who can take part. */
export const ENTRIES: readonly Entry[] = [
  ...[50, 500].map((p) => ({ problem: generalizedEigenvalues(1000, p), contenders: EIGENVALUES })),
  ...[singularVectors, tucker, lowRank].map((problem) => ({ problem, contenders: PRODUCTS })),
  ...[hermitianEigenvalues, nearestUnitary, maxCut].map((problem) => ({ problem, contenders: OTHERS })),
];

/** By name alone: nothing was ever chosen with a look at these. */
const OTHER_ENTRIES: readonly Entry[] = [unitaryBrockett, spectrumOnSphere, columnLengths, threeFactors].map(
  (problem) => ({ problem, contenders: PRODUCTS }),
);

/**
 * A run that took so many seconds is not repeated; after two runs, a contender that has had so many seconds of a case is not asked again:
 * enough for the first runs of a process, which are slow, not to be the best of a short case.
 */
const [LONG, ENOUGH] = [2, 3];

export async function benchConstraintsFromArguments(args: string[]): Promise<number> {
  try {
    const text = { type: "string" } as const;
    const options = { suite: text, problems: text, seeds: text, limit: text, gap: text, repeats: text, clock: text };
    const { values } = parseArgs({ args, options: { ...options, out: text, resume: { type: "boolean" } } });
    const number = (name: "seeds" | "limit" | "gap" | "repeats", otherwise: number): number => {
      const given = Number(values[name] ?? otherwise);
      if (!(given > 0)) throw new RangeError(`--${name} is '${values[name]}'; it must be a positive number.`);
      return given;
    };
    const [seeds, limit, repeats] = [number("seeds", 1), number("limit", 60), number("repeats", 20)];
    const [gap, clock] = [number("gap", 1e-10), clockNamed(values.clock)];
    const entries = chosen(values.problems);
    const out = values.out ?? PARTIAL;
    const runs: ConstrainedRun[] = values.resume ? JSON.parse(readFileSync(out, "utf8")).runs : [];
    const E = await openEngine("auto", { threads: 1 });
    const names = [...new Set(entries.flatMap(({ contenders }) => contenders))];
    const open = await openAll(names);
    const contenders = Object.fromEntries([...open].map(([name, { description }]) => [name, description]));
    const here = machine();
    const done = ({ problem: { name, p } }: Entry, seed: number): boolean =>
      runs.some((run) => run.problem === `${name}:${p}` && run.seed === seed);
    try {
      for (const entry of entries) {
        for (let seed = 1; seed <= seeds; seed++) {
          if (done(entry, seed)) continue;
          const instance = drawInstance(E, entry.problem, seed, gap);
          for (const name of entry.contenders) {
            const contender = open.get(name);
            if (!contender) continue;
            const { status, text, seconds, evaluations } = await best(contender, instance);
            const problem = `${entry.problem.name}:${entry.problem.p}`;
            const measured = { seconds: seconds ?? null, evaluations: evaluations ?? null };
            runs.push({ problem, seed, contender: name, status, text, ...measured });
            console.log(`${problem}:${seed} ${name}: ${brief(runs.at(-1)!)}`);
          }
          instance.dispose();
          const about = {
            suite: "constraints",
            date: new Date().toISOString(),
            commit: commit(),
            machine: here,
          } as const;
          writeConstrained(out, { ...about, gap, limit, clock, repeats, contenders, runs });
        }
      }
    } finally {
      for (const contender of open.values()) contender.end();
      E.dispose();
    }
    console.log(`\n${textTable(constraintTable({ runs, limit }))}\n\n${out}`);
    return 0;

    async function best(contender: ConstrainedContender, instance: Instance): Promise<Outcome> {
      let last: Outcome | undefined;
      let [seconds, spent] = [Number.POSITIVE_INFINITY, 0];
      for (let round = 0; round < repeats && (round < 2 || spent < ENOUGH); round++) {
        last = await contender.run(instance, { tol: 1e-12, target: instance.target, limit, clock });
        seconds = Math.min(seconds, last.seconds ?? seconds);
        spent += last.seconds ?? 0;
        if (last.status !== "converged" || seconds > LONG) break;
      }
      return { ...last!, ...(Number.isFinite(seconds) && { seconds }) };
    }
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return 2;
  }
}

async function openAll(names: readonly string[]): Promise<Map<string, ConstrainedContender>> {
  const python = findPython();
  const open = new Map<string, ConstrainedContender>();
  for (const name of names) {
    const none = "no Python; 'npm run bench:setup' installs the peers";
    const opened = name.includes("@") ? await openOwnOn(name, 1) : python ? await openPeer(name, python, 1) : none;
    if (typeof opened === "string") console.log(`${name}: skipped, ${opened}`);
    else open.set(name, opened);
  }
  return open;
}

function chosen(text: string | undefined): readonly Entry[] {
  if (text === undefined) return ENTRIES;
  return text.split(",").flatMap((word) => {
    const found = [...ENTRIES, ...OTHER_ENTRIES].filter(
      ({ problem: { name, p } }) => word === name || word === `${name}:${p}`,
    );
    if (found.length > 0) return found;
    const known = [...new Set([...ENTRIES, ...OTHER_ENTRIES].map(({ problem }) => problem.name))].join(", ");
    throw new RangeError(`--problems: '${word}' is none of ${known}.`);
  });
}

const brief = ({ status, text, seconds, evaluations }: ConstrainedRun): string =>
  status === "converged" ? `${seconds!.toFixed(3)} s, ${evaluations ? work(evaluations) : "?"} evaluations` : text;
