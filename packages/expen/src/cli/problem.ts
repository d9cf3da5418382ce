/** A name or a file on the command line as an objective. */
import type { Domain, Manifold, Nonsmooth, Objective, Subject, View } from "@expen/core";
import { stiefel } from "@expen/core";
import { problems } from "@expen/experiments/problems";
import type { Engine } from "@expen/linalg";
import type { Part, RunShape } from "@expen/linalg/memory";
import { bytesNeeded, requireMemory } from "@expen/linalg/memory";
import type { SolverName } from "@expen/solvers";
import { solverPartsOn } from "@expen/solvers";
import { didYouMean, InputError } from "./input-error.js";
import { manifoldOf } from "./manifold.js";
import { readProblemOptions, refuseProblemOptions } from "./problem-options.js";
import { callUserFile, exportedManifold, FILE_ENDINGS, loadUserFile } from "./user-file.js";

export interface OpenedProblem {
  name: string;
  n: number;
  p: number;
  /** the manifold of X */
  on: Manifold<View>;
  /** the same on the engine of the run */
  bound: Domain<View>;
  /** f of points of `bound.E` */
  objective: Objective;
  /** computed on demand: a closed form may need an eigenvalue problem */
  optimum(): number | undefined;
  start?: View;
  /** constraints beside the manifold, of a user's file */
  subjectTo?: readonly Subject[];
  /** a term for solvers with proximal maps; the others minimise f alone */
  nonsmooth?: Nonsmooth;
  /** whether f is the user's, whose derivatives may be wrong */
  own: boolean;
  notes: string[];
}

/** size of X without options and data */
export const DEFAULT_SIZE = { n: 1000, p: 10 };

/** Sizes: those of the options, else those of the data, else the defaults */
function sizes(
  flags: { n?: number; p?: number },
  usual: { n: number; p: number },
  data: { n?: number; p?: number } = {},
): { n: number; p: number } {
  const n = flags.n ?? data.n ?? Math.max(usual.n, flags.p ?? 0);
  const p = flags.p ?? data.p ?? Math.min(usual.p, n);
  if (p > n) throw new InputError(`p = ${p} is above n = ${n}; ${p} orthonormal columns need n ≥ p.`);
  return { n, p };
}

/** The manifold in the words of a title */
export const whereOf = ({ text, n, p }: Manifold<View>): string =>
  text === `stiefel(${n}, ${p})` ? `n = ${n}, p = ${p}` : `X on ${text}`;

/** A problem whose files are read and whose manifold is known, before an engine is open */
interface ReadProblem {
  /** the sizes, if the problem can run on a device because engine operations compute it */
  readonly size?: { n: number; p: number };
  readonly on: Manifold<View>;
  make(E: Engine): OpenedProblem;
}

/** Sizes and the place of X as commander gives them */
interface ProblemFlags extends Record<string, unknown>, Pick<RunShape, "memory" | "certificate"> {
  n?: number;
  p?: number;
  seed: number;
  on?: string;
}

/**
 * Reads the files of a problem, and returns the function that makes it on an engine for runs of these solvers. `usual`: the sizes if
 * neither options nor data have any.
 */
export async function openProblem(
  what: string,
  options: ProblemFlags,
  solvers: readonly SolverName[] = ["auto"],
  usual: typeof DEFAULT_SIZE = DEFAULT_SIZE,
): Promise<ReadProblem> {
  const { seed } = options;
  /** Requires memory for the problem and for the smallest of the runs, before either begins. */
  const require = (E: Engine, { n, p, shapes }: Manifold<View>, parts: Part[]): void => {
    const { memory, certificate } = options;
    const shape = { ...(memory && { memory }), ...(certificate && { certificate }) };
    const runs = solvers.map((solver) => solverPartsOn(shapes, { solver, ...shape }));
    const least = runs.reduce((a, b) => (bytesNeeded(b) < bytesNeeded(a) ? b : a));
    requireMemory(n, p, [...parts, ...least], E);
  };
  const notes: string[] = [];
  const entry = problems.get(what);
  if (entry) {
    if (options.on !== undefined) {
      throw new InputError(
        `--on: the problem ${what} is about matrices with orthonormal columns; --on is for your own file.`,
      );
    }
    const values = await readProblemOptions(entry, options, notes);
    const { n, p } = sizes(options, usual, entry.sizes?.(values));
    const on = stiefel(n, p) as Manifold<View>;
    const make = (E: Engine): OpenedProblem => {
      require(E, on, entry.holds({ ...values, n, p }));
      const problem = entry.make(E, { ...values, n, p, seed });
      return {
        name: what,
        n,
        p,
        on,
        bound: on.bind(E),
        objective: problem.objective,
        optimum: () => problem.optimum,
        ...(problem.start && { start: problem.start }),
        ...(problem.nonsmooth && { nonsmooth: problem.nonsmooth }),
        own: false,
        notes,
      };
    };
    return { on, make, size: { n, p } };
  }
  if (!FILE_ENDINGS.test(what)) {
    const names = [...problems.keys()];
    throw new InputError(
      `problem '${what}' is none of ${names.join(", ")}, nor a .ts, .js or .mjs file${didYouMean(what, names)}`,
    );
  }
  refuseProblemOptions(what, options);
  const { factory, on: exported } = await loadUserFile(what);
  const fromOption = options.on !== undefined ? await manifoldOf(options.on) : undefined;
  const manifold = fromOption ?? (exported === undefined ? undefined : await exportedManifold(what, exported));
  if (manifold) requireSame(options, manifold);
  const size = manifold ?? sizes(options, usual);
  const { n, p } = size;
  const on = manifold ?? (stiefel(n, p) as Manifold<View>);
  const make = (E: Engine): OpenedProblem => {
    require(E, on, []);
    const bound = on.bind(E);
    const { objective, optimum, start, subjectTo } = callUserFile(what, factory, { n, p, seed, engine: E, on }, bound);
    return {
      name: what,
      n,
      p,
      on,
      bound,
      objective,
      optimum: () => optimum,
      ...(start && { start }),
      ...(subjectTo && { subjectTo }),
      own: true,
      notes,
    };
  };
  return { on, make };
}

/** Refuses --n and --p that differ from the sizes of the manifold. */
function requireSame(flags: { n?: number; p?: number }, on: Manifold<View>): void {
  for (const letter of ["n", "p"] as const) {
    if (flags[letter] === undefined || flags[letter] === on[letter]) continue;
    throw new InputError(`--${letter} is ${flags[letter]}, but X is on ${on.text}; leave --${letter} out.`);
  }
}
