/** A name or a file on the command line as an objective. */
import type { Part, RunShape } from "../src/memory/need.js";
import { bytesNeeded, requireMemory } from "../src/memory/require.js";
import { problems } from "../src/problems/catalog.js";
import type { SolverName } from "../src/solvers/catalog.js";
import { solverParts } from "../src/solvers/need.js";
import type { Engine, Matrix, Nonsmooth, Objective } from "../src/types.js";
import { didYouMean, InputError } from "./input-error.js";
import { readProblemOptions, refuseProblemOptions } from "./problem-options.js";
import { callUserFile, FILE_ENDINGS, loadUserFile } from "./user-file.js";

export interface OpenedProblem {
  name: string;
  n: number;
  p: number;
  objective: Objective;
  /** read late: a closed form may need an eigenvalue problem */
  optimum(): number | undefined;
  start?: Matrix;
  /** a term that only a solver with proximal maps takes in */
  nonsmooth?: Nonsmooth;
  /** derivatives come from a user and may be wrong */
  own: boolean;
  notes: string[];
}

/** What makes the problem on an engine; `size` where that may be a device, because f is not a user's */
export type ProblemMaker = ((E: Engine) => OpenedProblem) & { readonly size?: { n: number; p: number } };

export const DEFAULT_SIZE = { n: 1000, p: 10 };

/** Sizes as given, else as the data says, else the defaults. */
function sizes(given: { n?: number; p?: number }, data: { n?: number; p?: number } = {}): { n: number; p: number } {
  const n = given.n ?? data.n ?? Math.max(DEFAULT_SIZE.n, given.p ?? 0);
  const p = given.p ?? data.p ?? Math.min(DEFAULT_SIZE.p, n);
  if (p > n) throw new InputError(`p = ${p} is above n = ${n}; ${p} orthonormal columns need n ≥ p.`);
  return { n, p };
}

/** Reads what is to be read and returns what makes the problem on an engine, for runs of one of the solvers. */
export async function openProblem(
  what: string,
  options: Record<string, unknown> & { n?: number; p?: number; seed: number } & Pick<
      RunShape,
      "memory" | "certificate"
    >,
  solvers: readonly SolverName[] = ["expen"],
): Promise<ProblemMaker> {
  const { seed } = options;
  /** Memory for the problem and for the least of the runs, before either begins */
  const require = (E: Engine, n: number, p: number, parts: Part[]): void => {
    const { memory, certificate } = options;
    const shape = { ...(memory && { memory }), ...(certificate && { certificate }) };
    const runs = solvers.map((solver) => solverParts(n, p, { solver, ...shape }));
    const least = runs.reduce((a, b) => (bytesNeeded(b) < bytesNeeded(a) ? b : a));
    requireMemory(n, p, [...parts, ...least], E);
  };
  const notes: string[] = [];
  const entry = problems.get(what);
  if (entry) {
    const values = await readProblemOptions(entry, options, notes);
    const { n, p } = sizes(options, entry.sizes?.(values));
    const make = (E: Engine): OpenedProblem => {
      require(E, n, p, entry.holds({ ...values, n, p }));
      const problem = entry.make(E, { ...values, n, p, seed });
      return {
        name: what,
        n,
        p,
        objective: problem.objective,
        optimum: () => problem.optimum,
        ...(problem.start && { start: problem.start }),
        ...(problem.nonsmooth && { nonsmooth: problem.nonsmooth }),
        own: false,
        notes,
      };
    };
    return Object.assign(make, { size: { n, p } });
  }
  if (!FILE_ENDINGS.test(what)) {
    const names = [...problems.keys()];
    throw new InputError(
      `problem '${what}' is none of ${names.join(", ")}, nor a .ts, .js or .mjs file${didYouMean(what, names)}`,
    );
  }
  refuseProblemOptions(what, options);
  const { n, p } = sizes(options);
  const factory = await loadUserFile(what);
  return (E) => {
    require(E, n, p, []);
    const { objective, optimum, start } = callUserFile(what, factory, { n, p, seed, engine: E });
    return { name: what, n, p, objective, optimum: () => optimum, ...(start && { start }), own: true, notes };
  };
}
